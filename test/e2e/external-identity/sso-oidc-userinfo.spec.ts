import type { Twist } from '../../lab/oidc-stand-in.js';
import { withOidc } from '../../support/external.js';

/** As most providers do with claims that a scope asks for (OpenID Connect Core 5.4). */
const BARE = { email: undefined, email_verified: undefined, given_name: undefined };

describe('A provider whose ID token contains no claims but the subject', () => {
  const { lab, app, visitor } = withOidc({ EXTERNAL_OIDC_DOMAINS: 'example.com' });
  beforeEach(() => {
    lab.twist = { claims: BARE };
  });

  const signIn = async () => {
    const { body } = await visitor.start();
    return (await visitor.open(lab.visit(String(body['authorizationUrl'])))).fragment;
  };
  const me = async (token: string | undefined) => (await app.get('/api/v1/iam/me', token)).body;

  it('is asked for the rest', async () => {
    lab.person = { sub: 'asked', email: 'asked@example.com', email_verified: true, given_name: 'Ada' };
    expect(await me((await signIn())['access_token'])).toMatchObject({
      email: 'asked@example.com',
      emailVerified: true,
      firstName: 'Ada',
    });
  });

  it('is asked nothing where the ID token has the address', async () => {
    lab.twist = {};
    lab.person = { sub: 'told', email: 'told@example.com', email_verified: true };
    const before = lab.requests.length;
    expect(await signIn()).toHaveProperty('access_token');
    expect(lab.requests.slice(before)).not.toContain('/userinfo');
  });

  const saying = (body: unknown, status = 200): Twist => ({ claims: BARE, userInfo: { status, body } });
  it.each<[string, Twist]>([
    ['of another person (OIDC-6)', saying({ sub: 'victim', email: 'v@example.com', email_verified: true })],
    ['without a subject', saying({ email: 'v@example.com', email_verified: true })],
    ['a list', saying([])],
    ['no JSON', saying('<html>')],
    ['401', saying({}, 401)],
  ])('is not believed when its userinfo answers %s', async (_what, twist) => {
    lab.person = { sub: 'told' };
    lab.twist = twist;
    expect(await signIn()).toMatchObject({ error: 'invalid_response' });
  });

  it.each<[string, Twist]>([
    ['500', saying({ error: 'server_error' }, 500)],
    ['503 in HTML', saying('<html>', 503)],
  ])('is not available when its userinfo answers %s', async (_what, twist) => {
    lab.person = { sub: 'told' };
    lab.twist = twist;
    expect(await signIn()).toMatchObject({ error: 'provider_unavailable' });
  });

  it('proves no address but by true beside it', async () => {
    lab.person = { sub: 'unproven' };
    lab.twist = saying({ sub: 'unproven', email: 'boss@example.com', email_verified: 'yes' });
    expect(await me((await signIn())['access_token'])).toMatchObject({ email: null });
  });

  it.each<[string, object, object]>([
    ['an address of the ID token by its userinfo', { email: 'boss@example.com' }, { email_verified: true }],
    ['an address of its userinfo by the ID token', { email_verified: true }, { email: 'boss@example.com' }],
  ])('does not prove %s', async (_what, claims, userInfo) => {
    lab.person = { sub: 'mixed' };
    lab.twist = { ...saying({ sub: 'mixed', ...userInfo }), claims: { ...claims } };
    expect(await me((await signIn())['access_token'])).toMatchObject({ email: null });
  });
});
