import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { AccountListRepository } from '../../src/iam/accounts/account-list.repository.js';
import { ErasureService } from '../../src/iam/accounts/erasure/erasure.service.js';
import { ProfileDirectory } from '../../src/iam/accounts/profile/profile-directory.js';
import { canonicalEmail } from '../../src/kernel/index.js';
import type { UserId } from '../../src/kernel/principal.js';
import { statementsOf } from '../support/plans.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually, withApp } from '../support/test-app.js';

const ERASED = 'Subject: Your account was erased';
const EMPTY = {
  email: null,
  email_key: null,
  password_hash: null,
  first_name: null,
  company: null,
  country: null,
  marketing_opt_in: false,
  locale: null,
  suspended_at: null,
  search_text: '',
};

// e2e/accounts/erasure.spec.ts and e2e/platform/restore.long.spec.ts test the same from outside.
let erasure: ErasureService;
let folder: string;
const app = withApp();
beforeAll(async () => {
  erasure = app.app.get(ErasureService, { strict: false });
  folder = temporaryFolder('lists');
});
afterAll(() => rm(folder, { recursive: true }));

/** An account with a value in each column. */
async function newAccount(email: string | null = `${ulid()}@example.com`): Promise<UserId> {
  const id = ulid() as UserId;
  await app.sql(
    `INSERT INTO accounts (id, email, email_key, password_hash, first_name, company, country, marketing_opt_in, locale, suspended_at)
     VALUES ($1, $2, $3, 'hash', 'Ada', 'Lovelace Logistics', 'GB', true, 'de', now())`,
    [id, email, email && canonicalEmail(email)],
  );
  return id;
}
const rowOf = async (id: string) => (await app.sql('SELECT * FROM accounts WHERE id = $1', [id]))[0];
const eventsOf = async (id: string) =>
  (await app.sql<{ action: string }>('SELECT action FROM audit_events WHERE account_id = $1', [id])).map(
    ({ action }) => action,
  );
const erasureMails = async (to: string, count: number) =>
  (await app.mails(to, count)).filter((mail) => mail.includes(ERASED));
const jobsAreDone = () =>
  eventually('no job is due', async () => {
    const due = await app.sql('SELECT 1 FROM graphile_worker.jobs WHERE run_at <= now()');
    return due.length === 0;
  });

