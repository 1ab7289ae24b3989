/** @service separate */
import type { TenantId, UserId } from '../../src/kernel/index.js';
import { CleanupService } from '../../src/platform/cleanup/cleanup.js';
import { Database } from '../../src/platform/database/index.js';
import { EventFeed, Events, EventSequencer, EventType } from '../../src/platform/events/index.js';
import { Output } from '../../src/platform/api/index.js';
import { newId } from '../../src/kernel/index.js';
import { EventWriters, followWriters, WRITTEN_TYPE } from '../support/event-writers.js';
import { Scrape } from '../support/metrics.js';
import { eventually, TestApp, withApp } from '../support/test-app.js';

@EventType(WRITTEN_TYPE, { description: 'A thing changed.', readScope: 'iam:tenant:read' })
class ThingChanged {
  @Output.text({ max: 20, example: 'first' })
  name: string;
}

class Undeclared {}

const DAY_MS = 86_400_000;
const ROOT_SECRET = Buffer.alloc(32, 1).toString('base64');

describe('Events', () => {
  let feed: EventFeed;
  let database: Database;
  let writers: EventWriters;
  const app = withApp({ ROOT_SECRET, PORTAL: 'off' });
  beforeAll(async () => {
    feed = app.app.get(EventFeed, { strict: false });
    database = app.app.get(Database, { strict: false });
  });
  beforeEach(() => {
    writers = new EventWriters(app.databaseUrl);
  });
  afterEach(() => writers.stop());

  const emission = (tenantId: TenantId, name: string) => ({
    tenantIds: [tenantId],
    subject: 'test/things/1',
    actorId: null,
    data: { name },
  });
  const emit = async (tenantId: TenantId, ...names: string[]): Promise<void> => {
    const emitter = app.app.get(Events, { strict: false }).emitter(ThingChanged);
    await emitter.emit(...names.map((name) => emission(tenantId, name)));
  };
  const types = [WRITTEN_TYPE];
  const read = async (tenantId: TenantId, after = 0, limit = 100) =>
    feed.read(tenantId, { after, limit, types });
  const namesOf = async (tenantId: TenantId): Promise<unknown[]> =>
    (await read(tenantId)).events.map(({ data }) => data['name']);
  const tenant = (): TenantId => newId() as TenantId;

  it('of a command that commits appear once, with sequence numbers in their order', async () => {
    const id = tenant();
    const wake = jest.spyOn(app.app.get(EventSequencer, { strict: false }), 'wake');
    await database.transaction(() => emit(id, 'first', 'second'));
    expect(wake).toHaveBeenCalled(); // so that they do not wait for the next look
    wake.mockRestore();
    await database.transaction(() => emit(id, 'third'));
    await eventually('they are numbered', async () => (await namesOf(id)).length === 3);
    const { events } = await read(id);
    expect(events.map(({ sequence, data }) => [sequence, data['name']])).toEqual([
      [1, 'first'],
      [2, 'second'],
      [3, 'third'],
    ]);
    expect(new Set(events.map((event) => event.id)).size).toBe(3);
  });

  it('are read in pages, of which the last one says so', async () => {
    const id = tenant();
    const names = ['first', 'second', 'third', 'fourth'];
    await database.transaction(() => emit(id, ...names));
    await eventually('they are numbered', async () => (await namesOf(id)).length === names.length);
    const pages: { readonly names: unknown[]; readonly more: boolean }[] = [];
    let after = 0;
    do {
      const page = await read(id, after, 2);
      pages.push({ names: page.events.map(({ data }) => data['name']), more: page.more });
      ({ after } = page);
    } while (pages.at(-1)!.more);
    expect(pages).toEqual([
      { names: ['first', 'second'], more: true },
      { names: ['third', 'fourth'], more: false },
    ]);
  });

  it('of one transaction are numbered also where they are more than a batch, in their order', async () => {
    const [id, other] = [tenant(), tenant()];
    const names = Array.from({ length: 1_100 }, (_, n) => String(n));
    await database.transaction(async () => {
      await emit(id, ...names);
      await emit(other, 'of another');
    });
    await eventually('all are numbered', async () => (await namesOf(other)).length === 1);
    const pages = [await read(id, 0, 1_000), await read(id, 1_000, 1_000)];
    expect(pages.map(({ more }) => more)).toEqual([true, false]);
    const unlisted = { after: 0, limit: 100, types: ['iam.tenant.created'] };
    expect(await feed.read(id, unlisted)).toEqual({ events: [], after: 1_000, more: true });
    const events = pages.flatMap((page) => page.events);
    expect(events.map(({ data }) => data['name'])).toEqual(names);
    expect(events.map(({ sequence }) => sequence)).toEqual(names.map((_, n) => n + 1));
  });

  it('of a command that is rolled back do not exist', async () => {
    const id = tenant();
    const failed = database.transaction(async () => {
      await emit(id, 'never');
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    await database.transaction(() => emit(id, 'after'));
    await eventually('the later one is numbered', async () => (await namesOf(id)).length > 0);
    expect(await namesOf(id)).toEqual(['after']);
  });

  it('cannot be emitted outside a transaction, or by a class without @EventType', async () => {
    await expect(emit(tenant(), 'lost')).rejects.toThrow('transaction');
    expect(() => app.app.get(Events, { strict: false }).emitter(Undeclared)).toThrow('Undeclared');
  });

  it('wait for an older transaction that has not ended, so that no cursor passes its event', async () => {
    const id = tenant();
    const slow = await writers.begin(id, 'older');
    await database.transaction(() => emit(id, 'newer'));
    const scrape = async () => (await Scrape.of(app.url)).sum('gatehouse_events_lag_seconds');
    await eventually('the lag shows it', async () => (await scrape()) > 0.2);
    expect(await namesOf(id)).toEqual([]);
    await writers.end(slow, 'COMMIT');
    await eventually('both are numbered', async () => (await namesOf(id)).length === 2);
    expect(await namesOf(id)).toEqual(['older', 'newer']);
    expect(await scrape()).toBe(0);
  });

  it('are in the feed of a reader that follows slow, failing and killed writers, all and in their order', async () => {
    const { seen, committed } = await followWriters(feed, app.databaseUrl, { writers: 10, rounds: 3 });
    expect(seen).toEqual(committed);
  });

  it('are numbered by one replica at a time, without gaps', async () => {
    const other = await TestApp.start({ ROOT_SECRET, PORTAL: 'off', DATABASE_URL: app.databaseUrl });
    const id = tenant();
    const length = 60;
    try {
      for (let rounds = length / 6; rounds > 0; rounds -= 1) {
        const command = () => database.transaction(() => emit(id, 'one', 'two', 'three'));
        await Promise.all([command(), command()]);
      }
      await eventually('all are numbered', async () => (await namesOf(id)).length === length);
    } finally {
      await other.stop();
    }
    const { events } = await read(id);
    expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length }, (_, n) => n + 1));
  });

  it('follow transaction ids as numbers, where one has a digit more', async () => {
    const id = tenant();
    await app.sql(
      `WITH moved AS (UPDATE event_cursors SET xid = '98', seq = 0 RETURNING 1)
       INSERT INTO events (id, xid, type, tenant_ids, subject, data)
       SELECT e.id, e.xid::xid8, 'test.thing.changed', ARRAY[$3], 'test/things/1', jsonb_build_object('name', e.xid)
       FROM moved, (VALUES ($1, '100'), ($2, '99')) AS e (id, xid)`,
      [newId(), newId(), id],
    );
    await database.transaction(() => emit(id, 'last'));
    await eventually('all are numbered', async () => (await namesOf(id)).includes('last'));
    expect(await namesOf(id)).toEqual(['99', '100', 'last']);
  });

  it('go on in a database that was restored into a cluster with lower transaction ids', async () => {
    const id = tenant();
    await app.sql(
      `WITH old AS (UPDATE event_cursors SET xid = '9000000000', seq = 1 RETURNING 1)
       INSERT INTO events (id, xid, type, tenant_ids, subject, data) SELECT $1, '9000000001', 'test.thing.changed', ARRAY[$2], 'test/things/1', '{"name": "waiting"}' FROM old`,
      [newId(), id],
    );
    await eventually('the waiting one is numbered', async () => (await namesOf(id)).length === 1);
    await database.transaction(() => emit(id, 'new'));
    await eventually('the new one is numbered', async () => (await namesOf(id)).length === 2);
  });

  describe('in partitions', () => {
    const partitions = async (): Promise<string[]> =>
      (
        await app.sql<{ name: string }>(
          "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent IN ('events'::regclass, 'event_entries'::regclass) ORDER BY 1",
        )
      ).map(({ name }) => name);
    const cleanUp = () => app.app.get(CleanupService, { strict: false }).run();

    it('are created three months ahead, and dropped 30 days after their month', async () => {
      const before = await partitions();
      expect(before).toHaveLength(8);
      const [last = ''] = before.filter((name) => name.startsWith('events_2')).toReversed();
      await app.sql(`DROP TABLE ${last}`);
      await app.sql(
        "CREATE TABLE events_2020_01 PARTITION OF events FOR VALUES FROM ('2020-01-01Z') TO ('2020-02-01Z')",
      );
      await cleanUp();
      expect(await partitions()).toEqual(before);
    });

    it('are kept for 30 days after their month', async () => {
      const before = await partitions();
      const now = new Date();
      const months = [1, 2, 3].map((ago) => {
        const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1));
        const next = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1));
        const name = `events_${first.toISOString().slice(0, 7).replace('-', '_')}`;
        return { name, first, next, isKept: next.getTime() + 30 * DAY_MS >= now.getTime() };
      });
      for (const { name, first, next } of months)
        await app.sql(
          `CREATE TABLE ${name} PARTITION OF events FOR VALUES FROM ('${first.toISOString()}') TO ('${next.toISOString()}')`,
        );
      await cleanUp();
      const kept = months.filter(({ isKept }) => isKept).map(({ name }) => name);
      expect((await partitions()).filter((name) => !before.includes(name)).toSorted()).toEqual(
        kept.toSorted(),
      );
      for (const name of kept) await app.sql(`DROP TABLE ${name}`);
    });

    it('stay in the default one if their month has none, and expire there', async () => {
      const before = await partitions();
      const month = new Date().toISOString().slice(0, 7).replace('-', '_');
      const names = ['events', 'event_entries'].map((table) => `${table}_${month}`);
      for (const name of names) await app.sql(`DROP TABLE ${name}`);
      const [id, old, young] = [newId(), newId(), newId()];
      const insert = `INSERT INTO events (id, created_at, type, tenant_ids, subject, data) VALUES ($1, now() - make_interval(days => $2), 'test.thing.changed', '{}', 'test/things/1', '{}')`;
      await app.sql(insert, [old, 31]);
      await app.sql(insert, [young, 29]);
      await app.sql(insert, [id, 0]);
      await app.sql(
        "INSERT INTO event_entries (tenant_id, sequence, event_id, created_at) VALUES ($1, 1, $1, now() - interval '31 days')",
        [old],
      );
      await cleanUp();
      expect(await app.sql('SELECT 1 FROM event_entries WHERE tenant_id = $1', [old])).toEqual([]);
      const left = await app.sql<{ id: string }>('SELECT id FROM events WHERE id = ANY($1) ORDER BY id', [
        [id, old, young],
      ]);
      expect(left.map((row) => row.id)).toEqual([id, young].toSorted());
      // The other table, which has no row of the month, gets its partition.
      expect(before.filter((name) => name !== names[0])).toEqual(await partitions());
      await app.sql('DELETE FROM events_default');
      await cleanUp();
      expect(await partitions()).toEqual(before);
    });
  });

  it('of a person concern the organizations of the person', async () => {
    const person = await app.register();
    const { accessToken } = await app.login(person);
    const founded = await app.call('POST', '/api/v1/iam/tenants', { name: 'Ada' }, { token: accessToken });
    const id = String(founded.body['id']) as TenantId;
    const started = async () =>
      (await feed.read(id, { after: 0, limit: 100, types: ['iam.session.started'] })).events;
    expect(await started()).toEqual([]);
    const { sessionId } = await app.login(person);
    await eventually('the second sign-in is there', async () => (await started()).length === 1);
    const [event] = await started();
    expect(event).toMatchObject({ subject: `iam/sessions/${sessionId}`, data: { sessionId } });
    expect(event?.actorId).toBe((event?.data['userId'] ?? '') as UserId);
  });
});
