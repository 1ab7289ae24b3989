import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BuiltService } from '../../support/built-service.js';
import { dump, found, readFolder } from '../../support/canaries.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createDatabase, eventually, TestApp } from '../../support/test-app.js';

const canaries = {
  email: 'Canary-Mail-7c1f@Canary-Domain.example',
  firstName: 'Canaryfirstname',
  company: 'Canary Company 5d2e',
  country: 'Canarycountry',
  ipAddress: '203.0.113.177',
  userAgent: 'CanaryAgent/83f1',
};
/** Values that are never stored. */
const secrets = {
  password: 'canary-password-19',
  newPassword: 'canary-password-20',
  wrong: 'canary-guess-21',
};
const headers = { 'user-agent': canaries.userAgent, 'x-forwarded-for': canaries.ipAddress };
const { email, firstName, company, country } = canaries;
const { password, newPassword } = secrets;
const registration = { email, password, firstName, company, country };

describe('Erasure', () => {
  let service: BuiltService;
  let token: string;
  const post = (path: string, body?: object, bearer?: string) =>
    service.post(path, body, bearer === undefined ? { headers } : { headers, token: bearer });
  const tokenOf = async (answer: ReturnType<typeof post>, name: string) => String((await answer).body[name]);
  const jobs = async (condition: string) =>
    (await service.sql(`SELECT 1 FROM graphile_worker.jobs WHERE ${condition}`)).length;
  const erase = () => service.call('DELETE', '/api/v1/iam/auth/account', undefined, { token, headers });

  /** Does everything that a person can do, and leaves some of it unfinished or failed. */
  beforeAll(async () => {
    service = await BuiltService.start({ LOG_LEVEL: 'debug', TRUSTED_PROXIES: '127.0.0.1' });
    await post('register', registration);
    await post('resend-verification', { email });
    await post('verify-email', { token: await service.mailedToken(email, 2) });
    await post('register', registration);
    await post('login', { email, password: secrets.wrong });
    const other = await tokenOf(post('login', { email, password }), 'refreshToken');
    await post('refresh', { refreshToken: other });
    token = await tokenOf(post('login', { email, password }), 'accessToken');
    await service.call(
      'PUT',
      '/api/v1/iam/me/password',
      { currentPassword: password, newPassword },
      { token, headers },
    );
    await post('login', { email: email.toUpperCase(), password: newPassword });
    const away = { ...headers, 'x-forwarded-for': '198.51.100.7' };
    await service.post('login', { email, password: newPassword }, { headers: away });
    await service.call('POST', '/api/v1/iam/tenants', {}, { token, headers }); // named after the company
    await service.mails(email, 5); // two links, "you already have an account", "your password was changed", "new sign-in"
    await eventually('no job is left', async () => (await jobs('true')) === 0);

    // Causes a mail that cannot be sent, and a job that fails.
    await rename(service.mailFolder, `${service.mailFolder}-away`);
    await writeFile(service.mailFolder, '');
    await post('request-password-reset', { email });
    await eventually('the mail waits for its next attempt', async () => (await jobs('run_at > now()')) === 1);
    await service.sql('ALTER TABLE outgoing_mails RENAME TO out_of_order');
    await service.sql("UPDATE out_of_order SET created_at = created_at - interval '2 hours'");
    await post('register', registration);
    await eventually('a job has failed', async () => (await jobs('last_error IS NOT NULL')) === 1);
    await service.sql('ALTER TABLE out_of_order RENAME TO outgoing_mails');
    await rm(service.mailFolder);
    await rename(`${service.mailFolder}-away`, service.mailFolder);
  });
  afterAll(() => service.stop());

  it('finds the personal data before the erasure', async () => {
    expect(found(canaries, await dump(service))).toEqual(Object.keys(canaries));
    expect(found(canaries, await readFolder(service.mailFolder))).toEqual(['email', 'firstName']);
    expect(found(secrets, await dump(service))).toEqual([]);
  });

  it('leaves no personal data in database, mail folder and logs', async () => {
    expect((await erase()).status).toBe(204);
    await eventually(
      'the follow-up and all unfinished jobs have run',
      async () => (await jobs("task_identifier <> 'iam.finish-erasure' OR run_at <= now()")) === 0,
    );
    expect(found({ ...canaries, ...secrets }, await dump(service))).toEqual([]);
    // Only the mail about the erasure is left, in the folder, for an hour.
    expect(await service.mails(email)).toEqual([expect.stringContaining('Subject: Your account was erased')]);
    expect(await service.mailFiles()).toHaveLength(1);
    await service.passHourAfterErasure();
    expect(await jobs('true')).toBe(0);
    expect(found({ ...canaries, ...secrets }, await dump(service))).toEqual([]);
    expect(found({ ...canaries, ...secrets }, await readFolder(service.mailFolder))).toEqual([]);
    expect(await service.mailFiles()).toEqual([]);
    expect(await service.sql("SELECT 1 FROM outgoing_mails WHERE kind <> 'decoy'")).toEqual([]);
    expect(await service.sql('SELECT 1 FROM known_networks')).toEqual([]);
    expect(service.output).toContain('"route":"/api/v1/iam/auth/login"');
    expect(service.output).not.toContain('token=');
    expect(found({ ...canaries, ...secrets }, service.output)).toEqual([]);
  });

  it('ends all sessions, and changes nothing when repeated', async () => {
    expect((await erase()).status).toBe(401);
    expect((await post('login', { email, password: newPassword })).status).toBe(401);
  });

  it('frees the address for a new account', async () => {
    await service.register(email, password);
    await service.login({ email, password });
  });

  it('removes what was stored under an earlier root secret', async () => {
    const [before, after] = [1, 2].map(() => randomBytes(32).toString('base64')) as [string, string];
    const shared = {
      DATABASE_URL: await createDatabase(),
      DATA_DIR: temporaryFolder('erasure'),
    };
    const old = await TestApp.start({ ...shared, ROOT_SECRET: before });
    const account = await old.register();
    await old.post('login', { email: account.email, password: secrets.wrong });
    await old.app.close(); // beside the replica it would take jobs that it cannot read, and delay them
    const replica = await TestApp.start({ ...shared, ROOT_SECRET: after, ROOT_SECRET_PREVIOUS: before });
    const { accessToken } = await replica.login(account);
    const erased = await replica.call('DELETE', '/api/v1/iam/auth/account', undefined, {
      token: accessToken,
    });
    expect(erased.status).toBe(204);
    await eventually('the follow-up has run', async () => {
      const due = 'SELECT 1 FROM graphile_worker.jobs WHERE run_at <= now()';
      return (await replica.sql(due)).length === 0;
    });
    await replica.passHourAfterErasure();
    await eventually('the mails are removed', async () => {
      const waiting = await replica.sql('SELECT 1 FROM outgoing_mails');
      return waiting.length === 0 && (await readdir(join(shared.DATA_DIR, 'mail'))).length === 0;
    });
    expect(await replica.sql('SELECT 1 FROM login_throttles')).toEqual([]);
    await replica.stop();
  });
});
