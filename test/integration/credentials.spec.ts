import { AsyncLocalStorage } from 'node:async_hooks';
import { ulid } from 'ulid';
import { AccountMails } from '../../src/iam/accounts/account-mails.js';
import { AccountRepository } from '../../src/iam/accounts/account.repository.js';
import { AccountService } from '../../src/iam/accounts/account.service.js';
import { CredentialService } from '../../src/iam/accounts/credentials/credential.service.js';
import { FailedSignIns } from '../../src/iam/accounts/credentials/failed-sign-ins.js';
import { AuditEventRepository } from '../../src/iam/audit/audit-event.repository.js';
import { LoginThrottle } from '../../src/iam/accounts/credentials/login-throttle.js';
import { PasswordHasher } from '../../src/iam/accounts/credentials/password-hasher.js';
import { PasswordResetService } from '../../src/iam/accounts/credentials/password-reset.service.js';
import { PasswordService } from '../../src/iam/accounts/credentials/password.service.js';
import { PendingRegistrationRepository } from '../../src/iam/accounts/registration/pending-registration.repository.js';
import { Database } from '../../src/platform/database/database.js';
import { AppError } from '../../src/platform/errors/index.js';
import type { PersonPrincipal, SessionId, UserId } from '../../src/kernel/principal.js';
import { age } from '../support/ageing.js';
import { statementsOf } from '../support/plans.js';
import { tokenIn, withApp } from '../support/test-app.js';

const HERE = { ipAddress: '203.0.113.7', userAgent: null, locale: null };
const PASSWORD = 'quiet-harbour-42';
const NEXT = 'another-harbour-43';
const WRONG = 'a-wrong-guess-1';

let accounts: AccountRepository;
let credentials: CredentialService;
let hasher: PasswordHasher;
const app = withApp();
beforeAll(async () => {
  accounts = get(AccountRepository);
  credentials = get(CredentialService);
  hasher = get(PasswordHasher);
});
afterEach(() => jest.restoreAllMocks());

function get<T>(type: new (...args: never[]) => T): T {
  return app.app.get<T>(type, { strict: false });
}
/** Runs work in no transaction of the caller. */
const outside = AsyncLocalStorage.snapshot();

let counter = 0;
async function newAccount({ email = '', password = PASSWORD as string | null } = {}) {
  const id = ulid() as UserId;
  const address = email || `person-${(counter += 1)}@example.com`;
  const passwordHash = password === null ? null : await hasher.hash(password, '203.0.113.0');
  await app.sql('INSERT INTO accounts (id, email, email_key, password_hash) VALUES ($1, $2, $2, $3)', [
    id,
    address,
    passwordHash,
  ]);
  return { id, email: address, passwordHash };
}
async function newAccountWithoutAddress(): Promise<UserId> {
  const id = ulid() as UserId;
  await app.sql('INSERT INTO accounts (id) VALUES ($1)', [id]);
  return id;
}
const eventsOf = async (id: string) =>
  (await app.sql<{ action: string }>('SELECT action FROM audit_events WHERE account_id = $1', [id])).map(
    ({ action }) => action,
  );
const setHash = (id: string, hash: string) =>
  app.sql('UPDATE accounts SET password_hash = $2 WHERE id = $1', [id, hash]);
/** A hash of this password with another cost, which PasswordHasher replaces. */
async function outdatedHash(password: string): Promise<string> {
  const settings = (hasher as unknown as { settings: { BCRYPT_COST: number } }).settings;
  const { BCRYPT_COST } = settings;
  settings.BCRYPT_COST = 5;
  const hash = await hasher.hash(password, '203.0.113.0');
  settings.BCRYPT_COST = BCRYPT_COST;
  return hash;
}

