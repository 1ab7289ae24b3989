import { ExternalCodeRepository } from '../../src/external-identity/flow/code/code.repository.js';
import { StateRepository } from '../../src/external-identity/flow/state/state.repository.js';
import { AccountRepository } from '../../src/iam/accounts/account.repository.js';
import { PasswordResetRepository } from '../../src/iam/accounts/credentials/password-reset.repository.js';
import { hashOneTimeToken } from '../../src/platform/crypto/index.js';
import { Database } from '../../src/platform/database/database.js';
import type { UserId } from '../../src/kernel/principal.js';
import { age } from '../support/ageing.js';
import { TestApp } from '../support/test-app.js';

// As in session-repositories.spec.ts, rows of two people stand beside each other.
let app: TestApp;
let database: Database;
let counter = 0;
beforeAll(async () => {
  app = await TestApp.start();
  database = app.app.get(Database, { strict: false });
});
afterAll(() => app.stop());

async function newAccount(): Promise<UserId> {
  const id = `account-${(counter += 1)}` as UserId;
  await app.sql('INSERT INTO accounts (id, email, email_key) VALUES ($1, $1, $1)', [id]);
  return id;
}
const newHash = () => hashOneTimeToken(`token ${(counter += 1)}`);

/** Tells whether the open transaction keeps others from locking the row like this. */
async function isLocked(table: string, key: string, value: unknown, how = 'FOR UPDATE'): Promise<boolean> {
  return app
    .sql(`SELECT 1 FROM ${table} WHERE ${key} = $1 ${how} NOWAIT`, [value])
    .then(() => false)
    .catch((error: { code?: string }) => {
      if (error.code === '55P03') return true;
      throw error;
    });
}

describe('The link to a new password', () => {
  let resets: PasswordResetRepository;
  beforeAll(() => {
    resets = app.app.get(PasswordResetRepository, { strict: false });
  });

  it('is its own, works once, and is replaced by the next', async () => {
    const [ours, theirs] = [await newAccount(), await newAccount()];
    const [first, second, other] = [newHash(), newHash(), newHash()];
    await resets.replace(theirs, other, 600);
    await resets.replace(ours, first, 600);
    expect(await resets.findAccountId(first)).toBe(ours);
    await resets.replace(ours, second, 600);
    expect(await resets.findAccountId(first)).toBeNull();
    expect(await resets.consume(first)).toBe(false);
    expect(await resets.consume(second)).toBe(true);
    expect(await resets.consume(second)).toBe(false);
    expect(await resets.findAccountId(other)).toBe(theirs);
  });

  it('is given to the account alone, and to one that exists', async () => {
    const ours = await newAccount();
    const hash = newHash();
    await resets.replace('no account' as UserId, hash, 600);
    expect(await resets.findAccountId(hash)).toBeNull();
    await resets.replace(ours, hash, 600);
    expect(await resets.findAccountId(hash)).toBe(ours);
  });

  it('expires', async () => {
    const hash = newHash();
    await resets.replace(await newAccount(), hash, 600);
    await age(app, 'password_resets', 601, 'token_hash = $1', [hash]);
    expect(await resets.findAccountId(hash)).toBeNull();
    expect(await resets.consume(hash)).toBe(false);
  });
});

describe('A code of external sign-in', () => {
  let codes: ExternalCodeRepository;
  beforeAll(() => {
    codes = app.app.get(ExternalCodeRepository, { strict: false });
  });
  async function newCode(userId: UserId): Promise<Buffer> {
    const hash = newHash();
    await codes.insert(hash, { userId, kind: 'google', codeChallenge: 'challenge' }, 60);
    return hash;
  }

  it('is its own, and held from when it is presented', async () => {
    const [ours, theirs] = [await newAccount(), await newAccount()];
    const [code, other] = [await newCode(ours), await newCode(theirs)];
    expect(await codes.findOwner(code)).toBe(ours);
    expect(await codes.findOwner(other)).toBe(theirs);
    await database.transaction(async () => {
      expect(await codes.findForUpdate(code)).toMatchObject({ userId: ours, consumed: false });
      expect(await isLocked('external_codes', 'code_hash', code)).toBe(true);
      expect(await isLocked('external_codes', 'code_hash', other)).toBe(false);
    });
    await codes.consume(code, null);
    expect(await codes.findForUpdate(code)).toMatchObject({ consumed: true });
    expect(await codes.findForUpdate(other)).toMatchObject({ userId: theirs, consumed: false });
  });

  it('expires', async () => {
    const code = await newCode(await newAccount());
    await age(app, 'external_codes', 61, 'code_hash = $1', [code]);
    expect(await codes.findOwner(code)).toBeNull();
    expect(await codes.findForUpdate(code)).toBeNull();
  });
});

