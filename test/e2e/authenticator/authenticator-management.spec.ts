import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';
import { loginWith, TestPasskey, TestTotp } from '../../support/factors.js';
import { Person } from '../../support/organization.js';
import { eventually, itemsOf, withApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const AUTHENTICATORS = `${ME}/authenticators`;

describe('The authenticators of a person', () => {
  const app = withApp();

  const call = (method: string, path: string, token: string, body?: object, headers = {}) =>
    app.call(method, path, body, { token, headers });
  /** An access token of the session as it is now. */
  const refreshed = async ({ refreshToken }: { refreshToken: string }) => {
    const { body } = await app.post('refresh', { refreshToken });
    return { token: String(body['accessToken']), refreshToken: String(body['refreshToken']) };
  };
  const withBoth = async () => {
    const person = await Person.signUp(app);
    const totp = await TestTotp.enrol(app, person.token);
    const { token } = await refreshed(person);
    const passkey = await TestPasskey.enrol(app, token, { backupEligible: true, backedUp: true });
    return { person, totp, passkey, token };
  };

  it('are listed with what the browser needs, and with nothing secret', async () => {
    const { person, totp, passkey, token } = await withBoth();
    const { status, body } = await app.get(AUTHENTICATORS, token);
    expect(status).toBe(200);
    expect(body).toEqual({
      items: [
        {
          id: totp.id,
          kind: 'totp',
          name: 'Authenticator app',
          createdAt: expect.any(String),
          lastUsedAt: null,
          countsOnlyIn: null,
        },
        {
          id: passkey.id,
          kind: 'passkey',
          name: 'Passkey',
          createdAt: expect.any(String),
          lastUsedAt: null,
          countsOnlyIn: null,
          backedUp: true,
          transports: ['internal'],
        },
      ],
      recoveryCodesLeft: 10,
      trustedDevices: 0,
      rpId: 'gatehouse.test',
      shouldEnrol: false,
      reset: null,
      acceptedCredentialIds: [passkey.authenticator.id],
      userHandle: passkey.authenticator.userHandle,
    });
    expect((await passkey.signIn(app)).status).toBe(200);
    const used = await app.get(`${AUTHENTICATORS}/${passkey.id}`, token);
    expect(used.body).toMatchObject({ id: passkey.id, lastUsedAt: expect.any(String) });
    expect((await app.get(AUTHENTICATORS, (await Person.signUp(app)).token)).body).toEqual({
      items: [],
      recoveryCodesLeft: 0,
      trustedDevices: 0,
      rpId: 'gatehouse.test',
      shouldEnrol: false,
      reset: null,
      acceptedCredentialIds: [],
      userHandle: null,
    });
    expect(person.id).not.toBe(body['userHandle']);
  });

  it('keep secrets out of caches: each answer that holds one says so', async () => {
    const person = await Person.signUp(app);
    const begun = await call('POST', `${AUTHENTICATORS}/totp`, person.token);
    expect(begun.headers.get('cache-control')).toBe('no-store');
    const totp = await TestTotp.enrol(app, person.token);
    const { token } = await refreshed(person);
    const renewed = await call('POST', `${ME}/recovery-codes`, token);
    expect(renewed.headers.get('cache-control')).toBe('no-store');
    const first = await app.post('login', { email: person.email, password: person.password });
    expect(first.headers.get('cache-control')).toBe('no-store');
    const { challenge } = first.body;
    const second = await app.post('second-factor', { challenge, method: 'totp', code: totp.next() });
    expect(second.headers.get('cache-control')).toBe('no-store');
  });

  it('have names, which a person changes as read', async () => {
    const { totp, passkey, token } = await withBoth();
    for (const id of [totp.id, passkey.id]) {
      const path = `${AUTHENTICATORS}/${id}`;
      const read = await app.get(path, token);
      const match = { 'if-match': read.headers.get('etag') ?? '' };
      expect((await call('PATCH', path, token, { name: 'Work phone' }, match)).body).toMatchObject({
        id,
        name: 'Work phone',
      });
      expect((await call('PATCH', path, token, { name: 'Other' }, match)).status).toBe(412);
      expect((await call('DELETE', path, token, undefined, match)).status).toBe(412);
      expect((await app.get(path, token)).body).toMatchObject({ name: 'Work phone' });
    }
    const named = itemsOf<{ id: string; name: string }>(await app.get(AUTHENTICATORS, token));
    expect(named.map(({ name }) => name)).toEqual(['Work phone', 'Work phone']);
  });

  it('belong to their person alone', async () => {
    const [own, other] = [await withBoth(), await withBoth()];
    for (const { id } of [other.totp, other.passkey]) {
      const path = `${AUTHENTICATORS}/${id}`;
      expect((await app.get(path, own.token)).status).toBe(404);
      expect((await call('PATCH', path, own.token, { name: 'Mine' })).status).toBe(404);
      expect((await call('DELETE', path, own.token)).status).toBe(404);
    }
    expect(itemsOf(await app.get(AUTHENTICATORS, other.token))).toHaveLength(2);
  });

  it('leave the recovery codes until the last one is removed', async () => {
    const { person, totp, passkey, token } = await withBoth();
    const left = async () => (await app.get(AUTHENTICATORS, token)).body['recoveryCodesLeft'];
    expect((await call('DELETE', `${AUTHENTICATORS}/${totp.id}`, token)).status).toBe(204);
    expect(await left()).toBe(10);
    expect((await call('DELETE', `${AUTHENTICATORS}/${passkey.id}`, token)).status).toBe(204);
    expect(await left()).toBe(0);
    expect((await call('DELETE', `${AUTHENTICATORS}/${passkey.id}`, token)).status).toBe(404);
    expect((await app.post('login', { email: person.email, password: person.password })).status).toBe(200);
    const again = await TestTotp.enrol(app, token); // a first one once more
    expect(again.recoveryCodes).toHaveLength(10);
  });

  it('get recovery codes with the first one only', async () => {
    const { passkey, totp } = await withBoth();
    expect(totp.recoveryCodes).toHaveLength(10);
    expect(passkey.recoveryCodes).toEqual([]);
    const { token } = await Person.signUp(app);
    expect(await call('POST', `${ME}/recovery-codes`, token)).toMatchObject({
      status: 409,
      body: { detail: 'Add an authenticator app or a passkey first.' },
    });
  });

  it('are not added by a wrong code, as often as it is tried', async () => {
    const person = await Person.signUp(app);
    const begun = await call('POST', `${AUTHENTICATORS}/totp`, person.token);
    const confirm = `${AUTHENTICATORS}/totp/${String(begun.body['id'])}/confirm`;
    for (let n = 0; n < 7; n += 1)
      expect(await call('POST', confirm, person.token, { code: '000000' })).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'code' }] },
      });
    expect(itemsOf(await app.get(AUTHENTICATORS, person.token))).toEqual([]);
    await app.sql("UPDATE totp_authenticators SET created_at = now() - interval '61 minutes'");
    await app.app.get(CleanupService, { strict: false }).run();
    expect((await call('POST', confirm, person.token, { code: '000000' })).status).toBe(404);
  });

  it('count wrong codes once they are confirmed, and not before', async () => {
    const person = await Person.signUp(app);
    await TestTotp.enrol(app, person.token);
    const { token } = await refreshed(person);
    await call('POST', `${AUTHENTICATORS}/totp`, token);
    const wrong = { method: 'totp', code: '000000' };
    expect((await app.post('step-up', wrong, { token })).status).toBe(401);
    const counts =
      'SELECT failures FROM totp_authenticators WHERE account_id = $1 ORDER BY confirmed_at NULLS LAST';
    expect(await app.sql(counts, [person.id])).toEqual([{ failures: 1 }, { failures: 0 }]);
  });

  it('are five apps at most, and one that is not confirmed', async () => {
    const person = await Person.signUp(app);
    await TestTotp.enrol(app, person.token);
    const { token } = await refreshed(person);
    for (let n = 0; n < 4; n += 1) await TestTotp.enrol(app, token);
    expect((await call('POST', `${AUTHENTICATORS}/totp`, token)).status).toBe(409);
    const [first] = itemsOf<{ id: string }>(await app.get(AUTHENTICATORS, token));
    expect((await call('DELETE', `${AUTHENTICATORS}/${first?.id}`, token)).status).toBe(204);
    const begun = await Promise.all([1, 2, 3].map(() => call('POST', `${AUTHENTICATORS}/totp`, token)));
    expect(begun.map(({ status }) => status)).toEqual([201, 201, 201]);
    const waiting = 'SELECT id FROM totp_authenticators WHERE account_id = $1 AND confirmed_at IS NULL';
    expect(await app.sql(waiting, [person.id])).toHaveLength(1);
    expect(itemsOf(await app.get(AUTHENTICATORS, token))).toHaveLength(4);
  });

  it('are recorded and mailed to the owner, whatever happens to them, without a secret', async () => {
    const { person, totp, passkey, token } = await withBoth();
    await call('POST', `${ME}/recovery-codes`, token);
    for (const { id } of [totp, passkey])
      await call('PATCH', `${AUTHENTICATORS}/${id}`, token, { name: 'Work' });
    await loginWith(app, person, { method: 'totp', code: totp.next(), rememberDevice: true });
    const [device] = itemsOf<{ id: string }>(await app.get(`${ME}/trusted-devices`, token));
    await call('DELETE', `${ME}/trusted-devices/${device?.id}`, token);
    await call('DELETE', `${AUTHENTICATORS}/${totp.id}`, token);
    await call('DELETE', `${AUTHENTICATORS}/${passkey.id}`, token);
    const trail = itemsOf<{ action: string; subject: string }>(
      await app.get(`${ME}/audit-events?limit=100`, token),
    );
    const expected: [string, string][] = [
      ['account.totp-added', `iam/authenticators/${totp.id}`],
      ['account.passkey-added', `iam/authenticators/${passkey.id}`],
      ['account.recovery-codes-renewed', `iam/accounts/${person.id}`],
      ['account.totp-renamed', `iam/authenticators/${totp.id}`],
      ['account.passkey-renamed', `iam/authenticators/${passkey.id}`],
      ['account.device-trusted', `iam/accounts/${person.id}`],
      ['account.trusted-device-removed', `iam/accounts/${person.id}`],
      ['account.totp-removed', `iam/authenticators/${totp.id}`],
      ['account.passkey-removed', `iam/authenticators/${passkey.id}`],
    ];
    for (const [action, subject] of expected)
      expect(trail.filter((event) => event.action === action)).toEqual([
        expect.objectContaining({ action, subject: expect.stringContaining(subject) }),
      ]);
    await eventually('eight mails are sent', async () => {
      const mails = await app.mails(person.email);
      return mails.filter((mail) => mail.includes('/account/security')).length === 8;
    });
    const text = [...(await app.mails(person.email)), JSON.stringify(trail)].join('\n');
    for (const secret of [totp.secret, ...totp.recoveryCodes, passkey.authenticator.id])
      expect(text).not.toContain(secret);
  });

  it('ask for a recent sign-in, by the second factor of a person who has one', async () => {
    const { person, totp } = await withBoth();
    const { token } = person; // from before: one factor
    const path = `${AUTHENTICATORS}/${totp.id}`;
    const attempts: [string, string, object?][] = [
      ['POST', `${AUTHENTICATORS}/totp`],
      ['POST', `${AUTHENTICATORS}/totp/${totp.id}/confirm`, { code: '000000' }],
      ['POST', `${AUTHENTICATORS}/passkeys/options`],
      ['PATCH', path, { name: 'Mine' }],
      ['DELETE', path],
      ['POST', `${ME}/recovery-codes`],
    ];
    for (const [method, where, body] of attempts)
      expect(await call(method, where, token, body)).toMatchObject({ status: 401, body: { acr: 'aal2' } });
    expect((await app.get(AUTHENTICATORS, token)).status).toBe(200);
  });
});
