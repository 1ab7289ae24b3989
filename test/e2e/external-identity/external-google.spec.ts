import { GoogleStandIn } from '../../lab/google-stand-in.js';
import { Trip } from '../../support/external-trip.js';
import {
  expectAbsent,
  itRefusesForeignCallbacks,
  itSurvivesTroubleAt,
} from '../../support/external-vectors.js';
import { TestApp } from '../../support/test-app.js';

const ADA = { sub: '1001', email: 'ada@gmail.com', email_verified: true, given_name: 'Ada' };
const OTHER = { EXTERNAL_FACEBOOK_CLIENT_ID: '1', EXTERNAL_FACEBOOK_CLIENT_SECRET: 'secret' };

describe('Sign-in by Google', () => {
  let lab: GoogleStandIn;
  let app: TestApp;
  let trip: Trip;
  beforeAll(async () => {
    lab = await new GoogleStandIn().listen();
    app = await TestApp.start({ ...lab.settings, ...OTHER });
    trip = new Trip(app, lab, 'google_oauth');
  });
  afterAll(async () => {
    await app.stop();
    await lab.close();
  });
  beforeEach(() => {
    lab.replies = {};
    lab.person = ADA;
    lab.requests.length = 0;
  });

  it('signs a newcomer in', async () => {
    const landing = await trip.signIn();
    expect(landing).toMatchObject({ status: 303, returnUri: 'http://gatehouse.test' });
    expect(await trip.me(landing)).toMatchObject({
      email: 'ada@gmail.com',
      emailVerified: true,
      firstName: 'Ada',
    });
    const [identity] = await app.sql('SELECT kind, issuer, subject FROM external_identities');
    expect(identity).toEqual({
      kind: 'google_oauth',
      issuer: 'https://accounts.google.com',
      subject: '1001',
    });
  });

  it('recognizes a person again after a change of name and address', async () => {
    const first = await trip.me(await trip.signIn());
    lab.person = { sub: '1001', email: 'new@gmail.com', email_verified: true };
    await trip.expectOnlySession(async () => {
      expect(await trip.me(await trip.signIn())).toMatchObject({ id: first['id'], email: 'ada@gmail.com' });
    });
  });

  it('keeps people apart who sign in at once', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const landings = await Promise.all(
      names.map(async (name) => {
        const { href } = await trip.start();
        lab.person = { sub: `200${name}`, email: `${name}@gmail.com`, email_verified: true };
        return trip.send(Object.entries(lab.consent(href)));
      }),
    );
    const people = await Promise.all(landings.map((landing) => trip.me(landing)));
    expect(people.map(({ email }) => email)).toEqual(names.map((name) => `${name}@gmail.com`));
  });

  it('asks with PKCE and state, for an address and a name', async () => {
    const { searchParams } = await trip.start();
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: lab.clientId,
      redirect_uri: 'http://gatehouse.test/api/iam/auth/external/google_oauth/callback',
      response_type: 'code',
      scope: 'openid email profile',
      access_type: 'offline',
      state: expect.any(String),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(lab.requests).toEqual([]);
  });

  it("goes to Google's own endpoint where no other is configured", async () => {
    const { EXTERNAL_GOOGLE_CLIENT_ID = '', EXTERNAL_GOOGLE_CLIENT_SECRET = '' } = lab.settings;
    const real = await TestApp.start({ EXTERNAL_GOOGLE_CLIENT_ID, EXTERNAL_GOOGLE_CLIENT_SECRET });
    const { origin, pathname } = await new Trip(real, lab, 'google_oauth').start();
    await real.stop();
    expect(origin + pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth');
  });

  it('keeps secrets and tokens out of addresses', async () => {
    await trip.signIn();
    expect(lab.requests.map(({ path, query }) => [path, ...query.keys()])).toEqual([
      ['/token'],
      ['/v3/userinfo'],
    ]);
  });

  it('is not there without its settings', async () => {
    const bare = await TestApp.start(OTHER);
    await expectAbsent(new Trip(bare, lab, 'google_oauth')).finally(() => bare.stop());
  });

  describe('takes Google for', () => {
    let number = 0;
    /** An address that has an account, and what Google says of it. */
    const meet = async (domain: string, said: Record<string, unknown>): Promise<string> => {
      number += 1;
      const { email } = await app.register(`p${number}@${domain}`);
      lab.person = { sub: `3${number}`, email, email_verified: true, ...said };
      return email;
    };

    it.each<[string, string, Record<string, unknown>]>([
      ['its own addresses', 'gmail.com', {}],
      ['its own, however they are written', 'gmail.com', { email: 'P2@GMail.com' }],
      ['those of its customers', 'hosted.example', { hd: 'hosted.example' }],
      ['those of its customers, however they are written', 'hosted2.example', { hd: 'Hosted2.Example' }],
    ])('the authority for %s: linked', async (_, domain, said) => {
      const email = await meet(domain, said);
      expect(await trip.me(await trip.signIn())).toMatchObject({ email });
    });

    it.each<[string, string, Record<string, unknown>]>([
      ['other domains', 'other.example', {}],
      ["a customer's people with an address of another domain", 'other2.example', { hd: 'hosted.example' }],
      ['those of a subdomain', 'sub.hosted.example', { hd: 'hosted.example' }],
      ['those of a domain that ends alike', 'nothosted.example', { hd: 'hosted.example' }],
      ['those that end alike to its own', 'notgmail.com', {}],
      ['a domain by a list', 'list.example', { hd: ['list.example'] }],
      ['an empty domain', 'empty.example', { hd: '' }],
    ])('no authority for %s: not linked', async (_, domain, said) => {
      await meet(domain, said);
      await trip.expectError('account_exists');
    });

    it('a proof of an address of another domain: a new account gets it', async () => {
      lab.person = { sub: '41', email: 'bob@newcomer.example', email_verified: true };
      const me = await trip.me(await trip.signIn());
      expect(me).toMatchObject({ email: 'bob@newcomer.example', emailVerified: true });
    });

    it.each<[string, Record<string, unknown>]>([
      ['that is unverified', { email_verified: false }],
      ['without email_verified', { email_verified: undefined }],
      ['with email_verified as another text', { email_verified: 'TRUE' }],
      ['that is unverified by a text', { email_verified: 'false' }],
      ['with email_verified as a number', { email_verified: 1 }],
      ['that is not a string', { email: ['x@gmail.com'] }],
      ['that is missing', { email: undefined }],
    ])('no proof of an address %s', async (_, said) => {
      await meet('gmail.com', { hd: 'gmail.com', ...said });
      expect(await trip.me(await trip.signIn())).toMatchObject({ email: null, emailVerified: false });
    });
  });

  it.each<[string, string, unknown]>([
    ['a token that is not a string', '/token', { access_token: { $ne: 1 } }],
    ['a token that would break a header', '/token', { access_token: 'a\r\nx: y' }],
    ['an empty token', '/token', { access_token: '' }],
    ['an unknown token', '/token', { access_token: 'foreign', token_type: 'Bearer' }],
    ['an ID token alone', '/token', { id_token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMDAxIn0.' }],
    ['a form in place of JSON', '/token', 'access_token=abc&token_type=Bearer'],
    ['a profile without a subject', '/v3/userinfo', { email: 'ada@gmail.com', email_verified: true }],
    ['a number', '/v3/userinfo', { sub: 1001 }],
    ['an empty subject', '/v3/userinfo', { sub: '' }],
    ['a subject with a NUL', '/v3/userinfo', { sub: '1001\u0000' }],
    ['a subject of 256 characters', '/v3/userinfo', { sub: '1'.repeat(256) }],
    ['an id of the former API', '/v3/userinfo', { id: '1001', emails: [null] }],
  ])('refuses %s', async (_, path, body) => {
    lab.replies[path] = { body };
    await trip.expectError('invalid_response');
  });

  it.each(['error', 'error_description'])("does not pass Google's own %s on", async (name) => {
    const body = { error: { message: '<b>' }, error_description: '<b>', [name]: '<b>' };
    lab.replies['/v3/userinfo'] = { status: 403, body };
    await trip.expectError('invalid_response');
  });

  it('refuses a profile that its strategy trips over', async () => {
    const settings = { ...lab.settings, EXTERNAL_GOOGLE_USERINFO_URL: `${lab.url}/plus/v1/people/me` };
    const old = await TestApp.start(settings);
    lab.replies['/plus/v1/people/me'] = { body: { id: '1', emails: [null] } };
    const there = new Trip(old, lab, 'google_oauth');
    await there.expectError('invalid_response').finally(() => old.stop());
  });

  for (const path of ['/token', '/v3/userinfo']) itSurvivesTroubleAt(path, () => trip);
  itRefusesForeignCallbacks(() => trip, 'facebook_oauth');
});
