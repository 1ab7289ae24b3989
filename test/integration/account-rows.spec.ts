import { AsyncLocalStorage } from 'node:async_hooks';
import { ulid } from 'ulid';
import { AccountRepository } from '../../src/iam/accounts/account.repository.js';
import { AccountMails } from '../../src/iam/accounts/account-mails.js';
import { AccountService } from '../../src/iam/accounts/account.service.js';
import { NO_NAME } from '../../src/iam/accounts/person-name.js';
import { ProfileDirectory } from '../../src/iam/accounts/profile/profile-directory.js';
import { LoginThrottle } from '../../src/iam/accounts/credentials/login-throttle.js';
import {
  type PendingRegistration,
  PendingRegistrationRepository,
} from '../../src/iam/accounts/registration/pending-registration.repository.js';
import { SuspensionService } from '../../src/iam/accounts/suspension/suspension.service.js';
import { RecipientMails } from '../../src/platform/mail/index.js';
import { createOneTimeToken } from '../../src/platform/crypto/index.js';
import { Database } from '../../src/platform/database/database.js';
import type { Locked } from '../../src/kernel/locks.js';
import type { UserId } from '../../src/kernel/principal.js';
import { age } from '../support/ageing.js';
import { growth } from '../support/metrics.js';
import { eventually, withApp } from '../support/test-app.js';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const HERE = '203.0.113.7';
const THERE = '198.51.100.9';

// As in session-repositories.spec.ts, rows of two people stand next to each other.
let database: Database;
let counter = 0;
const app = withApp();
beforeAll(async () => {
  database = app.app.get(Database, { strict: false });
});

/** Runs work in no transaction of the caller. */
const outside = AsyncLocalStorage.snapshot();

const newAddress = () => `person-${(counter += 1)}@example.com`;

async function newAccount(email: string | null = newAddress(), passwordHash: string | null = 'hash') {
  const id = ulid() as UserId;
  await app.sql('INSERT INTO accounts (id, email, email_key, password_hash) VALUES ($1, $2, $2, $3)', [
    id,
    email,
    passwordHash,
  ]);
  return { id, email: email ?? '' };
}

/** Tells whether the open transaction keeps others from locking the row. */
async function isLocked(table: string, key: string, value: unknown): Promise<boolean> {
  return app
    .sql(`SELECT 1 FROM ${table} WHERE ${key} = $1 FOR UPDATE NOWAIT`, [value])
    .then(() => false)
    .catch((error: { code?: string }) => {
      if (error.code === '55P03') return true;
      throw error;
    });
}

