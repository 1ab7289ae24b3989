import { decodeJwt } from 'jose';
import pg from 'pg';
import { ANCHOR_TYPE } from '../../src/audit/anchors/anchor.js';
import { AnchorKeys } from '../../src/audit/anchors/anchor-keys.js';
import { AnchorService } from '../../src/audit/anchors/anchor.service.js';
import { AuditRemoval } from '../../src/audit/retention/audit-removal.js';
import { VerificationRepository } from '../../src/audit/verification/verification.repository.js';
import { VerificationService } from '../../src/audit/verification/verification.service.js';
import { firstIdAt, newId } from '../../src/kernel/index.js';
import { PLATFORM } from '../../src/platform/events/index.js';
import { signJwt } from '../../src/session/index.js';
import { AuditChain, chainAll } from '../support/audit-chain.js';
import { Organization } from '../support/organization.js';
import { createDatabase, TestApp } from '../support/test-app.js';

const ROOT_SECRET = Buffer.alloc(32, 1).toString('base64');
const DAY_MS = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
/**
 * First moment of a month, in UTC.
 * @param months from this one; from the last one on the first days of a month, as a retention of a
 *   day still keeps it
 */
const monthFrom = (months: number): Date => {
  const now = daysAgo(3);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
};
const NOT_SIGNED = 'The start of the chain is not signed by this service.';

/** Signs the end of a chain, as if it were some days ago. */
async function anchorAt(app: TestApp, { tenantId }: AuditChain, days: number): Promise<void> {
  await app.app.get(AnchorService, { strict: false }).anchor();
  const key = await app.app.get(AnchorKeys, { strict: false }).prepare();
  const made = await app.sql<{ jws: string }>(
    "SELECT jws FROM audit_anchors WHERE tenant_id = $1 AND created_at > now() - interval '1 hour'",
    [tenantId],
  );
  const iat = Math.floor(daysAgo(days).getTime() / 1_000);
  for (const { jws } of made) {
    const then = signJwt(key, ANCHOR_TYPE, { ...decodeJwt(jws), iat });
    await app.sql(
      `BEGIN; SET LOCAL session_replication_role = replica; UPDATE audit_anchors SET jws = '${then}', created_at = now() - interval '${days} days' WHERE jws = '${jws}'; COMMIT`,
    );
  }
}

const removalOf = (app: TestApp): AuditRemoval => app.app.get(AuditRemoval, { strict: false });
const remove = async (app: TestApp): Promise<void> => {
  await removalOf(app).moveStarts();
  while (await removalOf(app).removeOfOrganizations());
};
const verifyAll = (app: TestApp) =>
  app.app.get(VerificationService, { strict: false }).verify({}, () => undefined);