describe('A password', () => {
  it('is a method to confirm a sign-in by, for an active account that has one', async () => {
    const [one, none, suspended] = [
      await newAccount(),
      await newAccount({ password: null }),
      await newAccount(),
    ];
    await accounts.suspend(suspended.id);
    expect(await get(AccountService).findMeans(one.id)).toEqual({ hasPassword: true, hasEmail: true });
    expect(await get(AccountService).findMeans(none.id)).toEqual({ hasPassword: false, hasEmail: true });
    for (const id of [suspended.id, ulid() as UserId])
      expect(await get(AccountService).findMeans(id)).toEqual({ hasPassword: false, hasEmail: false });
  });

  it('is proven by its address, and by no other address', async () => {
    const [ours, theirs] = [await newAccount(), await newAccount({ password: NEXT })];
    const proven = { userId: ours.id, passwordVersion: 1, isListed: false };
    expect(await credentials.prove(ours.email.toUpperCase(), PASSWORD, HERE)).toEqual(proven);
    for (const [email, password] of [
      [ours.email, NEXT],
      [theirs.email, PASSWORD],
      ['unknown@example.com', PASSWORD],
    ] as const)
      await expect(credentials.prove(email, password, HERE)).rejects.toMatchObject({
        code: 'invalid-credentials',
      });
    await accounts.suspend(ours.id);
    await expect(credentials.prove(ours.email, PASSWORD, HERE)).rejects.toMatchObject({
      code: 'invalid-credentials',
    });
  });

  it('of the signed-in person is proven, else refused with what to do', async () => {
    const [ours, none] = [await newAccount(), await newAccount({ password: null })];
    expect(await credentials.proveOwn(ours.id, PASSWORD, HERE)).toEqual({
      userId: ours.id,
      passwordVersion: 1,
      isListed: false,
    });
    await expect(credentials.proveOwn(ours.id, WRONG, HERE)).rejects.toMatchObject({
      code: 'invalid-credentials',
      detail: 'The password is wrong.',
    });
    for (const id of [none.id, await newAccountWithoutAddress()])
      await expect(credentials.proveOwn(id, PASSWORD, HERE)).rejects.toMatchObject({
        violations: [{ propertyPath: 'method' }],
      });
    await accounts.anonymize(ours.id);
    await expect(credentials.proveOwn(ours.id, PASSWORD, HERE)).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });

  it('of an address that has got to another account proves nothing', async () => {
    const [ours, theirs] = [await newAccount(), await newAccount()];
    jest
      .spyOn(accounts, 'findByEmailKey')
      .mockImplementationOnce(() => accounts.findByEmailKey(theirs.email));
    await expect(credentials.proveOwn(ours.id, PASSWORD, HERE)).rejects.toMatchObject({
      code: 'invalid-credentials',
    });
  });

  it('is hashed again with the present cost when it is proven, and not else', async () => {
    const [outdated, present] = [await newAccount(), await newAccount()];
    await setHash(outdated.id, await outdatedHash(PASSWORD));
    for (const { email } of [outdated, present]) await credentials.prove(email, PASSWORD, HERE);
    const [after, kept] = [await accounts.find(outdated.id), await accounts.find(present.id)];
    expect(after?.passwordHash).toMatch(/\$2b\$04\$/);
    expect(after?.passwordVersion).toBe(1);
    expect(kept?.passwordHash).toBe(present.passwordHash);
    expect(await credentials.prove(outdated.email, PASSWORD, HERE)).toMatchObject({ userId: outdated.id });
  });
});