describe('A pending registration', () => {
  let pending: PendingRegistrationRepository;
  beforeAll(() => {
    pending = app.app.get(PendingRegistrationRepository, { strict: false });
  });

  const NETWORK = Buffer.from('network of the owner');
  const OTHER_NETWORK = Buffer.from('another network');
  const inserted = async (emailKey: string, changes: Partial<PendingRegistration> = {}) => {
    const { tokenHash } = createOneTimeToken();
    const registration: PendingRegistration = {
      email: emailKey,
      emailKey,
      passwordHash: 'hash',
      ...NO_NAME,
      firstName: 'Ada',
      company: null,
      country: null,
      marketingOptIn: false,
      locale: null,
      networkKey: NETWORK,
      ...changes,
    };
    await pending.insert(tokenHash, registration, DAY);
    return tokenHash;
  };
  const expire = (tokenHash: Buffer) =>
    age(app, 'pending_registrations', DAY + 1, 'token_hash = $1', [tokenHash]);
  const countOf = async (emailKey: string) =>
    (await app.sql('SELECT 1 FROM pending_registrations WHERE email_key = $1', [emailKey])).length;

  it('is the newest of its own address, and none once it has expired', async () => {
    const [ours, theirs] = [newAddress(), newAddress()];
    const first = await inserted(ours, { firstName: 'First' });
    const second = await inserted(ours, { firstName: 'Second', passwordHash: 'second' });
    await inserted(theirs, { firstName: 'Other', passwordHash: 'other' });
    expect(await pending.findNewestByEmailKey(ours)).toMatchObject({ email: ours, firstName: 'Second' });
    expect(await pending.findPasswordHashes(ours)).toEqual(['second', 'hash']);
    expect(await pending.find(first)).toMatchObject({ firstName: 'First', networkKey: NETWORK });
    expect(await pending.hasPassword(ours, 'second')).toBe(true);
    expect(await pending.hasPassword(ours, 'other')).toBe(false);
    await expire(second);
    expect(await pending.findNewestByEmailKey(ours)).toMatchObject({ firstName: 'First' });
    expect(await pending.findPasswordHashes(ours)).toEqual(['hash']);
    expect(await pending.hasPassword(ours, 'second')).toBe(false);
    expect(await pending.find(second)).toBeNull();
    await expire(first);
    expect(await pending.findNewestByEmailKey(ours)).toBeNull();
    expect(await pending.find(first)).toBeNull();
  });

  it('allows ten passwords per link, and counts them for this link alone', async () => {
    const address = newAddress();
    const [ours, other] = [await inserted(address), await inserted(address)];
    for (let n = 0; n < 10; n += 1) expect(await pending.countTry(ours)).toBe(true);
    expect(await pending.countTry(ours)).toBe(false);
    const tries = await app.sql(
      'SELECT failed_tries AS tries FROM pending_registrations WHERE email_key = $1 ORDER BY tries',
      [address],
    );
    expect(tries).toEqual([{ tries: 0 }, { tries: 10 }]);
    await expire(other);
    expect(await pending.countTry(other)).toBe(false);
  });

  it('is consumed with all others of its address, and not by a link that has expired', async () => {
    const [ours, theirs] = [newAddress(), newAddress()];
    const spent = await inserted(ours, { passwordHash: 'expired', firstName: 'Expired' });
    await expire(spent);
    const link = await inserted(ours, { firstName: 'Ada' });
    await inserted(ours, { passwordHash: 'eve', firstName: 'Eve' });
    await inserted(theirs);
    expect(await pending.consume(spent, null)).toBeNull();
    expect(await pending.consume(spent, 'hash')).toBeNull();
    expect(await countOf(ours)).toBe(3);
    expect(await pending.consume(link, 'expired')).toBeNull();
    const again = await inserted(ours, { firstName: 'Ada' });
    await inserted(ours, { passwordHash: 'eve', firstName: 'Eve' });
    expect(await pending.consume(again, null)).toMatchObject({ pending: { firstName: 'Ada' }, passwords: 2 });
    expect(await pending.consume(again, null)).toBeNull();
    expect([await countOf(ours), await countOf(theirs)]).toEqual([0, 1]);
  });

  it('is refused with all of its links and no others', async () => {
    const [ours, theirs] = [newAddress(), newAddress()];
    const link = await inserted(ours, { passwordHash: 'eve' });
    await inserted(ours, { passwordHash: 'eve' });
    const kept = await inserted(ours);
    await inserted(theirs, { passwordHash: 'eve' });
    expect(await pending.refuse(link)).toBe(true);
    expect(await pending.refuse(link)).toBe(false);
    expect([await countOf(ours), await countOf(theirs)]).toEqual([1, 1]);
    await expire(kept);
    expect(await pending.refuse(kept)).toBe(false);
    await pending.deleteByEmailKey(ours);
    expect([await countOf(ours), await countOf(theirs)]).toEqual([0, 1]);
  });

  it('is locked before another of a greater key, in whichever order the rows are', async () => {
    const address = newAddress();
    const hashes = [];
    for (let n = 0; n < 6; n += 1) hashes.push(await inserted(address));
    const [first, ...later] = hashes.toSorted(Buffer.compare);
    let deletion: Promise<void> | undefined;
    await database.transaction(async () => {
      await database.rows('SELECT 1 FROM pending_registrations WHERE token_hash = $1 FOR UPDATE', [first]);
      deletion = outside(() => pending.deleteByEmailKey(address));
      await eventually('it waits', async () => (await app.waitingForLocks()) > 0);
      for (const hash of later)
        expect(await isLocked('pending_registrations', 'token_hash', hash)).toBe(false);
    });
    await deletion;
    expect(await countOf(address)).toBe(0);
  });

  it('is resent once for each password, those of the own network first, then the newest', async () => {
    const [ours, theirs] = [newAddress(), newAddress()];
    await inserted(ours, { passwordHash: 'owner' });
    for (const passwordHash of ['a', 'b', 'c', 'b'])
      await inserted(ours, { passwordHash, networkKey: OTHER_NETWORK });
    await expire(await inserted(ours, { passwordHash: 'expired' }));
    await inserted(theirs, { passwordHash: 'other' });
    const resent = async (limit: number) =>
      (await pending.listDistinctForShare(ours, NETWORK, limit))
        .map(({ passwordHash }) => passwordHash)
        .toSorted();
    expect(await resent(10)).toEqual(['a', 'b', 'c', 'owner']);
    expect(await resent(2)).toEqual(['b', 'owner']);
    expect(await resent(1)).toEqual(['owner']);
  });

  it('displaces one of the network with the most, from the 5001st of an address on', async () => {
    const [ours, theirs] = [newAddress(), newAddress()];
    const flood = (address: string, count: number) =>
      app.sql(
        `INSERT INTO pending_registrations (token_hash, email, email_key, password_hash, first_name, marketing_opt_in, network_key, created_at, expires_at)
         SELECT sha256(convert_to($1 || n, 'UTF8')), $1, $1, 'eve', 'Eve', false, $2, now() + make_interval(secs => n), now() + interval '1 day'
         FROM generate_series(1, $3::int) n`,
        [address, OTHER_NETWORK, count],
      );
    await inserted(theirs);
    await inserted(ours);
    await flood(ours, 4_998);
    await inserted(ours, { networkKey: OTHER_NETWORK });
    expect(await countOf(ours)).toBe(5_000);
    await inserted(ours, { networkKey: OTHER_NETWORK });
    expect(await countOf(ours)).toBe(5_000);
    const left = await app.sql<{ network: Buffer; count: number }>(
      'SELECT network_key AS network, count(*)::int FROM pending_registrations WHERE email_key = $1 GROUP BY 1 ORDER BY 2',
      [ours],
    );
    expect(left).toEqual([
      { network: NETWORK, count: 1 },
      { network: OTHER_NETWORK, count: 4_999 },
    ]);
    expect(await countOf(theirs)).toBe(1);
    // One that another transaction is about to remove is not waited for.
    await database.transaction(async () => {
      await database.rows('SELECT 1 FROM pending_registrations WHERE email_key = $1 FOR UPDATE', [ours]);
      await outside(() => inserted(ours, { networkKey: OTHER_NETWORK }));
    });
    expect(await countOf(ours)).toBe(5_001);
  });
});

