import { decodeJwt } from 'jose';
import { initiateDeviceAuthorization, pollDeviceAuthorizationGrant } from 'openid-client';
import { DeviceAuthorizationRepository } from '../../../src/openid/devices/device-authorization.repository.js';
import { DeviceService } from '../../../src/openid/devices/device.service.js';
import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';
import { hashOneTimeToken } from '../../../src/platform/crypto/index.js';
import { age } from '../../support/ageing.js';
import { inTurnBehind } from '../../support/locks.js';
import { Organization, Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { withApp } from '../../support/test-app.js';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const DEVICES = '/api/v1/iam/auth/devices';
const GRANTS = ['refresh_token', DEVICE_CODE] as ('refresh_token' | typeof DEVICE_CODE)[];

describe('Devices of clients (RFC 8628)', () => {
  let ada: Person;
  let scanner: RelyingParty;
  let stranger: RelyingParty;
  const app = withApp();
  beforeAll(async () => {
    ada = await Person.signUp(app);
    scanner = await RelyingParty.register(app, { type: 'public', grantTypes: GRANTS });
    stranger = await RelyingParty.register(app, { grantTypes: GRANTS, firstParty: false });
  });

  const begin = async (rp = scanner, scope = 'openid profile') => {
    const form = { scope, ...(rp === scanner && { client_id: rp.clientId }) };
    const { status, body } = await rp.post(
      '/oauth2/device_authorization',
      form,
      rp === scanner ? null : rp.authorization,
    );
    expect(status).toBe(200);
    return { deviceCode: String(body['device_code']), userCode: String(body['user_code']), body };
  };
  const poll = async (deviceCode: string, rp = scanner) => {
    const form = { grant_type: DEVICE_CODE, device_code: deviceCode, client_id: rp.clientId };
    return rp.post('/oauth2/token', form, rp === scanner ? null : rp.authorization);
  };
  const call = (what: string, body: object, token = ada.token) =>
    app.call('POST', `${DEVICES}/${what}`, body, { token });
  const refusal = (error: string) => ({ status: 400, body: { error } });

  it('sign a person in whose confirmation they wait for, in the session of the person', async () => {
    const person = await Person.signUp(app);
    const started = await initiateDeviceAuthorization(scanner.config, { scope: 'openid email' });
    expect(started).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: 'http://gatehouse.test/device',
      verification_uri_complete: `http://gatehouse.test/device?user_code=${started.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    const entered = started.user_code.toLowerCase().replace('-', ' ');
    expect((await call('find', { userCode: entered }, person.token)).body).toEqual({
      client: { clientId: scanner.clientId, name: 'Help centre', logoUri: null, logoUrl: null },
      scopes: ['openid', 'email'],
      api: null,
      firstParty: true,
      userCode: started.user_code,
    });
    expect((await call('approve', { userCode: entered }, person.token)).status).toBe(204);
    const quick = { ...started, interval: 0 };
    const tokens = await pollDeviceAuthorizationGrant(scanner.config, quick);
    expect(tokens.claims()).toMatchObject({ sub: person.id, sid: person.sessionId });
    expect(decodeJwt(tokens.access_token)).toMatchObject({ scope: 'openid email' });
    expect(await poll(started.device_code)).toMatchObject(refusal('invalid_grant'));
    expect(await app.sql('SELECT 1 FROM oidc_consents WHERE account_id = $1', [person.id])).toEqual([]);
    await app.post('logout', undefined, { token: person.token });
    expect((await app.get('/oauth2/userinfo', tokens.access_token)).status).toBe(401);
  });

  it('wait, and longer if they ask too early', async () => {
    const { deviceCode } = await begin();
    expect(await poll(deviceCode)).toMatchObject(refusal('authorization_pending'));
    expect(await poll(deviceCode)).toMatchObject(refusal('slow_down'));
    await app.sql("UPDATE oidc_devices SET polled_at = now() - interval '6 seconds'");
    expect(await poll(deviceCode)).toMatchObject(refusal('slow_down'));
    await app.sql("UPDATE oidc_devices SET polled_at = now() - interval '16 seconds'");
    expect(await poll(deviceCode)).toMatchObject(refusal('authorization_pending'));
  });

  it('wait longer if they ask twice at once', async () => {
    const { deviceCode } = await begin();
    const lock = ['SELECT 1 FROM oidc_devices FOR UPDATE'] as const;
    const ask = () => poll(deviceCode);
    expect(await inTurnBehind(app, lock, ask, ask)).toMatchObject([
      refusal('authorization_pending'),
      refusal('slow_down'),
    ]);
  });

  it('learn of a refusal, and of the end of their time', async () => {
    const denied = await begin();
    expect((await call('deny', { userCode: denied.userCode })).status).toBe(204);
    expect(await poll(denied.deviceCode)).toMatchObject(refusal('access_denied'));
    const late = await begin();
    await age(app, 'oidc_devices', 601);
    const { token } = await Person.signUp(app);
    for (const what of ['find', 'approve', 'deny'])
      expect((await call(what, { userCode: late.userCode }, token)).status).toBe(400);
    expect(await poll(late.deviceCode)).toMatchObject(refusal('expired_token'));
    const approved = await begin();
    await call('approve', { userCode: approved.userCode });
    await age(app, 'oidc_devices', 601);
    expect(await poll(approved.deviceCode)).toMatchObject(refusal('expired_token'));
  });

  it('get nothing before a decision, with another code or client, or after the session', async () => {
    const { deviceCode, userCode } = await begin();
    expect(await poll('unknown')).toMatchObject(refusal('invalid_grant'));
    expect(await poll(userCode)).toMatchObject(refusal('invalid_grant'));
    expect(await poll(deviceCode, stranger)).toMatchObject(refusal('invalid_grant')); // not: pending
    await call('approve', { userCode });
    expect(await poll(deviceCode, stranger)).toMatchObject(refusal('invalid_grant'));
    const [first, second] = await Promise.all([poll(deviceCode), poll(deviceCode)]);
    expect([first.status, second.status].sort()).toEqual([200, 400]);
    const person = await Person.signUp(app);
    const ended = await begin();
    await call('approve', { userCode: ended.userCode }, person.token);
    await app.post('logout', undefined, { token: person.token });
    expect(await poll(ended.deviceCode)).toMatchObject(refusal('invalid_grant'));
  });

  it('are decided on once, by a person in our own app', async () => {
    const { userCode } = await begin();
    expect((await app.call('POST', `${DEVICES}/approve`, { userCode })).status).toBe(401);
    const { access_token: foreign } = await (await RelyingParty.register(app)).signIn(ada.token);
    expect((await call('approve', { userCode }, foreign)).status).toBe(403);
    expect((await call('approve', { userCode })).status).toBe(204);
    for (const again of ['approve', 'deny', 'find'])
      expect((await call(again, { userCode })).status).toBe(400);
  });

  it('are not approved by a request that the end of its session overtakes', async () => {
    const { deviceCode, userCode } = await begin();
    const person = await Person.signUp(app);
    const caller = { userId: person.id, sessionId: person.sessionId, tenantId: null };
    await app.post('logout', undefined, { token: person.token });
    const devices = app.app.get(DeviceService, { strict: false });
    await expect(devices.approve(caller as never, userCode, undefined)).rejects.toMatchObject({
      code: 'validation-error',
    });
    expect(await poll(deviceCode)).toMatchObject(refusal('authorization_pending'));
  });

  it.each<[string, string, (userCode: string) => Promise<unknown>]>([
    ['approved', 'have expired', () => age(app, 'oidc_devices', 601)],
    ['denied', 'have been approved', (userCode) => call('approve', { userCode })],
  ])('are not %s if they %s after they were found', async (decision, _, change) => {
    const { userCode } = await begin();
    const repository = app.app.get(DeviceAuthorizationRepository, { strict: false });
    const { findWaiting } = repository;
    jest.spyOn(repository, 'findWaiting').mockImplementationOnce(async (...of) => {
      const found = await findWaiting.apply(repository, of);
      await change(userCode);
      return found;
    });
    const person = await Person.signUp(app);
    const what = decision === 'approved' ? 'approve' : 'deny';
    expect((await call(what, { userCode }, person.token)).status).toBe(400);
  });

  it('are given up by their client alone, once a person has approved and before their end', async () => {
    const devices = app.app.get(DeviceAuthorizationRepository, { strict: false });
    const { deviceCode, userCode } = await begin();
    const take = (clientId = scanner.clientId) =>
      devices.takeApproved(hashOneTimeToken(deviceCode), clientId);
    expect(await take()).toBeNull();
    await call('approve', { userCode });
    expect(await take(stranger.clientId)).toBeNull();
    await age(app, 'oidc_devices', 601);
    expect(await take()).toBeNull();
    await age(app, 'oidc_devices', -601);
    expect(await take()).toMatchObject({ userId: ada.id });
  });

  it('get another code if one is taken, and none if three are', async () => {
    const devices = app.app.get(DeviceAuthorizationRepository, { strict: false });
    const insert = jest.spyOn(devices, 'insert');
    const { userCode } = await begin();
    const [hashes, ...rest] = insert.mock.calls[0] ?? [];
    if (!hashes) throw new Error(`The code ${userCode} was not stored.`);
    const other = { ...hashes, deviceHash: hashOneTimeToken('another') };
    expect(await devices.insert(other, ...(rest as [never, never]))).toBe(false);
    insert.mockClear().mockResolvedValue(false);
    const form = { client_id: scanner.clientId, scope: 'openid' };
    expect(await scanner.post('/oauth2/device_authorization', form, null)).toMatchObject({ status: 503 });
    expect(insert).toHaveBeenCalledTimes(3);
    insert.mockRestore();
  });

  it('are not approved in a session whose time is over', async () => {
    const { deviceCode, userCode } = await begin();
    const person = await Person.signUp(app);
    const caller = { userId: person.id, sessionId: person.sessionId, tenantId: null };
    await app.sql("UPDATE sessions SET expires_at = now() - interval '1 second' WHERE id = $1", [
      person.sessionId,
    ]);
    const devices = app.app.get(DeviceService, { strict: false });
    await expect(devices.approve(caller as never, userCode, undefined)).rejects.toMatchObject({
      code: 'validation-error',
    });
    expect(await poll(deviceCode)).toMatchObject(refusal('authorization_pending'));
  });

  it('can be guessed again a minute after the first wrong guess, not the last', async () => {
    const person = await Person.signUp(app);
    const guess = async () => (await call('find', { userCode: 'BBBB-BBBB' }, person.token)).status;
    const later = (seconds: number) => age(app, 'oidc_device_guesses', seconds);
    expect([await guess(), await guess(), await guess(), await guess()]).toEqual([400, 400, 400, 400]);
    await later(40);
    expect([await guess(), await guess()]).toEqual([400, 429]);
    await later(21);
    expect(await guess()).toBe(400);
  });

  it('are approved by one of two people at once', async () => {
    const { userCode } = await begin();
    const people = [await Person.signUp(app), await Person.signUp(app), await Person.signUp(app)];
    const answers = await Promise.all(people.map(({ token }) => call('approve', { userCode }, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400]);
  });

  it('can be guessed five times a minute in a session, and in parallel too', async () => {
    const person = await Person.signUp(app);
    const { userCode } = await begin();
    const guess = (code: string) => call('find', { userCode: code }, person.token);
    expect((await guess(userCode)).status).toBe(200);
    const wrong = await Promise.all(Array.from({ length: 8 }, () => guess('BBBB-BBBB')));
    expect(wrong.map(({ status }) => status).sort()).toEqual([400, 400, 400, 400, 400, 429, 429, 429]);
    for (const what of ['find', 'approve', 'deny']) {
      const refused = await call(what, { userCode }, person.token);
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    }
    expect((await call('find', { userCode })).status).toBe(200);
    expect((await guess(userCode)).status).toBe(429);
    await age(app, 'oidc_device_guesses', 61);
    expect((await guess(userCode)).status).toBe(200);
  });

  it('of third parties keep the consent, and of an organization work for its members', async () => {
    const { owner, id } = await Organization.found(app);
    const { userCode, deviceCode } = await begin(stranger, 'openid tenant');
    const person = await Person.signUp(app);
    expect((await call('approve', { userCode, tenantId: id }, person.token)).body).toMatchObject({
      type: '/errors/not-a-member',
    });
    expect(await call('approve', { userCode, tenantId: id }, owner.person.token)).toMatchObject({
      status: 204,
    });
    const { body } = await poll(deviceCode, stranger);
    expect(decodeJwt(String(body['access_token']))).toMatchObject({ tid: id });
    const consents = await app.sql('SELECT scopes FROM oidc_consents WHERE account_id = $1', [
      owner.person.id,
    ]);
    expect(consents).toEqual([{ scopes: ['openid', 'tenant'] }]);
  });

  it('get nothing once the person has withdrawn the consent', async () => {
    const person = await Person.signUp(app);
    const { userCode, deviceCode } = await begin(stranger);
    await call('approve', { userCode }, person.token);
    const [own, ofAnother] = [await begin(), await begin(stranger)];
    await call('approve', { userCode: own.userCode }, person.token);
    await call('approve', { userCode: ofAnother.userCode });
    const path = `/api/v1/iam/me/authorized-apps/${stranger.clientId}`;
    expect((await app.call('DELETE', path, undefined, { token: person.token })).status).toBe(204);
    expect(await poll(deviceCode, stranger)).toMatchObject(refusal('invalid_grant'));
    expect((await poll(own.deviceCode)).status).toBe(200);
    expect((await poll(ofAnother.deviceCode, stranger)).status).toBe(200);
  });

  it('are refused to a client without the grant type, or without openid', async () => {
    const other = await RelyingParty.register(app);
    expect(await other.post('/oauth2/device_authorization', { scope: 'openid' })).toMatchObject(
      refusal('unauthorized_client'),
    );
    expect(await poll('x', other)).toMatchObject(refusal('unauthorized_client'));
    expect(await stranger.post('/oauth2/device_authorization', { scope: 'email' })).toMatchObject(
      refusal('invalid_scope'),
    );
    expect(await stranger.post('/oauth2/device_authorization', { scope: 'openid' }, null)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });

  it('store no code that could be read, and are removed after an hour and with the account', async () => {
    const person = await Person.signUp(app);
    const { userCode, deviceCode } = await begin();
    await call('approve', { userCode }, person.token);
    const stored = async () => JSON.stringify(await app.sql('SELECT * FROM oidc_devices'));
    expect(await stored()).toContain(person.id);
    expect(await stored()).not.toContain(deviceCode);
    const kept = async () => {
      await app.app.get(CleanupService, { strict: false }).run();
      return (await stored()).includes(person.id);
    };
    await app.sql("UPDATE oidc_devices SET expires_at = now() - interval '59 minutes'");
    expect(await kept()).toBe(true);
    await age(app, 'oidc_devices', 61);
    expect(await kept()).toBe(false);
    const last = await begin();
    await call('approve', { userCode: last.userCode }, person.token);
    expect(await stored()).toContain(person.id);
    await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: person.token });
    expect(await stored()).not.toContain(person.id);
  });

  it('of an organization are removed with it by batches, and no others', async () => {
    const { owner, id: tenantId } = await Organization.found(app);
    for (const { userCode } of [
      await begin(stranger, 'openid tenant'),
      await begin(stranger, 'openid tenant'),
    ])
      await call('approve', { userCode, tenantId }, owner.person.token);
    const count = async () => (await app.sql('SELECT 1 FROM oidc_devices')).length;
    await begin();
    const before = await count();
    const devices = app.app.get(DeviceAuthorizationRepository, { strict: false });
    const repeat = jest.fn();
    for (const batch of [1, 2]) await devices.deleteOfTenant({ tenantId, batch, repeat } as never);
    expect([await count(), repeat.mock.calls.length]).toEqual([before - 2, 1]);
  });

  it('keep the counts of wrong codes for a minute', async () => {
    const person = await Person.signUp(app);
    await call('find', { userCode: 'BBBB-BBBB' }, person.token);
    const kept = async () => {
      await app.app.get(CleanupService, { strict: false }).run();
      const counts = 'SELECT failures FROM oidc_device_guesses WHERE session_id = $1';
      return app.sql(counts, [person.sessionId]);
    };
    expect(await kept()).toEqual([{ failures: 1 }]);
    await age(app, 'oidc_device_guesses', 61);
    expect(await kept()).toEqual([]);
  });
});