describe('The erasure of an account', () => {
  it('leaves its id alone, and no other account changes', async () => {
    const [ours, theirs] = [await newAccount(), await newAccount()];
    const before = [await rowOf(ours), await rowOf(theirs)];
    await erasure.erase(ours);
    expect(await rowOf(ours)).toEqual({
      ...before[0],
      ...EMPTY,
      password_version: 2,
      erased_at: expect.any(Date),
    });
    expect(await rowOf(theirs)).toEqual(before[1]);
    expect(await eventsOf(ours)).toEqual(['account.erased']);
    expect(await eventsOf(theirs)).toEqual([]);
  });

  it('removes the details of a busy account in batches, and no other details', async () => {
    const [ours, theirs] = [await newAccount(), await newAccount()];
    const insert = `INSERT INTO audit_details (event_id, account_id, details)
      SELECT $1 || lpad(n::text, 15, '0'), $2, '{"role": "loader", "on": null, "via": null}' FROM generate_series(1, $3) n`;
    const start = ulid().slice(0, 10);
    await app.sql(insert, [`${start}0`, ours, 12_000]);
    await app.sql(insert, [`${start}1`, theirs, 10]);
    const statements = await statementsOf(() => erasure.erase(ours));
    const removing = statements.filter(([sql]) => /DELETE FROM "?audit_details/.test(sql));
    expect(removing.map(([, [, after]]) => after)).toEqual([
      '',
      ...[5_000, 10_000, 12_000].map((n) => `${start}0${String(n).padStart(15, '0')}`),
    ]);
    const left = 'SELECT count(*)::int AS count FROM audit_details WHERE account_id = $1';
    expect([await app.sql(left, [ours]), await app.sql(left, [theirs])]).toEqual([
      [{ count: 0 }],
      [{ count: 10 }],
    ]);
  });

  it('tells its owner once, in their language; a second one changes nothing', async () => {
    const email = `${ulid()}@example.com`;
    const id = await newAccount(email);
    await app.sql('UPDATE accounts SET locale = $2 WHERE id = $1', [id, 'en']);
    await Promise.all([erasure.erase(id), erasure.erase(id)]);
    const after = await rowOf(id);
    await erasure.erase(id);
    await erasure.erase(ulid() as UserId);
    expect(await rowOf(id)).toEqual(after);
    expect(await eventsOf(id)).toEqual(['account.erased']);
    expect(await erasureMails(email, 1)).toHaveLength(1);
    await jobsAreDone();
    expect(await erasureMails(email, 1)).toHaveLength(1);
    const german = `${ulid()}@example.com`;
    await erasure.erase(await newAccount(german));
    expect((await app.mails(german, 1))[0]).not.toContain(ERASED);
  });

  it('reaches an account without an address, which is told nothing', async () => {
    const id = await newAccount(null);
    const mails = await app.sql('SELECT 1 FROM outgoing_mails');
    await erasure.erase(id);
    expect(await rowOf(id)).toMatchObject({ ...EMPTY, erased_at: expect.any(Date) });
    expect(await eventsOf(id)).toEqual(['account.erased']);
    expect(await app.sql('SELECT 1 FROM outgoing_mails')).toHaveLength(mails.length);
  });

  it('is seen in cached profiles', async () => {
    const profiles = app.app.get(ProfileDirectory, { strict: false });
    const id = await newAccount();
    expect(await profiles.find(id)).toMatchObject({ id, firstName: 'Ada' });
    await erasure.erase(id);
    await eventually('the profile is gone', async () => (await profiles.find(id)) === null);
  });

  it('removes the mails to the address and no others, and its own an hour later', async () => {
    const [ours, theirs] = [await app.register(), await app.register()];
    await app.post('register', { ...ours, firstName: 'Ada' }); // mails that there is an account already
    await app.mails(ours.email, 2);
    const [row] = await app.sql<{ id: UserId }>('SELECT id FROM accounts WHERE email = $1', [ours.email]);
    await erasure.erase(row?.id ?? ('' as UserId));
    await jobsAreDone();
    await eventually('the last mail is there', async () => (await erasureMails(ours.email, 0)).length === 1);
    expect(await app.mails(ours.email)).toHaveLength(1);
    expect(await app.mails(theirs.email)).toHaveLength(1);
    await app.passHourAfterErasure();
    await eventually('the last mail is gone', async () => (await app.mails(ours.email, 0)).length === 0);
    expect(await app.mails(theirs.email)).toHaveLength(1);
  });
});

describe('The list of erased accounts', () => {
  const list = async (content: unknown) => {
    const file = join(folder, `${ulid()}.json`);
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  const replay = (file: string) => app.command('erasures:replay', '--file', file);
  const exported = async () =>
    ((await app.command('erasures:export')) as { erased: readonly string[] }).erased;

  it('has each once, in order, over several pages, and no account that exists', async () => {
    const kept = await newAccount();
    await app.sql(
      `INSERT INTO accounts (id, erased_at) SELECT '01ERASED' || lpad((n * 7919 % 2001)::text, 18, '0'), now()
       FROM generate_series(0, 2000) n`,
    );
    const rows = await app.sql<{ id: string }>('SELECT id FROM accounts WHERE erased_at IS NOT NULL');
    const ids = await exported();
    expect(ids).toEqual(rows.map(({ id }) => id).toSorted());
    expect(ids.length).toBeGreaterThan(2_000);
    expect(ids).not.toContain(kept);
    expect(await app.app.get(AccountListRepository, { strict: false }).listErased(ids[2] ?? '', 3)).toEqual(
      ids.slice(3, 6),
    );
    await app.sql("DELETE FROM accounts WHERE id LIKE '01ERASED%'");
  });

  it('erases again what a backup has restored, without another mail', async () => {
    const email = `${ulid()}@example.com`;
    const restored = [await newAccount(email), await newAccount()];
    const gone = await newAccount();
    await erasure.erase(gone);
    const [before, kept] = [await rowOf(gone), await newAccount()];
    const file = await list({ erased: [gone, ...restored, ulid()] });
    expect(await replay(file)).toEqual({ listed: 4, erased: 2 });
    expect(await replay(file)).toEqual({ listed: 4, erased: 0 });
    for (const id of restored) {
      expect(await rowOf(id)).toMatchObject({ ...EMPTY, erased_at: expect.any(Date) });
      expect(await eventsOf(id)).toEqual(['account.erased']);
    }
    expect(await rowOf(gone)).toEqual(before);
    expect(await rowOf(kept)).toMatchObject({ first_name: 'Ada', erased_at: null });
    await jobsAreDone();
    expect(await erasureMails(email, 0)).toEqual([]);
  });

  it.each([
    ['is no JSON', () => 'erased'],
    ['is no list', () => ({ ids: [] })],
    ['has something else than ids', (id: string) => ({ erased: [id, 'no-id'] })],
  ])('is refused whole if the file %s', async (_, content) => {
    const id = await newAccount();
    const file = await list(content(id));
    await expect(replay(file)).rejects.toThrow(`${file} is not a list that erasures:export has made.`);
    expect(await rowOf(id)).toMatchObject({ erased_at: null });
  });

  it('is not taken for empty if the file does not exist', async () => {
    await expect(replay(join(folder, 'nothing.json'))).rejects.toThrow('does not exist');
  });
});