describe('Failed logins', () => {
  let throttle: LoginThrottle;
  beforeAll(() => {
    throttle = app.app.get(LoginThrottle, { strict: false });
  });
  const fail = async (email: string, ip: string, times: number) => {
    for (let n = 0; n < times; n += 1) await throttle.recordFailure(email, ip);
  };
  const rows = async () => (await app.sql('SELECT 1 FROM login_throttles')).length;

  it('block this address and network alone, which is counted', async () => {
    const [ours, theirs] = [newAddress(), newAddress()];
    await fail(ours, HERE, 5);
    const metric = 'gatehouse_logins_throttled_total';
    const counted = (email: string, ip: string, blocked: boolean) =>
      growth(app.url, metric, {}, async () => expect(await throttle.isBlocked(email, ip)).toBe(blocked));
    expect(await counted(ours, HERE, true)).toBe(1);
    expect(await counted(ours, THERE, false)).toBe(0);
    expect(await counted(theirs, HERE, false)).toBe(0);
  });

  it('of one network block it alone, whatever others have done', async () => {
    const [ours, theirs] = [newAddress(), newAddress()];
    await fail(ours, HERE, 5);
    expect(await throttle.isNetworkBlocked(ours, HERE)).toBe(true);
    expect(await throttle.isNetworkBlocked(ours, THERE)).toBe(false);
    expect(await throttle.isNetworkBlocked(theirs, HERE)).toBe(false);
    await fail(ours, THERE, 1);
    await app.sql('UPDATE login_throttles SET failures = 100 WHERE failures > 0');
    expect(await throttle.isBlocked(ours, THERE)).toBe(true);
    expect(await throttle.isNetworkBlocked(ours, THERE)).toBe(false);
    await app.sql('UPDATE login_throttles SET blocked_until = now()');
    expect(await throttle.isNetworkBlocked(ours, HERE)).toBe(false);
  });

  it('are reset for one address, by a password reset', async () => {
    const [ours, theirs] = [newAddress(), newAddress()];
    for (const email of [ours, theirs]) await fail(email, HERE, 5);
    await throttle.resetFailures({ emailKey: ours });
    expect(await throttle.isBlocked(ours, HERE)).toBe(false);
    expect(await throttle.isBlocked(theirs, HERE)).toBe(true);
  });

  it('end with a success for this address and network', async () => {
    const [ours, theirs] = [await newAccount(), await newAccount()];
    for (const { email } of [ours, theirs]) for (const ip of [HERE, THERE]) await fail(email, ip, 3);
    await throttle.recordSuccess(ours.email, HERE);
    const series = (accountId: UserId) =>
      app.sql(
        'SELECT series_failures AS failures FROM login_throttles WHERE account_id = $1 AND series_failures > 0',
        [accountId],
      );
    expect(await series(ours.id)).toEqual([{ failures: 3 }]);
    expect(await series(theirs.id)).toHaveLength(2);
    const events = await app.sql('SELECT 1 FROM audit_details WHERE account_id = ANY($1)', [
      [ours.id, theirs.id],
    ]);
    expect(events).toHaveLength(1);
  });

  it('are removed with the account, those of the address alone', async () => {
    const [ours, theirs] = [newAddress(), newAddress()];
    for (const email of [ours, theirs]) await fail(email, HERE, 1);
    const before = await rows();
    await throttle.deleteOfAccount({ userId: ulid() as Locked<UserId>, emailKey: null, tenantIds: [] });
    expect(await rows()).toBe(before);
    await throttle.deleteOfAccount({ userId: ulid() as Locked<UserId>, emailKey: ours, tenantIds: [] });
    expect(await rows()).toBe(before - 2);
  });
});

