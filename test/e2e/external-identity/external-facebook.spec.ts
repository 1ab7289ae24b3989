import { FacebookStandIn } from '../../lab/facebook-stand-in.js';
import { OidcStandIn } from '../../lab/oidc-stand-in.js';
import { Trip } from '../../support/external-trip.js';
import {
  expectAbsent,
  itRefusesForeignCallbacks,
  itSurvivesTroubleAt,
} from '../../support/external-vectors.js';
import { TestApp } from '../../support/test-app.js';

describe('Sign-in by Facebook', () => {
  let lab: FacebookStandIn;
  let other: OidcStandIn;
  let app: TestApp;
  let trip: Trip;
  beforeAll(async () => {
    lab = await new FacebookStandIn().listen();
    other = await OidcStandIn.start();
    app = await TestApp.start({ ...lab.settings, ...other.settings });
    trip = new Trip(app, lab, 'facebook_oauth');
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([lab.close(), other.close()]);
  });
  beforeEach(() => {
    lab.replies = {};
    lab.inspection = {};
    lab.person = { id: '77001', first_name: 'Ada', email: 'ada@example.com' };
    lab.requests.length = 0;
  });

  it('signs a newcomer in, whose address it does not believe', async () => {
    const landing = await trip.signIn();
    expect(landing).toMatchObject({ status: 303, returnUri: 'http://gatehouse.test' });
    expect(await trip.me(landing)).toMatchObject({ email: null, emailVerified: false, firstName: 'Ada' });
    const [identity] = await app.sql('SELECT kind, issuer, subject FROM external_identities');
    expect(identity).toEqual({ kind: 'facebook_oauth', issuer: lab.clientId, subject: '77001' });
  });

  it('recognizes a person again after a change of name and address', async () => {
    const first = await trip.me(await trip.signIn());
    lab.person = { id: '77001' };
    await trip.expectOnlySession(async () => {
      expect(await trip.me(await trip.signIn())).toMatchObject({ id: first['id'], firstName: 'Ada' });
    });
  });

  it('never links: an address that has an account gives another account without one', async () => {
    const { email } = await app.register();
    lab.person = { id: '77002', email };
    expect(await trip.me(await trip.signIn())).toMatchObject({ email: null, firstName: null });
  });

  it('asks with PKCE and state, and for name and address', async () => {
    const { searchParams } = await trip.start();
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: lab.clientId,
      redirect_uri: 'http://gatehouse.test/api/iam/auth/external/facebook_oauth/callback',
      response_type: 'code',
      scope: 'public_profile,email',
      state: expect.any(String),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(lab.requests).toEqual([]);
  });

  it('keeps secrets out of addresses as far as Facebook allows', async () => {
    await trip.signIn();
    expect(lab.requests.map(({ path, query }) => [path, ...query.keys()])).toEqual([
      ['/oauth/access_token'],
      ['/debug_token', 'input_token', 'appsecret_proof'],
      ['/me', 'fields', 'appsecret_proof'],
    ]);
  });

  it('is not there without its settings', async () => {
    const bare = await TestApp.start();
    await expectAbsent(new Trip(bare, lab, 'facebook_oauth')).finally(() => bare.stop());
  });

  it.each<[string, Record<string, unknown>]>([
    ['of another app', { app_id: '999' }],
    ['of our app by a number', { app_id: 1234567890 }],
    ['of no app', { app_id: undefined }],
    ['that is not valid any more', { is_valid: false }],
    ['that is valid by a text', { is_valid: 'true' }],
    ['without is_valid', { is_valid: undefined }],
    ['of another person', { user_id: '666' }],
    ['without a person', { user_id: undefined }],
    ['of an empty id', { user_id: '' }],
    ['of an id that no database takes', { user_id: '77001\u0000' }],
  ])('refuses a token %s', async (_, inspection) => {
    lab.inspection = inspection;
    await trip.expectError('invalid_response');
  });

  it.each<[string, string, Record<string, unknown>]>([
    ['an inspection without data', '/debug_token', { data: null }],
    ['an inspection with a list', '/debug_token', { data: [{ is_valid: true }] }],
    ['a token that is no text', '/oauth/access_token', { access_token: { $ne: 1 } }],
    ['a token that would break a header', '/oauth/access_token', { access_token: 'a\r\nx: y' }],
    ['a profile of another person', '/me', { id: '666', email: 'ada@example.com' }],
    ['a profile with a number for an id', '/me', { id: 77001 }],
    ['a profile without an id', '/me', { email: 'ada@example.com' }],
  ])('refuses %s', async (_, path, body) => {
    lab.replies[path] = { body };
    await trip.expectError('invalid_response');
  });

  for (const path of ['/oauth/access_token', '/debug_token', '/me']) itSurvivesTroubleAt(path, () => trip);
  itRefusesForeignCallbacks(() => trip, 'oidc');
});