describe('A change of the password', () => {
  const change = ({ id }: { id: UserId }, current = PASSWORD) =>
    get(PasswordService).change(
      { userId: id, sessionId: ulid() as SessionId } as PersonPrincipal,
      current,
      NEXT,
      HERE,
    );
  const saltOf = (hash: string | null | undefined) => hash?.slice(0, 'v1$01234567$$2b$04$'.length + 22);

  it('keeps the salt, tells the owner, and counts as a new version', async () => {
    const account = await newAccount();
    await change(account);
    const after = await accounts.find(account.id);
    expect(after).toMatchObject({ passwordVersion: 2 });
    expect(saltOf(after?.passwordHash)).toBe(saltOf(account.passwordHash));
    expect(await eventsOf(account.id)).toEqual(['account.password-changed']);
    expect((await app.mails(account.email))[0]).toContain('Subject: Your password was changed');
    expect(await credentials.prove(account.email, NEXT, HERE)).toEqual({
      userId: account.id,
      passwordVersion: 2,
      isListed: false,
    });
  });

  it('does not keep an outdated cost', async () => {
    const account = await newAccount();
    // As it is after a failed rehash: the new cost has come since.
    jest.spyOn(accounts, 'rehashPassword').mockResolvedValue();
    await setHash(account.id, await outdatedHash(PASSWORD));
    await change(account);
    expect((await accounts.find(account.id))?.passwordHash).toMatch(/\$2b\$04\$/);
  });

  it('is refused with a wrong password, and to an account that has none', async () => {
    const wrong = { violations: [{ propertyPath: 'currentPassword' }] };
    const account = await newAccount();
    await expect(change(account, WRONG)).rejects.toMatchObject(wrong);
    await expect(change(await newAccount({ password: null }))).rejects.toMatchObject(wrong);
    await expect(change({ id: await newAccountWithoutAddress() })).rejects.toMatchObject(wrong);
    expect(await accounts.find(account.id)).toMatchObject({ passwordVersion: 1 });
    await accounts.suspend(account.id);
    await expect(change(account)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('says so if too many passwords wait to be hashed, and not that this one is wrong', async () => {
    const account = await newAccount();
    const busy = new AppError('unavailable');
    jest.spyOn(hasher, 'verify').mockRejectedValueOnce(busy);
    await expect(change(account)).rejects.toBe(busy);
    jest.spyOn(hasher, 'verify').mockRejectedValueOnce(busy);
    await expect(credentials.proveOwn(account.id, PASSWORD, HERE)).rejects.toBe(busy);
  });

  it('is refused if the password was changed concurrently, or the account is gone', async () => {
    const [changed, erased] = [await newAccount(), await newAccount()];
    const hash = hasher.hash.bind(hasher);
    const during = (work: () => Promise<void>) =>
      jest.spyOn(hasher, 'hash').mockImplementation(async (password, network, like) => {
        if (password === NEXT) await work();
        return hash(password, network, like);
      });
    during(() => accounts.setPassword(changed.id, 'of another request'));
    await expect(change(changed)).rejects.toMatchObject({
      violations: [{ propertyPath: 'currentPassword' }],
    });
    expect(await accounts.find(changed.id)).toMatchObject({ passwordHash: 'of another request' });
    during(() => accounts.anonymize(erased.id));
    await expect(change(erased)).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

describe('A reset of the password', () => {
  const requested = (email: string, network?: string) =>
    get(PasswordResetService).sendResetMail({ email, ...(network !== undefined && { network }) });
  const reset = (token: string, password = NEXT) => get(PasswordService).reset(token, password, HERE);
  const linksOf = async (email: string, count: number) => (await app.mails(email, count)).map(tokenIn);
  const keyOf = (email: string, ipAddress: string) =>
    get(AccountMails).networkKey(email, ipAddress).toString('hex');
  const invalid = { violations: [{ propertyPath: 'token' }] };

  it('works once, by the last link alone', async () => {
    const { id, email } = await newAccount();
    for (const n of [1, 2]) {
      await requested(email);
      await app.mails(email, n);
    }
    const [first = '', second = ''] = await linksOf(email, 2);
    await expect(reset(first)).rejects.toMatchObject(invalid);
    await reset(second);
    await expect(reset(second)).rejects.toMatchObject(invalid);
    expect(await eventsOf(id)).toEqual(['account.password-reset']);
    expect(await credentials.prove(email, NEXT, HERE)).toMatchObject({ userId: id });
  });

  it('is mailed to no address without an account, and to no suspended one, without an error', async () => {
    const suspended = await newAccount();
    await accounts.suspend(suspended.id);
    const before = await app.sql('SELECT 1 FROM password_resets');
    for (const email of ['unknown@example.com', suspended.email])
      await requested(email, keyOf(email, HERE.ipAddress));
    expect(await app.sql('SELECT 1 FROM password_resets')).toHaveLength(before.length);
    expect(await app.mails(suspended.email, 0)).toEqual([]);
  });

  it('beyond the mails of one network leaves the link that was mailed, and other networks theirs', async () => {
    const { email } = await newAccount();
    for (let n = 0; n < 12; n += 1) await requested(email, keyOf(email, HERE.ipAddress));
    expect(await linksOf(email, 10)).toHaveLength(10);
    await requested(email, keyOf(email, '198.51.100.9'));
    const links = await linksOf(email, 11);
    expect(links).toHaveLength(11);
    for (let n = 0; n < 3; n += 1) await requested(email, keyOf(email, HERE.ipAddress));
    await reset(links.at(-1) ?? '');
  });

  it('is refused if the account is suspended or the link used while the password is hashed', async () => {
    const hash = hasher.hash.bind(hasher);
    const consume = (id: UserId) => app.sql('DELETE FROM password_resets WHERE account_id = $1', [id]);
    for (const concurrently of [(id: UserId) => accounts.suspend(id), consume]) {
      const { id, email } = await newAccount();
      await requested(email);
      const [link = ''] = await linksOf(email, 1);
      jest.spyOn(hasher, 'hash').mockImplementation(async (...args) => {
        await concurrently(id);
        return hash(...args);
      });
      await expect(reset(link)).rejects.toMatchObject(invalid);
      jest.restoreAllMocks();
      expect(await accounts.find(id)).toMatchObject({ passwordVersion: 1 });
    }
  });
});

describe('A series of failed sign-ins', () => {
  const fail = async (email: string, times = 2) => {
    for (let n = 0; n < times; n += 1) await get(LoginThrottle).recordFailure(email, HERE.ipAddress);
  };
  const lock = (id: UserId) =>
    get(Database).rows(
      'SELECT 1 FROM login_throttles WHERE account_id = $1 AND series_failures > 0 FOR UPDATE',
      [id],
    );

  it('is ended once after an hour, and left to the transaction that has locked it', async () => {
    const [ours, theirs] = [await newAccount(), await newAccount()];
    for (const { email } of [ours, theirs]) await fail(email);
    await age(app, 'login_throttles', 3_601, 'account_id = $1', [ours.id]);
    const endQuietSeries = () => get(FailedSignIns).endQuietSeries();
    await get(Database).transaction(async () => {
      await lock(ours.id);
      expect(await outside(endQuietSeries)).toBe(false);
    });
    expect(await eventsOf(ours.id)).toEqual([]);
    for (const _ of [1, 2]) expect(await endQuietSeries()).toBe(false);
    expect(await eventsOf(ours.id)).toEqual(['account.sign-in-failed']);
    expect(await eventsOf(theirs.id)).toEqual([]);
    const [event] = await get(AuditEventRepository).listFailures(ours.id, 10);
    expect(event).toMatchObject({ details: { count: 2, ended: true }, subject: `iam/accounts/${ours.id}` });
  });

  it('is looked for only where there is one: a success without one is two statements', async () => {
    const { id, email } = await newAccount();
    const succeed = () => get(LoginThrottle).recordSuccess(email, HERE.ipAddress);
    expect(await statementsOf(succeed)).toHaveLength(2);
    expect(await statementsOf(succeed)).toHaveLength(2);
    await fail(email);
    await succeed();
    const [event, ...more] = await get(AuditEventRepository).listFailures(id, 10);
    expect(event).toMatchObject({ details: { count: 2, ended: true } });
    expect(more).toEqual([]);
    expect(await statementsOf(succeed)).toHaveLength(2);
    const rows = await app.sql(
      'SELECT series_failures, failures, trusted_until > now() AS trusted FROM login_throttles WHERE account_id = $1',
      [id],
    );
    expect(rows).toEqual([{ series_failures: 0, failures: 0, trusted: true }]);
  });

  it('is held while it is ended', async () => {
    const { id, email } = await newAccount();
    await fail(email);
    const [row] = await app.sql<{ key: Buffer }>(
      'SELECT account_key AS key FROM login_throttles WHERE account_id = $1',
      [id],
    );
    const rows = get(Database);
    const record = jest.spyOn(get(FailedSignIns) as never, 'record' as never);
    record.mockImplementation((async () => {
      const other = app.sql(
        'SELECT 1 FROM login_throttles WHERE account_id = $1 AND series_failures > 0 FOR UPDATE NOWAIT',
        [id],
      );
      await expect(other).rejects.toMatchObject({ code: '55P03' });
    }) as never);
    await rows.transaction(() => get(FailedSignIns).endSeries([row?.key ?? Buffer.alloc(0)]));
    expect(record).toHaveBeenCalledTimes(1);
    record.mockRestore();
    await rows.transaction(() => get(FailedSignIns).endSeries([row?.key ?? Buffer.alloc(0)]));
    expect(await eventsOf(id)).toEqual(['account.sign-in-failed']);
  });

  it('is not guessed by the password of a registration of the address', async () => {
    const { email } = await newAccount();
    const find = jest.spyOn(get(PendingRegistrationRepository), 'findPasswordHashes');
    find.mockResolvedValueOnce([
      await hasher.hash(NEXT, '203.0.113.0', (await accounts.findByEmailKey(email))?.passwordHash),
    ]);
    await expect(credentials.prove(email, NEXT, HERE)).rejects.toMatchObject({ code: 'email-not-verified' });
    const failures = await app.sql(
      'SELECT failures FROM login_throttles t JOIN accounts a ON a.id = t.account_id WHERE a.email = $1',
      [email],
    );
    expect(failures).toEqual([{ failures: 1 }, { failures: 1 }]);
  });
});
