import { createHash } from 'node:crypto';
import { ExternalVisitor, withOidc } from '../../support/external.js';
import { TestApp } from '../../support/test-app.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const CALLBACK = '/api/iam/auth/external/oidc/callback';

describe('Errors for browsers', () => {
  const { lab, app } = withOidc();

  const open = (path: string, init: RequestInit = {}, service = app) =>
    fetch(`${service.url}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { accept: BROWSER, ...(init.headers as Record<string, string>) },
    });

  /** Expects a page without scripts of its own, under a policy that allows only its style. */
  const expectPage = async (answer: Response, status: number, title: string): Promise<string> => {
    const html = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(html).toContain(`<h1>${title}</h1>`);
    expect(html).not.toMatch(/ style=| on\w+=|<script>/);
    const style = /<style>([^]*)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = (answer.headers.get('content-security-policy') ?? '').split('; ');
    expect(policy).toContain(`style-src 'sha256-${hash}'`);
    for (const directive of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'none'"])
      expect(policy).toContain(directive);
    expect(policy.join()).not.toMatch(/unsafe|\*|https?:|data:/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    return html;
  };
  const expectProblem = async (answer: Response, status: number) => {
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      status,
      expect.stringContaining('application/problem+json'),
    ]);
    expect(await answer.json()).toMatchObject({ status });
  };

  it.each([
    ['without a state', CALLBACK],
    ['with a forged state', `${CALLBACK}?state=forged&code=x`],
    ['of a form that has expired', `${CALLBACK}?form=${'x'.repeat(43)}`],
  ])('shows a page at a callback %s, and a problem to programs', async (_what, path) => {
    const html = await expectPage(await open(path), 400, 'This sign-in cannot be completed');
    expect(html).toContain('Sign in again');
    await expectProblem(await open(path, { headers: { accept: '*/*' } }), 400);
    await expectProblem(await open(path, { headers: { accept: 'application/json' } }), 400);
  });

  it('shows a page for a callback that has expired', async () => {
    const { body } = await new ExternalVisitor(app, 'oidc').start();
    const { pathname, search } = lab.visit(String(body['authorizationUrl']));
    const later = Date.now() + 601_000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
    try {
      await expectPage(await open(pathname + search), 400, 'This sign-in cannot be completed');
    } finally {
      clock.mockRestore();
    }
    expect((await open(pathname + search)).status).toBe(303);
  });

  it('shows a page for a posted callback, also of a body that is refused', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    await expectPage(
      await open(CALLBACK, { method: 'POST', body: 'state=forged', headers: form }),
      400,
      'This sign-in cannot be completed',
    );
    const large = { method: 'POST', body: `state=${'x'.repeat(700_000)}`, headers: form };
    await expectPage(await open(CALLBACK, large), 413, 'Payload too large');
    await expectProblem(
      await open(CALLBACK, { ...large, headers: { ...form, accept: 'application/json' } }),
      413,
    );
  });

  it('shows a page for a provider that is not configured, or unknown', async () => {
    const path = (kind: string) => `/api/iam/auth/external/${kind}/callback?state=x`;
    const title = 'This sign-in method is not available';
    await expectPage(await open(path('google_oauth')), 404, title);
    await expectPage(await open(path('unknown')), 400, title);
    await expectPage(await open('/api/iam/auth/external/saml/metadata'), 404, title);
  });

  it('shows a page for each refused request outside of the API', async () => {
    await expectPage(await open('/nowhere'), 404, 'Page not found');
    await expectPage(await open('/nowhere', { method: 'POST' }), 404, 'Page not found');
    await expectPage(await open('/errors/nowhere'), 404, 'Page not found');
    await expectPage(await open('/errors/conflict', { method: 'DELETE' }), 404, 'Page not found');
    await expectProblem(await open('/nowhere', { headers: { accept: '*/*' } }), 404);
  });

  it('speaks the language of the browser, and English where it has no texts for people', async () => {
    const german = { headers: { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' } };
    const html = await expectPage(await open('/nowhere', german), 404, 'Seite nicht gefunden');
    expect(html).toContain('<html lang="de">');
    expect(html).toContain('Zur Startseite');
    expect(html).toContain('falsch geschrieben');
    await expectPage(await open(CALLBACK, german), 400, 'Diese Anmeldung kann nicht abgeschlossen werden');
    const large = { method: 'POST', body: `state=${'x'.repeat(700_000)}` };
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...german.headers };
    const refused = await expectPage(
      await open(CALLBACK, { ...large, headers: form }),
      413,
      'Payload too large',
    );
    expect(refused).toContain('<html lang="en">');
    expect(refused).toContain('Go home');
  });

  it('gives problems to programs that accept pages too, but prefer JSON', async () => {
    const accept = 'application/json, text/html;q=0.5';
    await expectProblem(await open('/nowhere', { headers: { accept } }), 404);
    await expectProblem(await open('/nowhere', { headers: { accept: 'text/html;q=0, */*' } }), 404);
  });

  it('gives problems on the JSON routes of the API, whatever the browser accepts', async () => {
    await expectProblem(await open('/api/v1/iam/me'), 401);
    await expectProblem(await open('/api/nowhere'), 401);
    await expectProblem(await open('/api/iam/auth/external/google_oauth/start', { method: 'POST' }), 404);
    await expectProblem(await open('/healthz', { method: 'POST' }), 404);
    await expectProblem(await open('/.well-known/jwks.json', { method: 'POST' }), 404);
  });

  it('keeps the headers of the refusal', async () => {
    const limited = await TestApp.start({ ...lab.settings, RATE_READ: '1' }, true);
    try {
      await open(CALLBACK, {}, limited);
      const answer = await open(CALLBACK, {}, limited);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.headers.get('x-ratelimit-limit')).toBe('1');
      await expectPage(answer, 429, 'Too many requests');
    } finally {
      await limited.stop();
    }
  });

  it('explains each error in the same frame', async () => {
    const answer = await open('/errors/conflict');
    const html = await expectPage(answer, 200, 'Conflict');
    await expectPage(await open('/errors/invalid-credentials'), 200, 'Invalid credentials');
    await expectPage(await open('/errors/not-a-member'), 200, 'Not a member');
    expect(html).toContain('Read the current state');
    expect(html).toContain('light dark');
  });

  it('has pages without the portal, that link to no page of it', async () => {
    const bare = await TestApp.start({ ...lab.settings, PORTAL: 'off' });
    try {
      const html = await expectPage(await open(CALLBACK, {}, bare), 400, 'This sign-in cannot be completed');
      expect(html).not.toContain('theme.js');
      expect(html).not.toContain('Go home');
    } finally {
      await bare.stop();
    }
  });
});