describe('Retention of the audit trail of an organization', () => {
  let app: TestApp;
  let organization: Organization;
  beforeAll(async () => {
    app = await TestApp.start({ ROOT_SECRET, PORTAL: 'off', AUDIT_RETENTION_MIN_DAYS: '90' });
    organization = await Organization.found(app);
  });
  afterAll(() => app.stop());

  const set = async (days: number | null) => organization.call('PUT', '/audit-retention', { days });

  /** A chain with events of 200 days ago, which are anchored, and of now. */
  async function chainOf(old: number, recent: number, days?: number): Promise<AuditChain> {
    const chain = await AuditChain.of(app, 0);
    if (days !== undefined)
      await app.sql('INSERT INTO audit_retentions (tenant_id, days) VALUES ($1, $2)', [chain.tenantId, days]);
    await chain.record(old, { count: 5 }, daysAgo(200));
    await chain.grow();
    await anchorAt(app, chain, 199);
    await chain.record(recent);
    await chain.grow();
    return chain;
  }
  const countIn = async (table: string, { tenantId }: AuditChain): Promise<number> => {
    const key =
      table === 'audit_details'
        ? 'event_id IN (SELECT event_id FROM audit_entries WHERE tenant_id = $1)'
        : 'tenant_id = $1';
    return (await app.sql(`SELECT 1 FROM ${table} WHERE ${key}`, [tenantId])).length;
  };

  it('is without an end until an owner sets one, which is recorded', async () => {
    const read = () => organization.call('GET', '/audit-retention');
    expect((await read()).body).toEqual({
      days: null,
      appliedDays: null,
      minDays: 90,
      firstEntry: 1,
      verifiedUntil: null,
    });
    expect(await set(400)).toMatchObject({ status: 200, body: { days: 400, appliedDays: 400 } });
    expect((await read()).body).toMatchObject({ days: 400, appliedDays: 400 });
    expect(await set(null)).toMatchObject({ status: 200, body: { days: null, appliedDays: null } });
    const recorded = await app.sql(
      "SELECT 1 FROM audit_events WHERE tenant_id = $1 AND action = 'tenant.audit-retention-changed'",
      [organization.id],
    );
    expect(recorded).toHaveLength(2);
  });

  it('is read with the time until which the trail was verified, as long as it is right', async () => {
    const chain = AuditChain.existing(app, organization.id);
    const read = async () => (await organization.call('GET', '/audit-retention')).body['verifiedUntil'];
    await chain.grow();
    expect(await chain.broken()).toBeNull();
    const [end] = await app.sql<{ at: Date }>(
      'SELECT chained_at AS at FROM audit_chains WHERE tenant_id = $1',
      [organization.id],
    );
    expect(await read()).toBe(end?.at.toISOString());
    const id = newId();
    await chain.record(1);
    await chain.grow();
    await chain.tamper(`UPDATE audit_events SET ticket = '${id}' WHERE id = ${chain.eventOf(1)}`);
    expect(await chain.broken()).toMatchObject({ entry: 1 });
    expect(await read()).toBe(end?.at.toISOString());
    await chain.tamper(`UPDATE audit_events SET ticket = NULL WHERE id = ${chain.eventOf(1)}`);
  });

  it('is not less than the operator of the service allows', async () => {
    expect(await set(89)).toMatchObject({ status: 422, body: { type: '/errors/retention-too-short' } });
    expect(await set(90)).toMatchObject({ status: 200 });
    await set(null);
  });

  it('is set by owners, and read by readers of the trail', async () => {
    const admin = await organization.join('admin');
    const refused = await organization.call('PUT', '/audit-retention', { days: 400 }, admin.token);
    expect(refused).toMatchObject({ status: 403, body: { code: 'scope_not_held' } });
    expect(await organization.call('GET', '/audit-retention', undefined, admin.token)).toMatchObject({
      status: 200,
    });
    const member = await organization.join('member');
    expect(await organization.call('GET', '/audit-retention', undefined, member.token)).toMatchObject({
      status: 403,
    });
  });

  it('removes what is over it, up to an anchor, and the chain starts there', async () => {
    const chain = await chainOf(3, 2, 100);
    await remove(app);
    expect(await countIn('audit_events', chain)).toBe(2);
    expect(await countIn('audit_entries', chain)).toBe(2);
    expect(
      await app.sql('SELECT 1 FROM audit_details WHERE event_id < $1', [firstIdAt(daysAgo(199).getTime())]),
    ).toEqual([]);
    expect(await chain.broken()).toBeNull();
    const { starts, broken } = await verifyAll(app);
    expect(broken).toBeNull();
    expect(starts).toEqual([
      { organizationId: chain.tenantId, entry: 4, signedAt: expect.stringMatching(/^\d{4}-/) },
    ]);
    await chain.record(1);
    await chain.grow();
    expect(await chain.broken()).toBeNull();
  });

  it('keeps what no anchor says is over it, and all of organizations without one', async () => {
    const [chain, other] = [await chainOf(3, 2, 150), await chainOf(3, 2)];
    await chain.tamper(
      "UPDATE audit_anchors SET created_at = now() - interval '149 days' WHERE tenant_id = $T",
    );
    await remove(app);
    expect([await countIn('audit_events', chain), await countIn('audit_events', other)]).toEqual([5, 5]);
  });

  it('is at least what the operator requires, also where less was set before', async () => {
    const chain = await chainOf(2, 1, 1);
    await chain.tamper(
      "UPDATE audit_anchors SET created_at = now() - interval '89 days' WHERE tenant_id = $T",
    );
    await remove(app);
    expect(await countIn('audit_events', chain)).toBe(3);
  });

  it('removes in batches', async () => {
    const chain = await chainOf(1_201, 1, 100);
    await remove(app);
    expect(await countIn('audit_entries', chain)).toBe(1);
    expect(await chain.broken()).toBeNull();
  });

  it('removes the names of what was deleted together with the events', async () => {
    const chain = await chainOf(1, 1, 100);
    await app.sql(
      `INSERT INTO former_names (tenant_id, subject, name, deleted_at)
       SELECT $1, 'iam/roles/' || hours, 'Driver', now() - make_interval(hours => hours) FROM unnest(ARRAY[7200, 4788, 24]) AS hours`,
      [chain.tenantId],
    );
    await remove(app);
    const left = await app.sql('SELECT subject FROM former_names WHERE tenant_id = $1 ORDER BY subject', [
      chain.tenantId,
    ]);
    // The anchor is 199 days old; what was deleted less than a day before may have events after it.
    expect(left).toEqual([{ subject: 'iam/roles/24' }, { subject: 'iam/roles/4788' }]);
  });

  it('is verified with all others while its beginning is removed', async () => {
    const chain = await chainOf(2, 2, 100);
    const repository = app.app.get(VerificationRepository, { strict: false });
    const sweep = repository.sweepEvents.bind(repository);
    const sweeping = jest.spyOn(repository, 'sweepEvents').mockImplementationOnce(async (...of) => {
      await remove(app);
      return sweep(...of);
    });
    expect((await verifyAll(app)).broken).toBeNull();
    expect(await chain.length()).toBe(2);
    sweeping.mockRestore();
  });

  it('allows no other deletion: not after the start, not in a partition, not without an entry', async () => {
    const chain = await chainOf(1, 1, 100);
    await removalOf(app).moveStarts();
    const deleteOf = (table: string) =>
      app.sql(`DELETE FROM ${table} WHERE tenant_id = $1`, [chain.tenantId]);
    for (const table of ['audit_events', 'audit_events_earlier'])
      await expect(deleteOf(table)).rejects.toThrow('append-only');
    for (const table of [
      'audit_events_earlier',
      'audit_entries_earlier',
      'audit_details_earlier',
      'audit_events_later',
    ])
      await expect(app.sql(`TRUNCATE ${table}`)).rejects.toThrow('append-only');
    await expect(app.sql("UPDATE audit_events_later SET action = 'x'")).rejects.toThrow('append-only');
    await remove(app);
    expect(await countIn('audit_events', chain)).toBe(1);
  });

  it('has the hash at its start that copies of the anchor say', async () => {
    const chain = await chainOf(2, 1, 100);
    const copiesOf = async () => {
      const rows = await app.sql<{ jws: string }>('SELECT jws FROM audit_anchors WHERE tenant_id = $1', [
        chain.tenantId,
      ]);
      return rows.map(({ jws }) => jws);
    };
    const copies = await copiesOf();
    await chain.tamper(
      "UPDATE audit_events SET action = 'test.other' WHERE tenant_id = $T",
      'DELETE FROM audit_details',
      'DELETE FROM audit_anchors WHERE tenant_id = $T',
      'UPDATE audit_entries SET details_hash = NULL WHERE tenant_id = $T',
      'UPDATE audit_chains SET anchored = 0 WHERE tenant_id = $T',
      `DELETE FROM audit_events WHERE id = ${chain.eventOf(3)}`,
      'DELETE FROM audit_entries WHERE tenant_id = $T AND sequence = 3',
      'UPDATE audit_chains SET last = 2 WHERE tenant_id = $T',
    );
    await chain.computeAgain();
    await anchorAt(app, chain, 199);
    await remove(app);
    expect(await chain.broken(...(await copiesOf()))).toBeNull();
    expect(await chain.broken(...copies)).toMatchObject({ entry: 2, reason: 'The anchor has another hash.' });
  });

  describe('tells that the beginning was removed by another hand:', () => {
    const cut = [
      'DELETE FROM audit_events WHERE id IN (SELECT event_id FROM audit_entries WHERE tenant_id = $T AND sequence <= 2)',
      'DELETE FROM audit_entries WHERE tenant_id = $T AND sequence <= 2',
    ];

    it('without a start', async () => {
      const chain = await chainOf(2, 2);
      await chain.tamper(...cut);
      expect(await chain.broken()).toMatchObject({ entry: 1, reason: 'The entry is missing.' });
      await chain.tamper('UPDATE audit_chains SET starts_after = 2 WHERE tenant_id = $T');
      expect(await chain.broken()).toMatchObject({ entry: 3, reason: NOT_SIGNED });
    });

    it('with an anchor for a start', async () => {
      const chain = await chainOf(2, 2);
      await chain.tamper(
        ...cut,
        'UPDATE audit_chains SET starts_after = 2, start = (SELECT jws FROM audit_anchors WHERE tenant_id = $T) WHERE tenant_id = $T',
      );
      expect(await chain.broken()).toMatchObject({ entry: 3, reason: NOT_SIGNED });
    });

    it('with the start of another chain, or of another entry', async () => {
      const [chain, other] = [await chainOf(2, 2), await chainOf(2, 2, 100)];
      await remove(app);
      await chain.tamper(
        ...cut,
        `UPDATE audit_chains SET starts_after = 2, start = (SELECT start FROM audit_chains WHERE tenant_id = '${other.tenantId}') WHERE tenant_id = $T`,
      );
      expect(await chain.broken()).toMatchObject({ entry: 3, reason: NOT_SIGNED });
      await other.tamper('UPDATE audit_chains SET starts_after = 3 WHERE tenant_id = $T');
      expect(await other.broken()).toMatchObject({ entry: 4, reason: NOT_SIGNED });
    });

    it('with another first entry', async () => {
      const chain = await chainOf(2, 2, 100);
      await remove(app);
      await chain.tamper(`UPDATE audit_events SET action = 'test.other' WHERE id = ${chain.eventOf(3)}`);
      expect(await chain.broken()).toMatchObject({ entry: 3 });
    });
  });

  it('is verified while its beginning is removed', async () => {
    const chain = await chainOf(2, 2, 100);
    const repository = app.app.get(VerificationRepository, { strict: false });
    const list = repository.listEntries.bind(repository);
    const listing = jest.spyOn(repository, 'listEntries').mockImplementationOnce(async (...of) => {
      await remove(app);
      return list(...of);
    });
    expect(await chain.broken()).toBeNull();
    expect(await chain.length()).toBe(2);
    listing.mockRestore();
  });

  it('starts no chain at an anchor that was dated back in the database', async () => {
    const chain = await AuditChain.of(app, 3);
    await app.sql('INSERT INTO audit_retentions (tenant_id, days) VALUES ($1, 100)', [chain.tenantId]);
    await app.app.get(AnchorService, { strict: false }).anchor();
    await chain.tamper(
      "UPDATE audit_anchors SET created_at = now() - interval '200 days' WHERE tenant_id = $T",
    );
    await remove(app);
    expect(await countIn('audit_events', chain)).toBe(3);
  });

  it('starts no chain at an anchor that is not signed by the service', async () => {
    const chain = await chainOf(2, 1, 100);
    await chain.tamper("UPDATE audit_anchors SET jws = jws || 'x' WHERE tenant_id = $T");
    await remove(app);
    expect(await countIn('audit_events', chain)).toBe(3);
  });
});