it('A stored state is found by its own key, until it expires', async () => {
  const states = app.app.get(StateRepository, { strict: false });
  const [ours, theirs] = [newHash(), newHash()];
  await states.insert(ours, 'our state', null, 60);
  await states.insert(theirs, 'their state', null, 60);
  expect(await states.find(ours)).toBe('our state');
  expect(await states.find(theirs)).toBe('their state');
  await age(app, 'external_states', 61, 'key_hash = $1', [ours]);
  expect(await states.find(ours)).toBeNull();
});

describe('An account', () => {
  let accounts: AccountRepository;
  beforeAll(() => {
    accounts = app.app.get(AccountRepository, { strict: false });
  });

  it('is unchanged while it is active and has the same password, and is then held', async () => {
    const [ours, theirs] = [await newAccount(), await newAccount()];
    await database.transaction(async () => {
      expect(await accounts.isUnchangedForShare(ours, 1)).toBe(true);
      expect(await isLocked('accounts', 'id', ours)).toBe(true);
      expect(await isLocked('accounts', 'id', ours, 'FOR SHARE')).toBe(false);
      expect(await isLocked('accounts', 'id', theirs)).toBe(false);
    });
    await accounts.setPassword(ours, 'hash');
    expect(await accounts.isUnchangedForShare(ours, 1)).toBe(false);
    expect(await accounts.isUnchangedForShare(ours, 2)).toBe(true);
    expect(await accounts.isUnchangedForShare(theirs, 1)).toBe(true);
    await accounts.suspend(ours);
    expect(await accounts.isUnchangedForShare(ours, 2)).toBe(false);
    await accounts.anonymize(theirs);
    expect(await accounts.isUnchangedForShare(theirs, 2)).toBe(false);
  });

  it('is found by whom it concerns: not suspended, not erased', async () => {
    const [active, suspended, erased] = [await newAccount(), await newAccount(), await newAccount()];
    await accounts.suspend(suspended);
    await accounts.anonymize(erased);
    for (const [id, exists, isActive] of [
      [active, true, true],
      [suspended, true, false],
      [erased, false, false],
    ] as const) {
      for (const find of ['find', 'findForShare', 'findForUpdate'] as const) {
        expect((await accounts[find](id))?.id ?? null).toBe(exists ? id : null);
      }
      for (const find of ['findActive', 'findActiveForShare', 'findActiveForUpdate'] as const) {
        expect((await accounts[find](id))?.id ?? null).toBe(isActive ? id : null);
      }
    }
    const profiles = await accounts.findProfiles([active, suspended, erased]);
    expect([...profiles.keys()].toSorted()).toEqual([active, suspended].toSorted());
    expect(await accounts.updateProfile(erased, { firstName: 'Ada' })).toBeNull();
    expect(await accounts.updateProfile(active, { firstName: 'Ada' })).toMatchObject({ firstName: 'Ada' });
    expect(await accounts.findActive(suspended)).toBeNull();
    expect(await accounts.find(suspended)).toMatchObject({ firstName: null });
  });

  it.each([
    ['findForShare', 'FOR NO KEY UPDATE', 'FOR SHARE'],
    ['findActiveForShare', 'FOR NO KEY UPDATE', 'FOR SHARE'],
    ['findForUpdate', 'FOR KEY SHARE', undefined],
    ['findActiveForUpdate', 'FOR KEY SHARE', undefined],
  ] as const)('is held after %s', async (find, refused, allowed) => {
    const id = await newAccount();
    await database.transaction(async () => {
      await accounts[find](id);
      expect(await isLocked('accounts', 'id', id, refused)).toBe(true);
      if (allowed) expect(await isLocked('accounts', 'id', id, allowed)).toBe(false);
    });
  });

  it('is held when it is found by its address for a mail', async () => {
    const id = await newAccount();
    expect(await accounts.findByEmailKey(id)).toMatchObject({ id });
    await database.transaction(async () => {
      expect(await accounts.findByEmailKeyForShare(id)).toMatchObject({ id });
      expect(await isLocked('accounts', 'id', id)).toBe(true);
    });
  });

  it('keeps its new password when an outdated hash of the earlier one is replaced', async () => {
    const id = await newAccount();
    await accounts.rehashPassword(id, 1, 'same password, new hash');
    expect(await accounts.find(id)).toMatchObject({ passwordHash: 'same password, new hash' });
    await accounts.setPassword(id, 'new password');
    await accounts.rehashPassword(id, 1, 'earlier password');
    expect(await accounts.find(id)).toMatchObject({ passwordHash: 'new password', passwordVersion: 2 });
  });
});
