import { Client } from 'pg';
import { CleanupService } from '../../src/platform/cleanup/cleanup.js';
import { FlowRepository } from '../../src/external-identity/flow/flow.repository.js';
import { FormPostRepository } from '../../src/external-identity/flow/form-post/form-post.repository.js';
import { FormPostStore } from '../../src/external-identity/flow/form-post/form-post-store.js';
import { StateStore } from '../../src/external-identity/flow/state/state-store.js';
import { ExternalCodeService } from '../../src/external-identity/flow/code/code.service.js';
import { StateRepository } from '../../src/external-identity/flow/state/state.repository.js';
import { AccountCodeRepository } from '../../src/session/codes/account-code.repository.js';
import { AccountRepository } from '../../src/iam/accounts/account.repository.js';
import { AccountService } from '../../src/iam/accounts/account.service.js';
import { PasswordResetRepository } from '../../src/iam/accounts/credentials/password-reset.repository.js';
import { hashOneTimeToken } from '../../src/platform/crypto/index.js';
import { Database } from '../../src/platform/database/database.js';
import type { UserId } from '../../src/kernel/principal.js';
import { age } from '../support/ageing.js';
import { inTurnBehind } from '../support/locks.js';
import { withApp } from '../support/test-app.js';

// As in session-repositories.spec.ts, rows of two people stand next to each other.
let database: Database;
let counter = 0;
const app = withApp();
beforeAll(async () => {
  database = app.app.get(Database, { strict: false });
});

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

const externalCode = (userId: UserId, connectionId = '') => ({
  userId,
  sessionId: null,
  codeChallenge: 'challenge',
  content: { kind: 'google', connectionId, upstream: null, isTwoFactor: false },
});

describe('A code of external sign-in', () => {
  let codes: AccountCodeRepository;
  beforeAll(() => {
    codes = app.app.get(AccountCodeRepository, { strict: false });
  });
  async function newCode(userId: UserId): Promise<Buffer> {
    const hash = newHash();
    await codes.insert('external', hash, externalCode(userId), 60);
    return hash;
  }

  it('is its own, and held from when it is presented', async () => {
    const [ours, theirs] = [await newAccount(), await newAccount()];
    const [code, other] = [await newCode(ours), await newCode(theirs)];
    expect(await codes.findOwner('external', code)).toBe(ours);
    expect(await codes.findOwner('external', other)).toBe(theirs);
    await database.transaction(async () => {
      expect(await codes.findForUpdate('external', code)).toMatchObject({ userId: ours, isConsumed: false });
      expect(await isLocked('one_time_codes', 'code_hash', code)).toBe(true);
      expect(await isLocked('one_time_codes', 'code_hash', other)).toBe(false);
    });
    await codes.consume(code, null);
    expect(await codes.findForUpdate('external', code)).toMatchObject({ isConsumed: true });
    expect(await codes.findForUpdate('external', other)).toMatchObject({ userId: theirs, isConsumed: false });
  });

  it('expires', async () => {
    const code = await newCode(await newAccount());
    await age(app, 'one_time_codes', 61, 'code_hash = $1', [code]);
    expect(await codes.findOwner('external', code)).toBeNull();
    expect(await codes.findForUpdate('external', code)).toBeNull();
  });

  it('that was never issued is refused without locking an account', async () => {
    const lock = jest.spyOn(app.app.get(AccountService, { strict: false }), 'lockForUpdate');
    const redeemed = app.app
      .get(ExternalCodeService, { strict: false })
      .redeem(
        { code: 'no code', codeVerifier: 'verifier' },
        { ipAddress: '203.0.113.7', userAgent: null, locale: null },
      );
    expect(await redeemed).toBeNull();
    expect(lock).not.toHaveBeenCalled();
    lock.mockRestore();
  });

  it('goes with its account, and is withdrawn while it is not redeemed', async () => {
    const [ours, theirs] = [await newAccount(), await newAccount()];
    const [redeemed, waiting, other] = [await newCode(ours), await newCode(ours), await newCode(theirs)];
    await codes.consume(redeemed, null);
    await codes.withdraw({ userId: ours });
    expect(await codes.findOwner('external', waiting)).toBeNull();
    expect(await codes.findOwner('external', redeemed)).toBe(ours);
    await codes.deleteAll({ userId: ours });
    expect(await codes.findOwner('external', redeemed)).toBeNull();
    expect(await codes.findOwner('external', other)).toBe(theirs);
  });
});

