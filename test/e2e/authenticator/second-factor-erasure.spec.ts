import { BuiltService } from '../../support/built-service.js';
import { dump, found, readFolder } from '../../support/canaries.js';
import { login, loginWith, TestPasskey, TestTotp } from '../../support/factors.js';
import { Person } from '../../support/organization.js';
import { eventually } from '../../support/test-app.js';

const AUTHENTICATORS = '/api/v1/iam/me/authenticators';
const hexOf = (base64url: string): string => Buffer.from(base64url, 'base64url').toString('hex');

describe('The erasure of a person with second factors', () => {
  let service: BuiltService;
  let person: Person;
  let token: string;
  /** In no row, mail and log at any time. */
  let secrets: Record<string, string>;
  /** In the database until the erasure: hashes, ids, names. */
  let stored: Record<string, string>;
  const headers = { 'user-agent': 'CanaryAgent/91c2' };

  /** Uses each kind of factor, and leaves some of it unfinished. */
  beforeAll(async () => {
    service = await BuiltService.start({ LOG_LEVEL: 'debug' });
    person = await Person.signUp(service);
    const totp = await TestTotp.enrol(service, person.token);
    const remembered = await loginWith(service, person, {
      method: 'totp',
      code: totp.next(),
      rememberDevice: true,
    });
    token = String(remembered.body['accessToken']);
    const passkey = await TestPasskey.enrol(service, token, { backupEligible: true });
    expect((await passkey.signIn(service)).status).toBe(200);
    const [used = '', unused = ''] = totp.recoveryCodes;
    expect((await loginWith(service, person, { method: 'recovery_code', code: used })).status).toBe(200);
    const guess = { method: 'recovery_code', code: 'CANAR-YC0DE' };
    expect((await loginWith(service, person, guess)).status).toBe(401);
    const deviceToken = String(remembered.body['deviceToken']);
    const renamed = { name: 'Canary telephone' };
    const one = `${AUTHENTICATORS}/${totp.id}`;
    expect((await service.call('PATCH', one, renamed, { token })).status).toBe(200);
    const begun = await service.call('POST', `${AUTHENTICATORS}/totp`, undefined, { token });
    const again = { method: 'recovery_code', code: unused, rememberDevice: true };
    const { challenge } = (await login(service, person)).body;
    await service.call('POST', '/api/v1/iam/auth/second-factor', { challenge, ...again }, { headers });
    const waiting = (await login(service, person)).body['challenge'];
    const { authenticator } = passkey;
    secrets = {
      totpSecret: totp.secret,
      unconfirmedSecret: String(begun.body['secret']),
      recoveryCode: unused,
      usedRecoveryCode: used,
      plainRecoveryCode: unused.replace('-', ''),
      guess: guess.code,
    };
    stored = {
      appName: renamed.name,
      userAgent: headers['user-agent'],
      userHandle: hexOf(authenticator.userHandle),
      credentialId: hexOf(authenticator.id),
      deviceSecret: deviceToken.split('.')[1] ?? '',
      challenge: String(waiting),
    };
    await eventually('no job is left', async () => {
      return (await service.sql('SELECT 1 FROM graphile_worker.jobs')).length === 0;
    });
  });
  afterAll(() => service.stop());

  it('finds hashes and ids before it, and no secret', async () => {
    const rows = await dump(service);
    // The device was trusted before the passkey was added, which ended that.
    const kept = Object.keys(stored).filter((name) => name !== 'deviceSecret');
    expect(found(stored, rows)).toEqual(kept);
    expect(found(secrets, rows)).toEqual([]);
    expect(rows).not.toContain(stored['challenge']);
    expect(found({ ...secrets, ...stored }, await readFolder(service.mailFolder))).toEqual([]);
  });

  it('leaves nothing of them in database, audit trail, mails and log', async () => {
    const { body } = await service.post('refresh', { refreshToken: person.refreshToken });
    const bearer = { token: String(body['accessToken']) };
    expect((await service.call('DELETE', '/api/v1/iam/auth/account', undefined, bearer)).status).toBe(204);
    for (const table of [
      'totp_authenticators',
      'passkeys',
      'passkey_users',
      'recovery_codes',
      'trusted_devices',
      'sign_in_challenges',
      'session_evidence',
      'login_throttles',
    ])
      expect({ table, rows: await service.sql(`SELECT 1 FROM ${table}`) }).toEqual({ table, rows: [] });
    await service.passHourAfterErasure();
    const all = { ...secrets, ...stored };
    expect(found(all, await dump(service))).toEqual([]);
    expect(found(all, await readFolder(service.mailFolder))).toEqual([]);
    expect(service.output).toContain('"route":"/api/v1/iam/auth/second-factor"');
    expect(found(all, service.output)).toEqual([]);
  });
});