describe('Partitions of the audit trail', () => {
  /** Tables of the trail, with the column of their bounds. */
  const TABLES = ['audit_events', 'audit_details', 'audit_entries'];
  let databaseUrl: string;
  let app: TestApp;

  /** As a database of some age: with partitions of three months that are over. */
  beforeEach(async () => {
    databaseUrl = await createDatabase();
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const bound = (months: number) => `'${firstIdAt(monthFrom(months).getTime())}'`;
    const { rows } = await client.query<{ upper: string }>(
      `SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \\(''(\\w+)''\\)') AS upper FROM pg_class WHERE relname = 'audit_events_earlier'`,
    );
    for (const table of TABLES) {
      await client.query(`ALTER TABLE ${table} DETACH PARTITION ${table}_earlier`);
      await client.query(`SELECT attach_audit_partition('${table}', 'earlier', NULL, ${bound(-3)})`);
      for (const n of [3, 2, 1])
        await client.query(
          `SELECT attach_audit_partition('${table}', 'm${n}', ${bound(-n)}, ${bound(1 - n)})`,
        );
      await client.query(`SELECT attach_audit_partition('${table}', 'm0', ${bound(0)}, '${rows[0]?.upper}')`);
    }
    await client.end();
    await start({ AUDIT_RETENTION_DAYS: '1' });
  });
  afterEach(() => app.stop());

  async function start(settings: Record<string, string>): Promise<void> {
    const shared = { ROOT_SECRET, PORTAL: 'off', DATABASE_URL: databaseUrl, AUDIT_RETENTION_MIN_DAYS: '1' };
    app = await TestApp.start({ ...shared, ...settings });
  }

  const partitions = async (): Promise<string[]> => {
    const rows = await app.sql<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relispartition AND relkind = 'r' AND relname LIKE 'audit_events%' ORDER BY 1",
    );
    return rows.map(({ name }) => name);
  };
  const idIn = (months: number, day = 3): Date => new Date(monthFrom(months).getTime() + day * DAY_MS);
  /** A chain with two events of each of the three months, and one of now. */
  async function oldChain(): Promise<AuditChain> {
    const chain = await AuditChain.of(app, 0);
    for (const n of [3, 2, 1]) {
      await chain.record(2, { count: 5 }, idIn(-n));
      await chain.grow();
      await anchorAt(app, chain, 31 * n);
    }
    await chain.record(1);
    await chain.grow();
    return chain;
  }

  it('have the events of their month, and one statement reads those that it asks for', async () => {
    const chain = await oldChain();
    const counts = await app.sql<{ name: string; count: number }>(
      'SELECT tableoid::regclass::text AS name, count(*)::int AS count FROM audit_events WHERE tenant_id = $1 GROUP BY 1 ORDER BY 1',
      [chain.tenantId],
    );
    expect(counts).toEqual([
      { name: 'audit_events_m0', count: 1 },
      ...[1, 2, 3].map((n) => ({ name: `audit_events_m${n}`, count: 2 })),
    ]);
    const plan = await app.sql<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT * FROM audit_events WHERE id = '${firstIdAt(idIn(-2).getTime())}'`,
    );
    expect(JSON.stringify(plan)).toContain('audit_events_m2');
    expect(JSON.stringify(plan)).not.toContain('Append');
  });

  it('are dropped once no organization keeps them, and the chains start later', async () => {
    const chain = await oldChain();
    await remove(app);
    expect(await chain.length()).toBe(7); // they wait for the partition
    await removalOf(app).maintainPartitions();
    expect(await partitions()).not.toEqual(expect.arrayContaining(['audit_events_m1']));
    expect(await partitions()).toEqual(expect.arrayContaining(['audit_events_earlier', 'audit_events_m0']));
    expect(await app.sql('SELECT 1 FROM audit_events WHERE tenant_id = $1', [chain.tenantId])).toHaveLength(
      1,
    );
    expect(
      await app.sql('SELECT 1 FROM audit_details WHERE account_id <> $1 AND event_id < $2', [
        'x',
        firstIdAt(monthFrom(0).getTime()),
      ]),
    ).toEqual([]);
    expect(await chain.broken()).toBeNull();
    expect((await verifyAll(app)).starts).toMatchObject([{ organizationId: chain.tenantId, entry: 7 }]);
  });

  it('stay while one organization keeps them; the events of the others are removed in batches', async () => {
    const [chain, keeper] = [await oldChain(), await oldChain()];
    await app.sql('INSERT INTO audit_retentions (tenant_id, days) VALUES ($1, 400)', [keeper.tenantId]);
    await remove(app);
    await removalOf(app).maintainPartitions();
    expect(await partitions()).toEqual(expect.arrayContaining(['audit_events_m3', 'audit_events_m1']));
    expect([await keeper.length(), await chain.length()]).toEqual([7, 1]);
    for (const one of [chain, keeper]) expect(await one.broken()).toBeNull();
  });

  it.each([
    ['as organizations do', { AUDIT_RETENTION_DAYS: '1' }, []],
    ['for as long as it says itself', { AUDIT_PLATFORM_RETENTION_DAYS: '1' }, []],
    ['for longer', { AUDIT_RETENTION_DAYS: '1', AUDIT_PLATFORM_RETENTION_DAYS: '400' }, ['audit_events_m2']],
    ['without an end', {}, ['audit_events_m2']],
  ])('with events of the platform stay while it keeps them: %s', async (_, settings, kept) => {
    await app.stop();
    await start(settings);
    const chain = await oldChain();
    await app.sql('INSERT INTO audit_retentions (tenant_id, days) VALUES ($1, 1)', [chain.tenantId]);
    const id = firstIdAt(idIn(-2).getTime());
    await app.sql("INSERT INTO audit_events (id, account_id, action) VALUES ($1, $2, 'account.registered')", [
      id,
      newId(),
    ]);
    await chainAll(app);
    await anchorAt(app, AuditChain.existing(app, PLATFORM), 31);
    await remove(app);
    await removalOf(app).maintainPartitions();
    const names = await partitions();
    expect(names.filter((name) => ['audit_events_m3', 'audit_events_m2'].includes(name))).toEqual(kept);
    expect(await app.sql('SELECT 1 FROM audit_events WHERE id = $1', [id])).toHaveLength(kept.length);
    expect(await chain.length()).toBe(1);
    expect((await verifyAll(app)).broken).toBeNull();
  });

  it('stay while an event of theirs waits for its place', async () => {
    const chain = await oldChain();
    await removalOf(app).moveStarts();
    const late = new pg.Client({ connectionString: databaseUrl });
    await late.connect();
    try {
      await late.query('BEGIN; SELECT pg_current_xact_id()');
      await chain.record(1, null, idIn(-2));
      await removalOf(app).maintainPartitions();
      expect(await partitions()).toEqual(expect.arrayContaining(['audit_events_m2', 'audit_events_m1']));
      expect(await partitions()).not.toContain('audit_events_m3');
      await late.query('COMMIT');
    } finally {
      await late.end();
    }
    await chain.grow();
    expect(await chain.broken()).toBeNull();
  });

  /** As after a pause of months: only the last partition follows the one of today. */
  async function dropMonths(): Promise<void> {
    for (const table of TABLES) {
      await app.sql(`ALTER TABLE ${table} DETACH PARTITION ${table}_later`);
      const months = await app.sql<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relispartition AND relname ~ '^${table}_\\d{4}_\\d{2}$' ORDER BY 1`,
      );
      for (const { name } of months) await app.sql(`DROP TABLE ${name}`);
      await app.sql(
        `DO $$ BEGIN PERFORM attach_audit_partition('${table}', 'later', (SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \\(''(\\w+)''\\)') FROM pg_class WHERE relname = '${table}_m0'), NULL); END $$`,
      );
    }
  }

  it('are made for the coming months, from the last one, which has what is later', async () => {
    const last = new Date(monthFrom(40));
    await AuditChain.of(app, 0).then((chain) => chain.record(1, null, last));
    await dropMonths();
    await removalOf(app).maintainPartitions();
    const made = (await partitions()).filter((name) => /\d{4}_\d{2}$/.test(name));
    expect(made.length).toBeGreaterThanOrEqual(2);
    const [of] = await app.sql<{ name: string }>(
      'SELECT tableoid::regclass::text AS name FROM audit_events WHERE id > $1',
      [firstIdAt(monthFrom(39).getTime())],
    );
    expect(of?.name).toBe('audit_events_later');
    const chain = await AuditChain.of(app, 0);
    await chain.record(1, { count: 5 }, idIn(2));
    await chainAll(app);
    const [ahead] = await app.sql<{ name: string }>(
      'SELECT tableoid::regclass::text AS name FROM audit_entries WHERE tenant_id = $1',
      [chain.tenantId],
    );
    expect(ahead?.name).toMatch(/_\d{4}_\d{2}$/);
    expect(newId() < firstIdAt(monthFrom(2).getTime())).toBe(true);
  });

  it('are made also for months whose first events were recorded before, and have them', async () => {
    await dropMonths();
    const chain = await AuditChain.of(app, 1);
    await chain.record(2, { count: 5 }, idIn(2));
    await chain.record(1, { count: 5 }, idIn(3));
    await chain.grow();
    await removalOf(app).maintainPartitions();
    for (const [table, key] of [
      ['audit_events', 'id'],
      ['audit_details', 'event_id'],
      ['audit_entries', 'event_id'],
    ]) {
      const rows = await app.sql<{ name: string }>(
        `SELECT tableoid::regclass::text AS name FROM ${table} WHERE ${key} > $1 ORDER BY ${key}`,
        [firstIdAt(monthFrom(2).getTime())],
      );
      const [first, second, third] = rows.map(({ name }) => name);
      expect(first).toMatch(new RegExp(`^${table}_\\d{4}_\\d{2}$`));
      expect(second).toBe(first);
      expect(third).toMatch(new RegExp(`^${table}_\\d{4}_\\d{2}$`));
      expect(third).not.toBe(first);
      await expect(app.sql(`TRUNCATE ${table}_later`)).rejects.toThrow('append-only');
    }
    expect(await chain.broken()).toBeNull();
    await chain.record(1, null, idIn(50));
    await chain.grow();
    expect(await chain.broken()).toBeNull();
  });
});
