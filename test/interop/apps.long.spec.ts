import { freePort } from '../support/built-service.js';
import { describeWith } from '../support/tools.js';
import { AppOfOthers, Provider, type Registration } from './harness.js';

const NEEDED = [
  'go',
  '/usr/share/gocode/src/github.com/coreos/go-oidc',
  '/usr/lib/python3/dist-packages/authlib',
  '/usr/lib/python3/dist-packages/flask',
  '/usr/lib/python3/dist-packages/flask_dance',
  '/usr/lib/python3/dist-packages/social_core',
  '/usr/share/perl5/LWP/Authen/OAuth2.pm',
  '/usr/share/perl5/Mojo/JWT.pm',
  '/usr/share/perl5/Mojolicious/Plugin/OAuth2.pm',
  '/usr/share/rubygems-integration/all/specifications/oauth2-1.4.4.gemspec',
  '/usr/share/rubygems-integration/all/specifications/openid_connect-1.2.0.gemspec',
];

/** An app that was made as the documents of its library say (docs/apps/README.md). */
interface Case {
  readonly file: string;
  readonly registration?: Registration;
  /** What it shows of the person: by default all three. */
  readonly shows?: readonly ('sub' | 'name' | 'email')[];
  readonly refreshes?: true;
  /** Whether its logout ends the session here, and returns. */
  readonly signsOut?: true;
}

const WITHOUT_PKCE = { requirePkce: false };
const NAMES = ['name', 'email'] as const;

const CASES: readonly Case[] = [
  { file: 'auth-express.mjs', registration: { redirectUris: ['/auth/callback/gatehouse'] }, shows: NAMES },
  { file: 'arctic.mjs', refreshes: true },
  { file: 'badgateway.mjs', refreshes: true },
  {
    file: 'better-auth.mjs',
    registration: { redirectUris: ['/api/auth/callback/gatehouse'] },
    shows: NAMES,
  },
  { file: 'client-oauth2.mjs', registration: WITHOUT_PKCE, refreshes: true },
  {
    file: 'express-openid-connect.mjs',
    registration: { postLogoutRedirectUris: [''] },
    refreshes: true,
    signsOut: true,
  },
  { file: 'express-openid-connect-form-post.mjs' },
  { file: 'fastify-oauth2.mjs', refreshes: true },
  { file: 'grant.mjs', registration: { redirectUris: ['/connect/gatehouse/callback'] } },
  { file: 'hono-oidc-auth.mjs', shows: ['sub', 'email'] },
  { file: 'msal-node.mjs', refreshes: true },
  {
    file: 'next-auth.mjs',
    registration: { redirectUris: ['/api/auth/callback/gatehouse'] },
    shows: NAMES,
  },
  { file: 'openid-client.mjs', refreshes: true, signsOut: true },
  { file: 'openid-client-5.mjs', refreshes: true, signsOut: true },
  { file: 'openid-client-passport.mjs', refreshes: true, signsOut: true },
  { file: 'oauth4webapi.mjs', refreshes: true },
  { file: 'remix-auth.mjs', refreshes: true },
  { file: 'hapi-bell.mjs' },
  {
    file: 'node-red.mjs',
    registration: { ...WITHOUT_PKCE, redirectUris: ['/red/auth/strategy/callback'] },
    shows: ['sub'],
  },
  { file: 'authlib-flask.py', refreshes: true },
  {
    file: 'flask-dance.py',
    registration: { ...WITHOUT_PKCE, redirectUris: ['/gatehouse/authorized'] },
  },
  { file: 'social-auth.py', registration: WITHOUT_PKCE },
  {
    file: 'mojolicious.pl',
    registration: { ...WITHOUT_PKCE, redirectUris: ['/login'] },
    refreshes: true,
    signsOut: true,
  },
  { file: 'lwp-authen-oauth2.pl', registration: WITHOUT_PKCE, refreshes: true },
  { file: 'openid-connect.rb' },
  { file: 'ruby-oauth2.rb', refreshes: true },
  { file: 'go-oidc.go', refreshes: true },
  { file: 'passport-oauth2.mjs', registration: WITHOUT_PKCE },
  { file: 'passport-openidconnect.mjs', registration: WITHOUT_PKCE },
  { file: 'simple-oauth2.mjs', registration: WITHOUT_PKCE, refreshes: true },
];

describeWith(NEEDED, 'Apps with libraries of other authors', () => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await Provider.start();
  });
  afterAll(() => provider?.stop());

  describe.each(CASES)('$file', ({ file, registration = {}, shows = ['sub', 'name', 'email'], ...does }) => {
    let app: AppOfOthers;
    beforeAll(async () => {
      app = await provider.startApp(file, registration);
    });
    afterAll(() => app?.stop());

    it('signs a person in, and knows who it is', async () => {
      await app.open('/login');
      const { id: sub, email } = provider.ada;
      const all = { sub, name: 'Ada', email };
      const wanted = Object.fromEntries(shows.map((claim) => [claim, all[claim]]));
      expect(await app.read('/me')).toMatchObject(wanted);
    });

    if (does.refreshes)
      it('renews its tokens', async () => {
        expect(await app.read('/refresh')).toEqual({ refreshed: true });
      });

    if (does.signsOut)
      it('ends the session, and returns', async () => {
        const before = await provider.app.get('/api/v1/iam/me', provider.ada.token);
        expect(before.status).toBe(200);
        expect(await app.read('/logout')).toEqual({ page: 'home' });
        expect((await provider.app.get('/api/v1/iam/me', provider.ada.token)).status).toBe(401);
        await provider.signInAgain();
      });
  });

  it('mongodb-oidc-plugin.mjs gets a token for the API by the browser, and another one', async () => {
    const port = await freePort();
    const site = `http://localhost:${port}`;
    const { clientId } = await provider.register(site, { type: 'public', redirectUris: ['/redirect'] });
    const output = await provider.run('mongodb-oidc-plugin.mjs', { CLIENT_ID: clientId, PORT: String(port) });
    const { issuer, ada } = provider;
    expect(JSON.parse(output)).toEqual({ iss: issuer, aud: issuer, sub: ada.id, refreshed: true });
  });
});
