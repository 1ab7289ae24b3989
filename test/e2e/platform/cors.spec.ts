import { TestApp } from '../../support/test-app.js';

const ask = async (app: TestApp, origin: string) =>
  (await app.call('OPTIONS', '/api/v1/iam/auth/login', undefined, { headers: { origin } })).headers.get(
    'access-control-allow-origin',
  );

describe('Browsers of other origins', () => {
  it('are let in from the app and, in development, from any port of the same machine', async () => {
    const app = await TestApp.start({ APP_URL: 'https://app.example.com' });
    try {
      expect(await ask(app, 'https://app.example.com')).toBe('https://app.example.com');
      expect(await ask(app, 'http://localhost:5173')).toBe('http://localhost:5173');
      expect(await ask(app, 'http://[::1]:5173')).toBe('http://[::1]:5173');
      for (const foreign of [
        'https://evil.example',
        'https://app.example.com.evil.example',
        'http://localhost.evil.example',
        'null',
      ])
        expect(await ask(app, foreign)).toBeNull();
    } finally {
      await app.stop();
    }
  });

  it('send no cookies but where one may bind a sign-in to its browser', async () => {
    const app = await TestApp.start({
      APP_URL: 'https://app.example.com',
      EXTERNAL_FACEBOOK_CLIENT_ID: '1',
      EXTERNAL_FACEBOOK_CLIENT_SECRET: 'secret',
    });
    const credentials = async (method: string, path: string) => {
      const headers = { origin: 'https://app.example.com' };
      const ours = await app.call(method, path, undefined, { headers });
      expect(ours.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
      expect(ours.headers.get('vary')).toContain('Origin');
      const foreign = await app.call(method, path, undefined, {
        headers: { origin: 'https://evil.example' },
      });
      expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
      return ours.headers.get('access-control-allow-credentials');
    };
    for (const method of ['OPTIONS', 'POST']) {
      for (const path of [
        '/api/iam/auth/external/facebook_oauth/start',
        '/api/v1/iam/me/identities/facebook_oauth/link',
        '/api/v1/iam/setup/connection/tests',
        '/api/v1/iam/tenants/01K3V9D7Q8Z4X5N6M7P8R9S0T3/connections/01K3V9D7Q8Z4X5N6M7P8R9S0T3/tests',
      ])
        expect(await credentials(method, path)).toBe('true');
      for (const path of [
        '/api/v1/iam/auth/login',
        '/api/v1/iam/auth/refresh',
        '/api/v1/iam/auth/portal/session',
        '/api/v1/iam/auth/external/token',
      ])
        expect(await credentials(method, path)).toBeNull();
    }
    await app.stop();
  });

  it('reach the endpoints of OAuth from every origin, without cookies', async () => {
    const app = await TestApp.start({ ALLOWED_ORIGINS: 'https://shop.example' });
    const headers = { origin: 'https://spa.example' };
    const ask = async (method: string, path: string) => {
      const answer = await app.call(method, path, undefined, { headers });
      return ['origin', 'credentials'].map((name) => answer.headers.get(`access-control-allow-${name}`));
    };
    try {
      for (const [method, path] of [
        ['GET', '/.well-known/openid-configuration'],
        ['GET', '/.well-known/oauth-authorization-server'],
        ['GET', '/.well-known/oauth-protected-resource'],
        ['GET', '/.well-known/jwks.json'],
        ['OPTIONS', '/oauth2/par'],
        ['OPTIONS', '/oauth2/device_authorization'],
        ['OPTIONS', '/oauth2/token'],
        ['OPTIONS', '/oauth2/revoke'],
        ['OPTIONS', '/oauth2/userinfo'],
      ] as const)
        expect([path, ...(await ask(method, path))]).toEqual([path, '*', null]);
      for (const [method, path] of [
        ['OPTIONS', '/oauth2/introspect'],
        ['OPTIONS', '/oauth2/authorize'],
        ['OPTIONS', '/oauth2/logout'],
        ['OPTIONS', '/api/v1/iam/auth/refresh'],
        ['GET', '/readyz'],
      ] as const)
        expect([path, ...(await ask(method, path))]).toEqual([path, null, null]);
    } finally {
      await app.stop();
    }
  });

  it('are let in from the configured origins alone once these are set', async () => {
    const app = await TestApp.start({ ALLOWED_ORIGINS: 'https://shop.example, https://depot.example' });
    try {
      expect(await ask(app, 'https://depot.example')).toBe('https://depot.example');
      expect(await ask(app, 'http://localhost:5173')).toBeNull();
    } finally {
      await app.stop();
    }
  });
});