describe('An account', () => {
  let accounts: AccountService;
  let repository: AccountRepository;
  beforeAll(() => {
    accounts = app.app.get(AccountService, { strict: false });
    repository = app.app.get(AccountRepository, { strict: false });
  });

  it('is required by whom it concerns, and refused to others', async () => {
    const [active, suspended, erased] = [await newAccount(), await newAccount(), await newAccount()];
    await repository.suspend(suspended.id);
    await repository.anonymize(erased.id);
    for (const find of ['requireActiveForShare', 'requireActiveForUpdate'] as const) {
      expect(await accounts[find](active.id)).toMatchObject({ id: active.id });
      for (const { id } of [suspended, erased])
        await expect(accounts[find](id)).rejects.toMatchObject({ code: 'unauthenticated' });
    }
    expect(await accounts.lockActiveForShare(active.id)).toBe(active.id);
    for (const { id } of [suspended, erased]) expect(await accounts.lockActiveForShare(id)).toBeNull();
    expect(await accounts.requireForShare(suspended.id)).toMatchObject({ id: suspended.id });
    await expect(accounts.requireForShare(erased.id)).rejects.toMatchObject({ code: 'unauthenticated' });
    await accounts.requireUnchangedForShare(active.id, 1);
    for (const [id, version] of [
      [active.id, 2],
      [suspended.id, 1],
      [erased.id, 2],
    ] as const)
      await expect(accounts.requireUnchangedForShare(id, version)).rejects.toMatchObject({
        code: 'invalid-credentials',
      });
  });

  it('is named by its address in any letter case, or by its id', async () => {
    const { id, email } = await newAccount();
    await newAccount();
    expect(await accounts.getId(email.toUpperCase())).toBe(id);
    expect(await accounts.getId(id)).toBe(id);
    for (const unknown of [newAddress(), ulid()])
      await expect(accounts.getId(unknown)).rejects.toMatchObject({
        violations: [{ propertyPath: 'account' }],
      });
  });

  it('speaks the language of its profile, and none once it is erased', async () => {
    const profiles = app.app.get(ProfileDirectory, { strict: false });
    const { id } = await newAccount();
    await app.sql("UPDATE accounts SET locale = 'fr' WHERE id = $1", [id]);
    expect(await profiles.findLocale(id)).toBe('fr');
    expect(await profiles.findLocale(ulid() as UserId)).toBeNull();
  });

  it('is mailed the link to a first password ten times an hour', async () => {
    const mails = app.app.get(AccountMails, { strict: false });
    const send = (email: string) => mails.sendChoosePassword({ email, locale: null }, 'a-token');
    const email = newAddress();
    for (let n = 0; n < 10; n += 1) expect(await send(email)).toBe(true);
    expect(await send(email)).toBe(false);
    expect(await send(newAddress())).toBe(true);
    await age(app, 'outgoing_mails', HOUR);
    expect(await send(email)).toBe(true);
  });

  it('has a password or none', async () => {
    const [one, none] = [await newAccount(), await newAccount(newAddress(), null)];
    expect(await accounts.hasPassword(one.id)).toBe(true);
    expect(await accounts.hasPassword(none.id)).toBe(false);
    expect(await accounts.hasPassword(ulid() as UserId)).toBe(false);
  });

  const createVerified = (email: string | null, firstName: string | null) =>
    database.transaction(() => accounts.createVerified(email, { ...NO_NAME, firstName }));

  it('is created for a proven address once, and drops its registrations with their mails', async () => {
    const mails = app.app.get(RecipientMails, { strict: false });
    const [ours, theirs] = [newAddress(), newAddress()];
    for (const email of [ours, theirs])
      await app.post('register', { email, password: 'quiet-harbour-42', firstName: 'Eve' });
    await Promise.all([ours, theirs].map((email) => app.mails(email)));
    const forget = jest.spyOn(mails, 'forget');
    const id = await createVerified(ours, 'Ada');
    expect(forget.mock.calls.map(([, kinds]) => kinds)).toEqual([['verification', 'already-registered']]);
    forget.mockRestore();
    expect(await repository.find(id ?? ('' as UserId))).toMatchObject({
      email: ours,
      firstName: 'Ada',
      passwordHash: null,
      marketingOptIn: false,
    });
    const waiting = await app.sql<{ email: string }>(
      'SELECT email FROM pending_registrations WHERE email = ANY($1)',
      [[ours, theirs]],
    );
    expect(waiting).toEqual([{ email: theirs }]);
    expect(await createVerified(ours.toUpperCase(), 'Bob')).toBeNull();
    expect(await createVerified(null, null)).not.toBeNull();
    expect(await createVerified(null, null)).not.toBeNull();
  });

  it('keeps the fields of its profile that a change leaves out', async () => {
    const { id } = await newAccount();
    const profile = {
      firstName: 'Ada',
      company: 'Lovelace',
      country: 'GB',
      marketingOptIn: true,
      locale: 'fr',
    };
    expect(await repository.updateProfile(id, profile)).toMatchObject(profile);
    for (const [name, value] of Object.entries({ company: null, country: null, locale: 'de' })) {
      Object.assign(profile, { [name]: value });
      expect(await repository.updateProfile(id, { [name]: value })).toMatchObject(profile);
    }
    expect(await repository.updateProfile(id, {})).toMatchObject(profile);
    expect(await repository.updateProfile(id, { marketingOptIn: false })).toMatchObject({ firstName: 'Ada' });
    const other = await newAccount();
    expect(await repository.updateProfile(other.id, { firstName: 'Bob' })).toMatchObject({
      id: other.id,
      company: null,
    });
    expect(await repository.find(id)).toMatchObject({ firstName: 'Ada', marketingOptIn: false });
  });

  it('that does not exist is neither suspended nor restored', async () => {
    const suspension = app.app.get(SuspensionService, { strict: false });
    const [{ id }, erased] = [await newAccount(), await newAccount()];
    await repository.anonymize(erased.id);
    await suspension.suspend(id);
    expect(await repository.findActive(id)).toBeNull();
    await suspension.restore(id);
    expect(await repository.findActive(id)).toMatchObject({ id });
    for (const change of ['suspend', 'restore'] as const)
      for (const unknown of [erased.id, ulid() as UserId])
        await expect(suspension[change](unknown)).rejects.toMatchObject({ code: 'not-found' });
  });
});