it('A completed flow and a proof count once each', async () => {
  const flows = app.app.get(FlowRepository, { strict: false });
  expect(await flows.complete('our flow', 60)).toBe(true);
  expect(await flows.complete('our flow', 60)).toBe(false);
  expect(await flows.complete('their flow', 60)).toBe(true);
  const soon = new Date(Date.now() + 60_000);
  expect(await flows.consumeProof('ours', soon)).toBe(true);
  expect(await flows.consumeProof('ours', soon)).toBe(false);
  expect(await flows.consumeProof('theirs', soon)).toBe(true);
});

describe('A stored form', () => {
  const MAX_BYTES = 100;
  let forms: FormPostRepository;
  beforeAll(() => {
    forms = app.app.get(FormPostRepository, { strict: false });
  });
  const newForm = (network = newHash(), sealed = 'form') => ({
    keyHash: newHash(),
    slot: newHash(),
    network,
    sealed: `${sealed} ${(counter += 1)}`,
  });
  const insert = (form: ReturnType<typeof newForm>) => forms.insert(form, 60, MAX_BYTES);
  const expire = (keyHash: Buffer) => age(app, 'external_forms', 61, 'key_hash = $1', [keyHash]);
  const rows = async () =>
    (await app.sql<{ key: Buffer }>('SELECT key_hash AS key FROM external_forms')).map(({ key }) => key);

  it('is found by its own key, until it is emptied, which happens once', async () => {
    const [ours, theirs] = [newForm(), newForm()];
    expect([await insert(ours), await insert(theirs)]).toEqual([true, true]);
    expect(await forms.find(ours.keyHash)).toBe(ours.sealed);
    expect(await forms.find(newHash())).toBeNull();
    expect(await forms.empty(ours.keyHash)).toBe(true);
    expect(await forms.empty(ours.keyHash)).toBe(false);
    expect(await forms.find(ours.keyHash)).toBeNull();
    expect(await forms.find(theirs.keyHash)).toBe(theirs.sealed);
  });

  it('is replaced by the next of its slot, and removed by the next of any network once it expires', async () => {
    const [first, other] = [newForm(), newForm()];
    const second = { ...newForm(), slot: first.slot, network: first.network };
    for (const form of [first, other, second]) await insert(form);
    expect(await forms.find(first.keyHash)).toBeNull();
    expect(await forms.find(second.keyHash)).toBe(second.sealed);
    await expire(second.keyHash);
    expect(await forms.find(second.keyHash)).toBeNull();
    await insert(newForm());
    const left = await rows();
    expect(left).not.toContainEqual(second.keyHash);
    expect(left).toContainEqual(other.keyHash);
  });

  it('is refused beyond the share of its network, which others do not use up', async () => {
    const network = newHash();
    const half = 'x'.repeat(MAX_BYTES / 2 - 10);
    const stored = [newForm(network, half), newForm(network, half), newForm(network, half)];
    expect(await Promise.all(stored.map(insert))).toEqual(expect.arrayContaining([true, true, false]));
    expect(await insert(newForm(network))).toBe(true);
    expect(await insert(newForm(newHash(), half))).toBe(true);
    await app.sql('UPDATE external_forms SET expires_at = expires_at - $2::interval WHERE network = $1', [
      network,
      '61 seconds',
    ]);
    expect(await insert(newForm(network, half))).toBe(true);
  });

  it('may use up the share to the last byte, and is refused beyond it without waiting', async () => {
    const sized = (length: number) => ({ ...newForm(), sealed: 'x'.repeat(length) });
    const begin = database.transaction.bind(database);
    const ours: string[] = [];
    const transactions = jest.spyOn(database, 'transaction').mockImplementation((work) => {
      const { stack = '' } = new Error();
      if (stack.includes('form-post')) ours.push(stack); // others are of the background
      return begin(work);
    });
    expect(await insert(sized(MAX_BYTES + 1))).toBe(false);
    expect(ours).toEqual([]);
    expect(await insert(sized(MAX_BYTES))).toBe(true);
    expect(ours).toHaveLength(1);
    transactions.mockRestore();
  });

  it('may use up the share of its network', async () => {
    const sized = (length: number) => ({ ...newForm(), sealed: 'x'.repeat(length) });
    expect(await insert(sized(MAX_BYTES))).toBe(true);
  });

  it('waits for another of its network', async () => {
    const form = newForm();
    const lock = "SELECT pg_advisory_xact_lock(hashtextextended(encode($1::bytea, 'hex'), 0))";
    expect(await inTurnBehind<[boolean]>(app, [lock, form.network], () => insert(form))).toEqual([true]);
  });

  it('does not wait for an expired one that another transaction has locked', async () => {
    const expired = newForm();
    await insert(expired);
    await expire(expired.keyHash);
    const other = new Client({ connectionString: app.databaseUrl });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM external_forms WHERE key_hash = $1 FOR UPDATE', [expired.keyHash]);
      expect(await insert(newForm())).toBe(true);
      expect(await rows()).toContainEqual(expired.keyHash);
    } finally {
      await other.end();
    }
  });

  it('is read for its own kind, and refused with a time to wait', async () => {
    const store = app.app.get(FormPostStore, { strict: false });
    const parameters = { SAMLResponse: 'response' };
    const flow = { kind: 'saml', flowId: 'flow' };
    const key = await store.keep(flow, '203.0.113.7', parameters);
    expect(await store.find('saml', key)).toEqual(parameters);
    expect(await store.find('oidc', key)).toBeNull();
    expect(await store.find('saml', 'another key')).toBeNull();
    expect([await store.take(key), await store.take(key)]).toEqual([true, false]);
    expect(await store.find('saml', key)).toBeNull();
    const large = { SAMLResponse: 'x'.repeat(4 * 1_024 * 1_024) };
    await expect(store.keep(flow, '203.0.113.8', large)).rejects.toMatchObject({
      code: 'too-many-requests',
      retryAfterSeconds: 60,
    });
  });
});

