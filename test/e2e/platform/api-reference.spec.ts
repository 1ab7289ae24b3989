import { OpenApi } from '../../support/openapi.js';
import { TestApp, withApp } from '../../support/test-app.js';

const POLICY = /^default-src 'none'; script-src 'self'; style-src 'self';/;

describe('API reference', () => {
  const app = withApp();

  const open = (path: string, service = app) =>
    fetch(`${service.url}${path}`, { headers: { accept: 'text/html' } });
  const filesOf = (page: string): string[] =>
    [...page.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '');

  it('has a page for each operation, with its samples and errors', async () => {
    const { operations } = new OpenApi((await app.get('/api/docs/openapi.json')).body);
    const introduction = await (await open('/api/docs')).text();
    expect(operations.length).toBeGreaterThan(50);
    for (const { method, operation } of operations) {
      const path = `/api/docs/operations/${operation.operationId}`;
      expect(introduction).toContain(`href="${path}"`);
      const answer = await open(path);
      const page = await answer.text();
      expect([path, answer.status]).toEqual([path, 200]);
      expect(page).toContain(`<h1>${operation.summary.replaceAll("'", '&#39;')}</h1>`);
      expect(page).toContain(`curl ${method === 'GET' ? '' : `-X ${method} `}`);
      expect(page).toContain('href="/errors/internal"');
    }
  });

  it('loads its own files only, under a policy without inline scripts and styles', async () => {
    for (const path of ['/api/docs', '/api/docs/operations/createRole']) {
      const answer = await open(path);
      const page = await answer.text();
      expect(page).toMatch(/^<!doctype html>/);
      expect(answer.headers.get('content-security-policy')).toMatch(POLICY);
      expect(answer.headers.get('content-security-policy')).not.toMatch(/unsafe|https?:/);
      expect(page).not.toMatch(/<style|<script>| style="| on\w+="/);
      expect(filesOf(page)).toHaveLength(4);
      for (const file of filesOf(page)) expect((await open(file)).status).toBe(200);
    }
  });

  it('shows what looks like HTML in a description as text', async () => {
    const page = await (await open('/api/docs')).text();
    expect(page).toContain('Authorization: Bearer &lt;token&gt;');
  });

  it('is linked to the portal, if there is one', async () => {
    const bare = await TestApp.start({ PORTAL: 'off' });
    try {
      expect(await (await open('/api/docs')).text()).toContain('<a href="/">Back to the portal</a>');
      const page = await (await open('/api/docs', bare)).text();
      expect(page).not.toContain('href="/"');
      expect(filesOf(page).map((file) => file.replace(/\?.*/, ''))).toEqual([
        '/api/docs/reference.css',
        '/api/docs/reference.js',
      ]);
    } finally {
      await bare.stop();
    }
  });

  it('has a page for an unknown operation, and no other files', async () => {
    const unknown = await open('/api/docs/operations/nothing');
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    for (const name of ['x', '__proto__', 'constructor', '..%2fpackage.json'])
      expect((await app.get(`/api/docs/${name}`)).status).toBe(404);
  });

  it('does not list its own files as operations', async () => {
    const { operations } = new OpenApi((await app.get('/api/docs/openapi.json')).body);
    expect(operations.flatMap(({ path }) => (path.startsWith('/api/docs') ? [path] : []))).toEqual([
      '/api/docs',
      '/api/docs/openapi.json',
    ]);
  });
});
