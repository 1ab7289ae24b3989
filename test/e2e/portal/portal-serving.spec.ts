import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { RouteManifest } from '../../../src/access/index.js';
import { readSettings } from '../../../src/platform/config/settings.js';
import { type Locale, LOCALES, textIn } from '../../../src/platform/messages/index.js';
import { PAGE_PATHS } from '../../../src/portal/page-paths.js';
import { hasMailbox } from '../../../src/portal/mailbox.controller.js';
import { BuiltService } from '../../support/built-service.js';
import { eventually, TestApp } from '../../support/test-app.js';

describe('The portal, as it is served', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ PUBLIC_URL: 'http://localhost:4000' });
  });
  afterAll(() => app.stop());

  /** Requests a path by `fetch`, which decodes only encodings that it requested itself. */
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${app.url}${path}`, { method, headers: { 'accept-encoding': 'identity', ...headers } });
  /** Requests a path like `get`, without added headers or decoding. */
  const plainGet = async (path: string, headers: Record<string, string>) => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${app.url}${path}`, { headers }, resolve).on('error', reject).end();
    });
    return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
  };
  const assets = async (): Promise<string[]> =>
    [...(await (await get('/')).text()).matchAll(/(?:src|href)="(\/[^"]+\.\w+)"/g)].map(
      ([, path]) => path ?? '',
    );

  it('is one document for all other pages, under a strict policy and revalidated each time', async () => {
    const [first, signIn] = [await (await get('/register')).text(), await (await get('/sign-in')).text()];
    const ofSignIn: readonly string[] = [PAGE_PATHS.home, PAGE_PATHS.signIn];
    for (const path of Object.values(PAGE_PATHS)) {
      const page = await get(path.replace(/:\w+/g, '01K3V9D7Q8Z4X5N6M7P8R9S0T1'));
      expect([path, page.status, await page.text()]).toEqual([
        path,
        200,
        ofSignIn.includes(path) ? signIn : first,
      ]);
      expect(page.headers.get('cache-control')).toBe('no-cache');
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
      for (const directive of [
        "default-src 'none'",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
      ])
        expect(policy.split('; ')).toContain(directive);
    }
  });

  it('has the sign-in page in the language of the request, for users who are not signed in', async () => {
    const headingOf = async (path: string, headers: Record<string, string>) => {
      const page = await get(path, headers);
      expect(page.headers.get('vary')).toMatch(/Accept-Language, Cookie, Accept-Encoding/);
      const html = await page.text();
      return [/<html lang="(\w+)"/.exec(html)?.[1], /<h1[^>]*>([^<]+)/.exec(html)?.[1]];
    };
    expect(await headingOf('/', {})).toEqual(['en', 'Sign in']);
    expect(await headingOf('/', { 'accept-language': 'ja,de-AT;q=0.8,en;q=0.5' })).toEqual([
      'de',
      'Anmelden',
    ]);
    expect(await headingOf('/sign-in/', { 'accept-language': 'fr' })).toEqual(['fr', 'Se connecter']);
    const cookie = 'gatehouse-session-4000=0192a3f2-0000-7000-8000-000000000000';
    expect(await headingOf('/', { cookie })).toEqual(['en', undefined]);
    // The languages of which the page has a first one, and what its script loads.
    const html = await (await get('/sign-in', { 'accept-language': 'fr' })).text();
    expect(html).toMatch(/<html lang="fr"[^>]* data-first="en de es fr nl pl tr"/);
    expect(html).toMatch(/<link rel="modulepreload" crossorigin href="\/assets\/[^"]+\.js">/);
    // Pages that depend on an answer of the service.
    expect(await headingOf('/sign-in?organization=acme', {})).toEqual(['en', undefined]);
    expect(await headingOf('/sign-in?return_to=https%3A%2F%2Fapp.example', {})).toEqual(['en', undefined]);
  });

  it('tells browsers without JavaScript in their language what is missing', async () => {
    const noticeOf = async (path: string, language: string) => {
      const page = await get(path, { 'accept-language': language });
      expect(page.headers.get('vary')).toContain('Accept-Language');
      const [, lang, text] = /<html lang="(\w+)"[^]*<noscript>\s*<p>([^<]+)/.exec(await page.text()) ?? [];
      return [lang, text];
    };
    for (const path of ['/', '/register', '/organizations']) {
      for (const locale of Object.keys(LOCALES) as Locale[])
        expect(await noticeOf(path, locale)).toEqual([locale, textIn(locale)('portal.no-script')]);
      expect(await noticeOf(path, 'de-AT')).toEqual(['de', expect.stringMatching(/^Diese Seite/)]);
      expect(await noticeOf(path, 'ja')).toEqual(['en', expect.stringMatching(/^This page/)]);
    }
  });

  it('caches files with a hash in their name permanently, and revalidates others by ETag', async () => {
    const paths = await assets();
    expect(paths.some((path) => path.startsWith('/assets/'))).toBe(true);
    for (const path of paths) {
      const file = await get(path);
      const hashed = /^\/assets\/.+-[\w-]{8}\.(?:js|css)$/.test(path);
      const caching = hashed ? 'public, max-age=31536000, immutable' : 'no-cache';
      expect([path, file.status, file.headers.get('cache-control')]).toEqual([path, 200, caching]);
      const again = await plainGet(path, { 'if-none-match': file.headers.get('etag') ?? '' });
      expect([again.status, again.body.length]).toEqual([304, 0]);
    }
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is compressed by %s for clients that accept it, with the same content', async (encoding, undo) => {
    for (const path of ['/', ...(await assets())]) {
      const plain = Buffer.from(await (await get(path)).arrayBuffer());
      const packed = await plainGet(path, { 'accept-encoding': encoding });
      expect([path, packed.headers['content-encoding']]).toEqual([path, encoding]);
      expect(packed.headers.vary).toContain('Accept-Encoding');
      expect(undo(packed.body).equals(plain)).toBe(true);
    }
  });

  it('is compressed by Brotli for browsers, which name gzip first', async () => {
    const encodingOf = async (accepted: string) =>
      (await plainGet('/sign-in', { 'accept-encoding': accepted })).headers['content-encoding'];
    expect(await encodingOf('gzip, deflate, br, zstd')).toBe('br');
    expect(await encodingOf('gzip, deflate, br;q=0')).toBe('gzip');
    expect(await encodingOf('deflate')).toBeUndefined();
  });

  it('answers HEAD as GET, without the body', async () => {
    const [got, asked] = [await get('/'), await get('/', {}, 'HEAD')];
    expect(asked.status).toBe(200);
    expect(asked.headers.get('content-length')).toBe(got.headers.get('content-length'));
    expect(await asked.text()).toBe('');
  });

  it('does not handle the paths of the API, and leaves problems to programs', async () => {
    const html = { accept: 'text/html,application/xhtml+xml' };
    const expected = [
      ['/api/nowhere', html, 401],
      ['/api/v1/iam/auth/nowhere', html, 404],
      ['/nowhere', {}, 404],
      ['/assets/nowhere.js', {}, 404],
    ] as const;
    for (const [path, headers, status] of expected) {
      const answer = await get(path, headers);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        status,
        expect.stringContaining('application/problem+json'),
      ]);
    }
    expect((await get('/healthz', html)).headers.get('content-type')).toContain('json');
    expect((await get('/errors/conflict', html)).status).toBe(200);
    expect((await get('/', {}, 'POST')).status).toBe(404);
  });

  it('shows a page for an unknown address', async () => {
    const page = await get('/nowhere', { accept: 'text/html' });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it('serves no file outside of its folder', async () => {
    for (const path of [
      '/assets/..%2f..%2fpackage.json',
      '/..%2f..%2fpackage.json',
      '/assets/%2e%2e/index.html',
    ])
      expect((await get(path)).status).toBe(404);
  });

  it('counts towards no rate limit', async () => {
    const limited = await TestApp.start({ RATE_READ: '3' }, true);
    try {
      for (let n = 0; n < 10; n += 1) expect((await fetch(`${limited.url}/`)).status).toBe(200);
      expect((await limited.get('/api/docs')).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });

  it('logs no address, which may contain a token', async () => {
    const service = await BuiltService.start({ LOG_LEVEL: 'debug' });
    try {
      expect((await fetch(`${service.url}/verify-email?token=canary`)).status).toBe(200);
      await eventually('the line is written', () => service.output.includes('"context":"Request"'));
      expect(service.output).not.toContain('canary');
    } finally {
      await service.stop();
    }
  });

  it('does not exist with PORTAL=off', async () => {
    const bare = await TestApp.start({ PORTAL: 'off' });
    try {
      for (const path of ['/', '/sign-in', '/favicon.svg'])
        expect((await bare.call('GET', path)).body).toMatchObject({ type: '/errors/not-found' });
      const paths = bare.app.get(RouteManifest).routes.map(({ path }) => path);
      expect(paths.filter((path) => path.includes('portal'))).toEqual([]);
    } finally {
      await bare.stop();
    }
  });
});

describe('The development mailbox', () => {
  const MAILBOX = '/api/v1/iam/auth/portal/mailbox';
  const OWN = { 'sec-fetch-site': 'same-origin' };

  it('shows the mails to browsers of the machine, and not through a proxy, a tunnel or another name', async () => {
    const app = await TestApp.start({ PUBLIC_URL: 'http://localhost:4000' });
    try {
      await app.register('ada@example.com');
      const ask = async (headers: Record<string, string>) =>
        (await fetch(app.url + MAILBOX, { headers })).status;
      const mails = (await (await fetch(app.url + MAILBOX, { headers: OWN })).json()) as {
        items: { source: string }[];
      };
      expect(mails.items.map(({ source }) => /^To: (.*)$/m.exec(source)?.[1])).toEqual(['ada@example.com']);
      for (const name of [
        'x-forwarded-for',
        'forwarded',
        'via',
        'x-real-ip',
        'x-forwarded-host',
        'cf-connecting-ip',
      ])
        expect([name, await ask({ ...OWN, [name]: '127.0.0.1' })]).toEqual([name, 404]);
      for (const site of ['cross-site', 'same-site', 'none'])
        expect([site, await ask({ 'sec-fetch-site': site })]).toEqual([site, 404]);
      expect(await ask({})).toBe(404);
      const { request } = await import('node:http');
      const rebound = await new Promise((resolve) => {
        request(app.url + MAILBOX, { headers: { ...OWN, host: 'evil.example' } }, ({ statusCode }) =>
          resolve(statusCode),
        ).end();
      });
      expect(rebound).toBe(404);
    } finally {
      await app.stop();
    }
  });

  it.each([
    ['a database of its own', { DATABASE_URL: 'postgres://db/x', ROOT_SECRET: 'A'.repeat(44) }],
    ['a mail server', { SMTP_URL: 'smtp://mail' }],
    ['an address that others reach', { HOST: '0.0.0.0' }],
    ['a public name', { PUBLIC_URL: 'https://id.example.com' }],
    ['a proxy before it', { TRUSTED_PROXIES: '10.0.0.0/8' }],
    ['NODE_ENV=production', { NODE_ENV: 'production', MAIL: 'folder' }],
  ])('does not exist with %s', (_what, environment) => {
    expect(hasMailbox(readSettings({}))).toBe(true);
    expect(hasMailbox(readSettings(environment))).toBe(false);
  });

  it('has no route there', async () => {
    const app = await TestApp.start({ PUBLIC_URL: 'https://id.example.com' });
    try {
      expect((await app.call('GET', MAILBOX, undefined, { headers: OWN })).status).toBe(404);
      expect(app.app.get(RouteManifest).routes.map(({ path }) => path)).not.toContain(MAILBOX);
    } finally {
      await app.stop();
    }
  });
});
