import { decodeJwt, exportJWK, exportSPKI, generateKeyPair, importJWK, type CryptoKey } from 'jose';
import { AppleStandIn } from '../../lab/apple-stand-in.js';
import { Trip } from '../../support/external-trip.js';
import {
  expectAbsent,
  itRefusesForeignCallbacks,
  itSurvivesTroubleAt,
} from '../../support/external-vectors.js';
import { TestApp } from '../../support/test-app.js';

const ADA = { sub: '000123.ada', email: 'ada@example.com', email_verified: 'true' };
const OTHER = { EXTERNAL_FACEBOOK_CLIENT_ID: '1', EXTERNAL_FACEBOOK_CLIENT_SECRET: 'secret' };
const now = (): number => Math.floor(Date.now() / 1000);

describe('Sign-in by Apple', () => {
  let lab: AppleStandIn;
  let app: TestApp;
  let trip: Trip;
  /** A key that is not published. */
  let strange: CryptoKey;
  beforeAll(async () => {
    lab = await AppleStandIn.start();
    app = await TestApp.start({ ...lab.settings, ...OTHER });
    trip = new Trip(app, lab, 'apple_oauth', true);
    strange = (await generateKeyPair('RS256')).privateKey;
  });
  afterAll(async () => {
    await app.stop();
    await lab.close();
  });
  beforeEach(() => {
    lab.replies = {};
    lab.twist = {};
    lab.issuer = 'https://appleid.apple.com';
    lab.person = ADA;
    lab.requests.length = 0;
  });

  it('signs a newcomer in, with the name of the form and the address of the ID token', async () => {
    const user = JSON.stringify({ name: { firstName: ' Ada\n', lastName: 'L' }, email: 'eve@example.com' });
    const landing = await trip.signIn({ user });
    expect(landing).toMatchObject({ status: 303, returnUri: 'http://gatehouse.test' });
    expect(await trip.me(landing)).toMatchObject({
      email: 'ada@example.com',
      emailVerified: true,
      firstName: 'Ada',
    });
    const [identity] = await app.sql('SELECT kind, issuer, subject FROM external_identities');
    expect(identity).toEqual({
      kind: 'apple_oauth',
      issuer: 'https://appleid.apple.com',
      subject: '000123.ada',
    });
  });

  it("recognizes a person again, without a name in the form, and under Apple's other issuer", async () => {
    const first = await trip.me(await trip.signIn());
    await trip.expectOnlySession(async () => {
      lab.person = { ...ADA, iss: 'https://account.apple.com', email: 'new@example.com' };
      expect(await trip.me(await trip.signIn())).toMatchObject({ id: first['id'], email: 'ada@example.com' });
    });
  });

  it('asks for a form, with PKCE, state and nonce', async () => {
    const { searchParams } = await trip.start();
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: lab.clientId,
      redirect_uri: 'http://gatehouse.test/api/iam/auth/external/apple_oauth/callback',
      response_type: 'code',
      response_mode: 'form_post',
      scope: 'name email',
      state: expect.any(String),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(lab.requests).toEqual([]);
  });

  it('makes a client secret of five minutes for each request', async () => {
    await trip.signIn();
    const { iat = 0, exp = 0 } = decodeJwt(lab.clientSecrets.at(-1) ?? '');
    expect(exp - iat).toBe(300);
    expect(Math.abs(iat - now())).toBeLessThan(5);
  });

  it('is not there without its settings', async () => {
    const bare = await TestApp.start(OTHER);
    await expectAbsent(new Trip(bare, lab, 'apple_oauth', true)).finally(() => bare.stop());
  });

  it('does not start with a key that Apple would not know', async () => {
    const settings = { ...lab.settings, EXTERNAL_APPLE_PRIVATE_KEY: 'not a key' };
    await expect(TestApp.start(settings)).rejects.toThrow(/EXTERNAL_APPLE_PRIVATE_KEY: must be the private/);
  });

  it('takes no token of Apple where another issuer is configured', async () => {
    const pinned = await TestApp.start({ ...lab.settings, EXTERNAL_APPLE_ISSUER: 'https://apple.test' });
    const there = new Trip(pinned, lab, 'apple_oauth', true);
    lab.issuer = 'https://apple.test';
    expect((await there.signIn()).fragment).toHaveProperty('access_token');
    for (const iss of ['https://appleid.apple.com', 'https://account.apple.com']) {
      lab.twist = { claims: { iss } };
      await there.expectError('invalid_response');
    }
    await pinned.stop();
  });

  describe('believes an address', () => {
    it.each<[string, Record<string, unknown>, boolean]>([
      ['that is verified by the boolean', { email_verified: true }, true],
      ['that is not private by the text', { email_verified: true, is_private_email: 'false' }, true],
      ['that is not private by the boolean', { email_verified: true, is_private_email: false }, true],
      ['not without email_verified', { email_verified: undefined }, false],
      ['not, if it is unverified', { email_verified: false }, false],
      ['not, if it is unverified by a text', { email_verified: 'false' }, false],
      ['not, if it is verified by a number', { email_verified: 1 }, false],
      ['not, if it is verified by another text', { email_verified: 'TRUE' }, false],
      ['not, if it is private', { is_private_email: true }, false],
      ['not, if it is private by the text', { is_private_email: 'true' }, false],
      ['not, if it is private by who knows what', { is_private_email: 1 }, false],
      ["not, if it is the relay's", { email: 'x1@privaterelay.appleid.com' }, false],
      ["not, if it is the relay's in capitals", { email: 'X2@PrivateRelay.AppleID.com' }, false],
      ['not, if there is none', { email: undefined }, false],
      ['not, if it is no text', { email: ['ada@example.com'] }, false],
    ])('%s', async (name, changes, believed) => {
      lab.person = {
        sub: `000123.${name}`,
        email: `${name.replaceAll(/\W/g, '')}@example.com`,
        email_verified: 'true',
        ...changes,
      };
      const email = believed ? lab.person['email'] : null;
      expect(await trip.me(await trip.signIn())).toMatchObject({ email, emailVerified: believed });
    });

    it('but not as the authority for it: an account that has it is not linked', async () => {
      const { email } = await app.register();
      lab.person = { sub: '000123.other', email, email_verified: true };
      await trip.expectError('account_exists');
    });
  });

  it.each([
    ['no JSON', '{"name":'],
    ['null', 'null'],
    ['no name', '{"name":null}'],
    ['a name that is an object', '{"name":{"firstName":{"a":1}}}'],
    ['a list', '[]'],
  ])('goes without a name where the form has %s', async (name, user) => {
    lab.person = { sub: `000123.${name}` };
    expect(await trip.me(await trip.signIn({ user }))).toMatchObject({ firstName: null, email: null });
  });

  describe('refuses an ID token', () => {
    it.each<[string, () => Record<string, unknown>]>([
      ['of another issuer', () => ({ iss: 'https://evil.example' })],
      ["of an issuer that looks like Apple's", () => ({ iss: 'https://appleid.apple.com/' })],
      ['of no issuer', () => ({ iss: undefined })],
      ['for another app', () => ({ aud: 'test.other.web' })],
      ['for us and another app', () => ({ aud: ['test.gatehouse.web', 'test.other.web'] })],
      ['without an audience', () => ({ aud: undefined })],
      ['that another app has asked for', () => ({ azp: 'test.other.web' })],
      ['of another flow', () => ({ nonce: 'another' })],
      ['of no flow', () => ({ nonce: undefined })],
      ['that came with another access token', () => ({ at_hash: 'x'.repeat(22) })],
      ['that has expired', () => ({ exp: now() - 120 })],
      ['that never expires', () => ({ exp: undefined })],
      ['that expires as a text', () => ({ exp: '9999999999' })],
      ['that is old', () => ({ iat: now() - 700, exp: now() + 700 })],
      ['of no age', () => ({ iat: undefined })],
      ['of the future', () => ({ iat: now() + 300, exp: now() + 700 })],
      ['that is not valid yet', () => ({ nbf: now() + 300 })],
      ['without a subject', () => ({ sub: undefined })],
      ['of an empty subject', () => ({ sub: '' })],
      ['of a number', () => ({ sub: 123 })],
      ['of a subject that no database takes', () => ({ sub: 'a\u0000' })],
      ['of an endless subject', () => ({ sub: 'a'.repeat(256) })],
    ])('%s', async (_, claims) => {
      lab.twist = { claims: claims() };
      await trip.expectError('invalid_response');
    });

    const part = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');
    it.each<[string, (token: string) => string]>([
      ['without a signature', (token) => token.replace(/[^.]*$/, '')],
      ['of alg none', (token) => `${part({ alg: 'none' })}.${token.split('.')[1]}.`],
      ['with another payload', (token) => token.replace(/\.[^.]+\./, `.${part({ sub: 'eve' })}.`)],
      ['with a damaged signature', (token) => `${token.slice(0, -8)}AAAAAAAA`],
      ['in four parts', (token) => `${token}.AAAA`],
      ['that is none', () => 'no token'],
      ['that is empty', () => ''],
    ])('%s', async (_, token) => {
      lab.twist = { token };
      await trip.expectError('invalid_response');
    });

    it('signed by a strange key under the name of the right one', async () => {
      lab.twist = { key: strange };
      await trip.expectError('invalid_response');
    });

    it('of an unknown key, which is asked for once in a while only', async () => {
      await trip.signIn();
      lab.requests.length = 0;
      lab.twist = { key: strange, header: { kid: 'strange' } };
      await trip.expectError('invalid_response');
      await trip.expectError('invalid_response');
      const asked = lab.requests.filter(({ path }) => path === '/auth/keys');
      expect(asked.length).toBeLessThanOrEqual(1);
    });

    it('of a key that it brings along', async () => {
      const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
      const header = { jwk: await exportJWK(publicKey), jku: `${lab.url}/evil`, kid: 'evil' };
      lab.twist = { key: privateKey, header };
      await trip.expectError('invalid_response');
      expect(lab.requests.map(({ path }) => path)).not.toContain('/evil');
    });

    it('signed with the public key as a shared secret', async () => {
      const publicKey = (await importJWK(lab.publicJwk, 'RS256', { extractable: true })) as CryptoKey;
      lab.twist = { key: new TextEncoder().encode(await exportSPKI(publicKey)), header: { alg: 'HS256' } };
      await trip.expectError('invalid_response');
    });

    it('of another algorithm', async () => {
      lab.twist = { key: (await generateKeyPair('ES256')).privateKey, header: { alg: 'ES256' } };
      await trip.expectError('invalid_response');
    });

    it('with an unknown critical extension', async () => {
      lab.twist = {
        token: (token) => token.replace(/^[^.]+/, part({ alg: 'RS256', kid: 'lab', crit: ['b'], b: 1 })),
      };
      await trip.expectError('invalid_response');
    });
  });

  it.each([
    ['none', {}],
    ['one that is no text', { id_token: { sub: 'eve' } }],
    ['a list', { id_token: ['a'] }],
  ])('refuses an answer with an ID token that is %s', async (_, body) => {
    lab.replies['/auth/token'] = { body };
    await trip.expectError('invalid_response');
  });

  it("takes Apple's own word for a refusal", async () => {
    const changes = { code: null, error: 'user_cancelled_authorize' };
    await trip.expectError('access_denied', () => trip.signIn(changes));
  });

  itSurvivesTroubleAt('/auth/token', () => trip);
  itRefusesForeignCallbacks(() => trip, 'facebook_oauth');

  describe('before the keys are known', () => {
    let fresh: Trip;
    beforeAll(async () => {
      fresh = new Trip(await TestApp.start(lab.settings), lab, 'apple_oauth', true);
    });
    afterAll(() => fresh.app.stop());

    itSurvivesTroubleAt('/auth/keys', () => fresh);

    it.each([
      ['none', []],
      ['a key of another use', [{ use: 'enc' }]],
      ['a key of another algorithm', [{ alg: 'RS512' }]],
      ['two keys of one name', [{}, {}]],
    ])('refuses a key set of %s', async (_, changes) => {
      const keys = changes.map((change) => ({ ...lab.publicJwk, ...change }));
      lab.replies['/auth/keys'] = { body: { keys } };
      const another = await TestApp.start(lab.settings);
      const there = new Trip(another, lab, 'apple_oauth', true);
      await there.expectError('invalid_response').finally(() => another.stop());
    });
  });
});