it('The cleanup removes what has expired of external sign-in, and nothing else', async () => {
  const states = app.app.get(StateRepository, { strict: false });
  const codes = app.app.get(AccountCodeRepository, { strict: false });
  const forms = app.app.get(FormPostRepository, { strict: false });
  const flows = app.app.get(FlowRepository, { strict: false });
  const userId = await newAccount();
  const [gone, kept] = [hashOneTimeToken('gone'), hashOneTimeToken('kept')];
  for (const [key, proof] of [
    [gone, 'gone'],
    [kept, 'kept'],
  ] as const) {
    await states.insert(key, 'state', null, 60);
    await codes.insert('external', key, externalCode(userId), 60);
    await forms.insert({ keyHash: key, slot: key, network: key, sealed: 'form' }, 60, 1_000);
    await flows.complete(key.toString('hex'), 60);
    await flows.consumeProof(proof, new Date(Date.now() + 60_000));
  }
  const tables = [
    ['external_states', 'key_hash'],
    ['one_time_codes', 'code_hash'],
    ['external_forms', 'key_hash'],
    ['external_proofs', 'proof_hash'],
    ['external_flows', "decode(id, 'hex')"],
  ] as const;
  await app.sql("DELETE FROM external_flows WHERE id LIKE '% flow'");
  for (const [table, key] of tables) await age(app, table, 61, `${key} = $1`, [gone]);
  await app.app.get(CleanupService, { strict: false }).run();
  for (const [table, key] of tables) {
    const left = await app.sql(`SELECT ${key} AS key FROM ${table} WHERE ${key} = ANY($1)`, [[gone, kept]]);
    expect([table, left]).toEqual([table, [{ key: kept }]]);
  }
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

it('A stored state goes with the account that links', async () => {
  const states = app.app.get(StateRepository, { strict: false });
  const [ours, theirs] = [await newAccount(), await newAccount()];
  const keys = [newHash(), newHash(), newHash()] as const;
  for (const [n, userId] of [ours, theirs, null].entries())
    await states.insert(keys[n] as Buffer, 'x', userId, 60);
  await app.app.get(StateStore, { strict: false }).forget({ userId: ours });
  expect(await Promise.all(keys.map((key) => states.find(key)))).toEqual([null, 'x', 'x']);
});

describe('An account', () => {
  let accounts: AccountRepository;
  beforeAll(() => {
    accounts = app.app.get(AccountRepository, { strict: false });
  });

  it('is unchanged while it is active and has the same password, and is then held', async () => {
    const [ours, theirs] = [await newAccount(), await newAccount()];
    await database.transaction(async () => {
      expect(await accounts.lockUnchangedForShare(ours, 1)).toBe(ours);
      expect(await isLocked('accounts', 'id', ours)).toBe(true);
      expect(await isLocked('accounts', 'id', ours, 'FOR SHARE')).toBe(false);
      expect(await isLocked('accounts', 'id', theirs)).toBe(false);
    });
    await accounts.setPassword(ours, 'hash');
    expect(await accounts.lockUnchangedForShare(ours, 1)).toBeNull();
    expect(await accounts.lockUnchangedForShare(ours, 2)).toBe(ours);
    expect(await accounts.lockUnchangedForShare(theirs, 1)).toBe(theirs);
    await accounts.suspend(ours);
    expect(await accounts.lockUnchangedForShare(ours, 2)).toBeNull();
    await accounts.anonymize(theirs);
    expect(await accounts.lockUnchangedForShare(theirs, 2)).toBeNull();
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
