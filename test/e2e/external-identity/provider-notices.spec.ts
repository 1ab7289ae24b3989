import { createHmac } from 'node:crypto';
import { type CryptoKey, generateKeyPair } from 'jose';
import { AppleStandIn } from '../../lab/apple-stand-in.js';
import { FacebookStandIn } from '../../lab/facebook-stand-in.js';
import { GoogleStandIn } from '../../lab/google-stand-in.js';
import { Trip } from '../../support/external-trip.js';
import { type Answer, eventually, TestApp } from '../../support/test-app.js';

const EXTERNAL = '/api/iam/auth/external';
const WITHDRAWN = `${EXTERNAL}/facebook_oauth/deauthorize`;
const DELETED = `${EXTERNAL}/facebook_oauth/data-deletion`;
const now = (): number => Math.floor(Date.now() / 1_000);
let count = 0;
const newSubject = (): string => `person-${(count += 1)}`;

interface SignedIn {
  readonly id: string;
  readonly token: string;
  readonly subject: string;
}

describe('Notices of providers', () => {
  let apple: AppleStandIn;
  let facebook: FacebookStandIn;
  let google: GoogleStandIn;
  let app: TestApp;
  let trips: Record<'apple' | 'facebook' | 'google', Trip>;
  /** A key that Apple does not publish. */
  let strange: CryptoKey;
  beforeAll(async () => {
    apple = await AppleStandIn.start();
    [facebook, google] = [await new FacebookStandIn().listen(), await new GoogleStandIn().listen()];
    app = await TestApp.start({ ...apple.settings, ...facebook.settings, ...google.settings });
    trips = {
      apple: new Trip(app, apple, 'apple_oauth', true),
      facebook: new Trip(app, facebook, 'facebook_oauth'),
      google: new Trip(app, google, 'google_oauth'),
    };
    strange = (await generateKeyPair('RS256')).privateKey;
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([apple, facebook, google].map((lab) => lab.close()));
  });
  afterEach(() => {
    [apple.further, google.further, google.replies] = [{}, {}, {}];
  });

  const signIn = async (by: keyof typeof trips, person: object = {}): Promise<SignedIn> => {
    const subject = newSubject();
    const lab = { apple, facebook, google }[by];
    lab.person = { sub: subject, id: subject, ...person };
    const landing = await trips[by].signIn();
    const { id } = await trips[by].me(landing);
    return { id: String(id), token: String(landing.fragment['access_token']), subject };
  };
  const sign = (payload: object, secret = facebook.clientSecret) => {
    const body = Buffer.from(JSON.stringify(payload)).toString('base64url');
    return `${createHmac('sha256', secret).update(body).digest('base64url')}.${body}`;
  };
  const saidOf = (subject: string) => ({
    algorithm: 'HMAC-SHA256',
    issued_at: now(),
    user_id: subject,
  });
  const tell = async (
    path: string,
    signed: string,
  ): Promise<{ status: number; body: Record<string, string> }> => {
    const body = new URLSearchParams({ signed_request: signed });
    const response = await fetch(`${app.url}${path}`, { method: 'POST', body });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, string>) };
  };
  const notify = (payload: string): Promise<Answer> =>
    app.call('POST', `${EXTERNAL}/apple_oauth/notifications`, { payload });
  const isSignedIn = async ({ token }: SignedIn) => (await app.get('/api/v1/iam/me', token)).status === 200;
  const identitiesOf = ({ id }: SignedIn) =>
    app.sql('SELECT 1 FROM external_identities WHERE account_id = $1', [id]);
  const isErased = async ({ id }: SignedIn) =>
    (await app.sql('SELECT 1 FROM accounts WHERE id = $1 AND erased_at IS NULL', [id])).length === 0;
  const givePassword = ({ id }: SignedIn) =>
    app.sql("UPDATE accounts SET password_hash = '-' WHERE id = $1", [id]);
  describe('of Facebook', () => {
    it('sign the person out, and unlink an identity that is not the only sign-in method', async () => {
      const [alone, other] = [await signIn('facebook'), await signIn('facebook')];
      await givePassword(other);
      for (const one of [alone, other]) {
        expect((await tell(WITHDRAWN, sign(saidOf(one.subject)))).status).toBe(200);
        expect([await isSignedIn(one), await isErased(one)]).toEqual([false, false]);
      }
      expect([await identitiesOf(alone), await identitiesOf(other)]).toMatchObject([
        { length: 1 },
        { length: 0 },
      ]);
    });

    it('delete the identity, and the account that has nothing else, with a code that says so', async () => {
      const [alone, other] = [await signIn('facebook'), await signIn('facebook')];
      await givePassword(other);
      for (const one of [alone, other]) {
        const { status, body } = await tell(DELETED, sign(saidOf(one.subject)));
        expect([status, body]).toEqual([
          200,
          {
            confirmation_code: expect.stringMatching(/^[0-9a-f]{48}$/),
            url: `http://gatehouse.test${DELETED}/${String(body['confirmation_code'])}`,
          },
        ]);
        const state = await app.get(`${DELETED}/${String(body['confirmation_code'])}`);
        expect(state).toMatchObject({ status: 200, body: { status: 'completed' } });
        expect(Math.abs(Date.parse(String(state.body['completedAt'])) - Date.now())).toBeLessThan(60_000);
      }
      expect([await isErased(alone), await isErased(other)]).toEqual([true, false]);
      expect([await identitiesOf(alone), await identitiesOf(other)]).toEqual([[], []]);
    });

    it('answer alike for a person who is unknown here', async () => {
      const { status, body } = await tell(DELETED, sign(saidOf('stranger')));
      expect([status, Object.keys(body).toSorted()]).toEqual([200, ['confirmation_code', 'url']]);
    });

    it('have codes that cannot be made up', async () => {
      const { body } = await tell(DELETED, sign(saidOf('stranger')));
      const code = String(body['confirmation_code']);
      const flipped = code.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      const earlier = `00000000${code.slice(8)}`;
      for (const wrong of [flipped, earlier, '0'.repeat(48), code.slice(1), `${code}0`, 'x'])
        expect((await app.get(`${DELETED}/${wrong}`)).status).toBe(404);
    });

    it.each<[string, (subject: string) => string]>([
      ['is signed with another secret', (subject) => sign(saidOf(subject), 'of another app')],
      ['is signed with an empty secret', (subject) => sign(saidOf(subject), '')],
      ['has no signature', (subject) => `.${sign(saidOf(subject)).split('.')[1]}`],
      [
        'has the signature of another payload',
        (subject) => `${sign(saidOf('x')).split('.')[0]}.${sign(saidOf(subject)).split('.')[1]}`,
      ],
      ['has a third part', (subject) => `${sign(saidOf(subject))}.x`],
      ['names another algorithm', (subject) => sign({ ...saidOf(subject), algorithm: 'none' })],
      ['names no algorithm', (subject) => sign({ ...saidOf(subject), algorithm: undefined })],
      ['is two days old', (subject) => sign({ ...saidOf(subject), issued_at: now() - 172_800 })],
      ['is of the future', (subject) => sign({ ...saidOf(subject), issued_at: now() + 3_600 })],
      ['has no time', (subject) => sign({ ...saidOf(subject), issued_at: undefined })],
      ['has its time as text', (subject) => sign({ ...saidOf(subject), issued_at: String(now()) })],
      ['names no person', (subject) => sign({ ...saidOf(subject), user_id: undefined })],
      ['names the person in an object', (subject) => sign({ ...saidOf(subject), user_id: { subject } })],
      ['is of a sign-in, which browsers get', (subject) => sign({ ...saidOf(subject), code: 'x' })],
      ['is of a page, with a token', (subject) => sign({ ...saidOf(subject), oauth_token: 'x' })],
      ['is no JSON', () => sign('text' as unknown as object)],
      ['is empty', () => ''],
    ])('are refused if one %s', async (_, forge) => {
      const ada = await signIn('facebook');
      for (const path of [WITHDRAWN, DELETED])
        expect(await tell(path, forge(ada.subject))).toMatchObject({
          status: 400,
          body: { violations: [{ propertyPath: 'signed_request' }] },
        });
      expect([await isSignedIn(ada), (await identitiesOf(ada)).length]).toEqual([true, 1]);
    });

    it('of before a new consent say nothing about it', async () => {
      const ada = await signIn('facebook');
      const old = sign({ ...saidOf(ada.subject), issued_at: now() - 600 });
      expect((await tell(DELETED, old)).status).toBe(200);
      expect(await isSignedIn(ada)).toBe(true);
    });

    it('count once', async () => {
      const ada = await signIn('facebook');
      const signed = sign(saidOf(ada.subject));
      expect((await tell(WITHDRAWN, signed)).status).toBe(200);
      expect(await isSignedIn(ada)).toBe(false);
      facebook.person = { sub: ada.subject, id: ada.subject };
      const again = { ...ada, token: String((await trips.facebook.signIn()).fragment['access_token']) };
      expect((await tell(WITHDRAWN, signed)).status).toBe(200);
      expect(await isSignedIn(again)).toBe(true);
    });
  });

  describe('of Apple', () => {
    const eventOf = (type: string, { subject: sub }: SignedIn) => ({ type, sub, event_time: Date.now() });

    it('sign the person out, and unlink or erase as those of Facebook', async () => {
      const people = [await signIn('apple'), await signIn('apple'), await signIn('apple')] as const;
      const [alone, other, gone] = people;
      await givePassword(other);
      for (const [one, type] of [
        [alone, 'consent-revoked'],
        [other, 'consent-revoked'],
        [gone, 'account-delete'],
      ] as const) {
        expect((await notify(await apple.notify(eventOf(type, one)))).status).toBe(200);
        expect(await isSignedIn(one)).toBe(false);
      }
      const left = await Promise.all(people.map(async (one) => (await identitiesOf(one)).length));
      expect(left).toEqual([1, 0, 0]);
      expect(await Promise.all(people.map(isErased))).toEqual([false, false, true]);
    });

    it('tell the owner of an address by mail', async () => {
      const email = `${newSubject()}@example.com`;
      const ada = await signIn('apple', { email, email_verified: true });
      expect((await notify(await apple.notify(eventOf('account-delete', ada)))).status).toBe(200);
      expect([await isErased(ada), await identitiesOf(ada)]).toEqual([false, []]);
      await eventually('the mail has come', async () =>
        (await app.mails(email)).some((mail) => mail.includes('Apple')),
      );
    });

    it('about relayed mail, and of kinds to come, change nothing', async () => {
      const ada = await signIn('apple');
      for (const type of ['email-disabled', 'email-enabled', 'to-come'])
        expect((await notify(await apple.notify(eventOf(type, ada)))).status).toBe(200);
      expect(await isSignedIn(ada)).toBe(true);
    });

    it.each<[string, (ada: SignedIn) => Promise<string>]>([
      ['is signed with another key', (ada) => apple.notify(eventOf('account-delete', ada), {}, strange)],
      ['is for another app', (ada) => apple.notify(eventOf('account-delete', ada), { aud: 'another' })],
      [
        'has another issuer',
        (ada) => apple.notify(eventOf('account-delete', ada), { iss: 'https://a.example' }),
      ],
      ['is two days old', (ada) => apple.notify(eventOf('account-delete', ada), { iat: now() - 172_800 })],
      ['has no time', (ada) => apple.notify(eventOf('account-delete', ada), { iat: undefined })],
      ['has no id', (ada) => apple.notify(eventOf('account-delete', ada), { jti: undefined })],
      ['has no event', (ada) => apple.notify(eventOf('account-delete', ada), { events: undefined })],
      [
        'has an event that is no JSON',
        (ada) => apple.notify(eventOf('account-delete', ada), { events: 'x' }),
      ],
      [
        'has no signature',
        async (ada) => {
          const [, body = ''] = (await apple.notify(eventOf('account-delete', ada))).split('.');
          return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.x`;
        },
      ],
    ])('are refused if one %s', async (_, forge) => {
      const ada = await signIn('apple');
      expect(await notify(await forge(ada))).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'payload' }] },
      });
      expect([await isSignedIn(ada), (await identitiesOf(ada)).length]).toEqual([true, 1]);
    });

    it('count once', async () => {
      const ada = await signIn('apple');
      const notice = await apple.notify(eventOf('consent-revoked', ada));
      expect((await notify(notice)).status).toBe(200);
      apple.person = { sub: ada.subject };
      const again = { ...ada, token: String((await trips.apple.signIn()).fragment['access_token']) };
      expect((await notify(notice)).status).toBe(200);
      expect(await isSignedIn(again)).toBe(true);
    });
  });

  it('name no person of another provider', async () => {
    const ada = await signIn('apple');
    expect((await tell(DELETED, sign(saidOf(ada.subject)))).status).toBe(200);
    expect([await isSignedIn(ada), await isErased(ada)]).toEqual([true, false]);
  });

  describe('to providers, when an account is erased or an identity removed,', () => {
    const erase = async ({ token }: SignedIn) =>
      expect((await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token })).status).toBe(204);
    const revokedAt = (lab: AppleStandIn | GoogleStandIn) =>
      lab.requests.filter(({ path }) => path.endsWith('/revoke')).map(({ form }) => form.get('token'));

    it.each([503, 429])('revoke the grant at Apple, and at Google if it first says %s', async (status) => {
      const [ofApple, ofGoogle] = [`r-apple-${status}`, `r-google-${status}`];
      apple.further = { refresh_token: ofApple };
      google.further = { refresh_token: ofGoogle };
      const people = [await signIn('apple'), await signIn('google')];
      const sealed = await app.sql<{ sealed: string }>(
        'SELECT sealed_grant AS sealed FROM external_identities WHERE account_id = ANY($1)',
        [people.map(({ id }) => id)],
      );
      expect(sealed.map(({ sealed: text }) => text)).toEqual([
        expect.not.stringContaining('r-'),
        expect.not.stringContaining('r-'),
      ]);
      google.replies = { '/revoke': { status } };
      for (const one of people) await erase(one);
      await eventually('Apple is told', () => Promise.resolve(revokedAt(apple).includes(ofApple)));
      expect(apple.requests.find(({ path }) => path === '/auth/revoke')?.form.get('client_secret')).toMatch(
        /^ey/,
      );
      await eventually('Google is asked', () => Promise.resolve(revokedAt(google).includes(ofGoogle)));
      google.replies = {};
      const asked = revokedAt(google).length;
      await eventually('and asked again', async () => {
        await app.sql(
          `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE task_id IN (SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'external-identity.revoke-grant')`,
        );
        return revokedAt(google).length > asked;
      });
    });

    it('revoke the grant of an identity that is unlinked, and no other', async () => {
      apple.further = { refresh_token: 'r-unlinked' };
      google.further = { refresh_token: 'r-still-linked' };
      const [ada] = [await signIn('apple'), await signIn('google')];
      await givePassword(ada);
      const { body } = await app.get('/api/v1/iam/me/identities', ada.token);
      const [identity] = body['items'] as unknown as { id: string }[];
      const path = `/api/v1/iam/me/identities/${identity?.id ?? ''}`;
      expect((await app.call('DELETE', path, undefined, { token: ada.token })).status).toBe(204);
      await eventually('Apple is told', () => Promise.resolve(revokedAt(apple).includes('r-unlinked')));
      expect(revokedAt(google)).not.toContain('r-still-linked');
    });

    it('revoke the grant of an identity that a notice removes, and drop what waits for it', async () => {
      apple.further = { refresh_token: 'r-noticed' };
      const ada = await signIn('apple');
      await givePassword(ada);
      await app.sql(
        `INSERT INTO one_time_codes (code_hash, purpose, account_id, content, expires_at)
         VALUES (sha256($1::text::bytea), 'link', $1, '""', now() + interval '1 hour')`,
        [ada.id],
      );
      const event = { type: 'consent-revoked', sub: ada.subject, event_time: Date.now() };
      expect((await notify(await apple.notify(event))).status).toBe(200);
      expect(await identitiesOf(ada)).toEqual([]);
      expect(await app.sql('SELECT 1 FROM one_time_codes WHERE account_id = $1', [ada.id])).toEqual([]);
      await eventually('Apple is told', () => Promise.resolve(revokedAt(apple).includes('r-noticed')));
    });

    it('revoke the grants of identities that a reset of the password removes', async () => {
      google.further = { refresh_token: 'r-of-a-stranger' };
      const ada = await signIn('google', { email: `${newSubject()}@example.com`, email_verified: true });
      const email = `${newSubject()}@example.net`;
      await app.sql('UPDATE accounts SET email = $2, email_key = $2 WHERE id = $1', [ada.id, email]);
      await app.sql('UPDATE external_identities SET is_authority = false WHERE account_id = $1', [ada.id]);
      await app.post('request-password-reset', { email });
      const token = await app.mailedToken(email);
      expect((await app.post('reset-password', { token, newPassword: 'quiet-harbour-44' })).status).toBe(204);
      expect(await identitiesOf(ada)).toEqual([]);
      await eventually('Google is told', () =>
        Promise.resolve(revokedAt(google).includes('r-of-a-stranger')),
      );
    });

    it('keep the grant of a sign-in without a new one, and say nothing without any', async () => {
      google.further = { refresh_token: 'r-kept' };
      const ada = await signIn('google');
      google.further = {};
      google.person = { sub: ada.subject };
      await trips.google.signIn();
      await erase(ada);
      await eventually('the first is revoked', () => Promise.resolve(revokedAt(google).includes('r-kept')));
      const told = revokedAt(google).length;
      await erase(await signIn('google'));
      await eventually('no job is left', async () => {
        const jobs = await app.sql(
          `SELECT 1 FROM graphile_worker._private_jobs WHERE task_id IN (SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'external-identity.revoke-grant')`,
        );
        return jobs.length === 0;
      });
      expect(revokedAt(google).length).toBe(told);
    });
  });
});
