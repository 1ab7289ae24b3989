import type { TenantId } from '../../src/kernel/index.js';
import { Database } from '../../src/platform/database/index.js';
import { ClaimsRepository, type Claim } from '../../src/webhook/engine/claims.repository.js';
import { Dispatcher } from '../../src/webhook/engine/dispatcher.js';
import { withApp } from '../support/test-app.js';

const TENANT = '01K3V9D7Q8Z4X5N6M7P8R9S0T1' as TenantId;
const BOUNDS = { total: 10, forFailing: 10 };
const targetOf = (endpointId: string) => ({ tenantId: TENANT, endpointId, key: endpointId, free: 4 });

describe('Claims of deliveries', () => {
  let database: Database;
  let claims: ClaimsRepository;
  const app = withApp();
  beforeAll(async () => {
    database = app.app.get(Database, { strict: false });
    claims = app.app.get(ClaimsRepository, { strict: false });
    // Only the tests claim.
    await app.app.get(Dispatcher, { strict: false }).beforeApplicationShutdown();
  });
  beforeEach(async () => {
    await app.sql('DELETE FROM webhook_deliveries');
    await app.sql('DELETE FROM webhook_endpoints');
  });

  const add = async (id: string, status: string, deliveries = 2): Promise<void> => {
    await app.sql(
      `INSERT INTO webhook_endpoints (tenant_id, id, url, types, sealed_secret, created_by, status, failures, probe_at)
       VALUES ($1, $2, 'https://example.com', '{}', '', '', $3, CASE $3 WHEN 'failing' THEN 20 ELSE 0 END, now())`,
      [TENANT, id, status],
    );
    await app.sql(
      `INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event_id, type, sequence, state)
       SELECT $1, $2 || n, $2, $2 || n, 'iam.role.created', n, 'due' FROM generate_series(1, $3::int) AS n`,
      [TENANT, id, deliveries],
    );
  };
  const claim = (...ids: string[]): Promise<Claim[]> => claims.claim(ids.map(targetOf), BOUNDS);
  const endpointsOf = (found: readonly Claim[]) => found.map(({ endpointId }) => endpointId).toSorted();

  it('wait for no subscription that another replica has locked, and send it no probe', async () => {
    await add('active', 'active');
    await add('failing-1', 'failing');
    await add('failing-2', 'failing');
    const all = ['failing-2', 'active', 'failing-1'];
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = database.transaction(async () => {
      await database.rows("SELECT 1 FROM webhook_endpoints WHERE id = 'failing-1' FOR UPDATE");
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const found = await claim(...all);
    release.resolve();
    await holding;
    expect(endpointsOf(found)).toEqual(['active', 'active', 'failing-2']);
    expect(endpointsOf(await claim(...all))).toEqual(['failing-1']);
  });

  it('of two replicas send one probe to a failing subscription', async () => {
    await add('failing', 'failing', 20);
    const found = await Promise.all(Array.from({ length: 5 }, () => claim('failing')));
    expect(found.flat()).toMatchObject([{ endpointId: 'failing', isProbe: true, isFailing: true }]);
    expect(await claim('failing')).toEqual([]);
  });

  it('list subscriptions with waiting deliveries in steps, and whether they are due', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) await add(id, 'active');
    await app.sql("UPDATE webhook_deliveries SET due_at = now() + interval '1 hour' WHERE endpoint_id = 'b'");
    await app.sql("UPDATE webhook_deliveries SET due_at = now() + interval '1 hour' WHERE id = 'a1'");
    await app.sql("UPDATE webhook_endpoints SET paused = true WHERE id = 'c'");
    await app.sql("UPDATE webhook_deliveries SET state = 'delivered' WHERE endpoint_id = 'd'");
    await app.sql("UPDATE webhook_endpoints SET failures = 1 WHERE id = 'b'");
    await app.sql("UPDATE webhook_endpoints SET status = 'failing', probe_at = now() WHERE id = 'e'");
    const first = await claims.listWaiting(null, 2);
    const next = await claims.listWaiting(first.at(-1) ?? null, 2);
    expect(
      [first, next].map((page) => page.map((one) => [one.endpointId, one.isDue, one.isFailing])),
    ).toEqual([
      [
        ['a', true, false],
        ['b', false, true],
      ],
      [
        ['c', false, false],
        ['e', true, true],
      ],
    ]);
    expect(await claims.listWaiting(next.at(-1) ?? null, 2)).toEqual([]);
  });

  it('take few of each, none of the later ones, and the failing up to their bound', async () => {
    await add('active', 'active', 9);
    await add('failed', 'active', 9);
    await app.sql("UPDATE webhook_endpoints SET failures = 3 WHERE id = 'failed'");
    await app.sql(
      "UPDATE webhook_deliveries SET due_at = now() + interval '1 hour' WHERE id IN ('active1', 'active2')",
    );
    const targets = ['active', 'failed'].map(targetOf);
    const found = await claims.claim(targets, { total: 100, forFailing: 3 });
    expect(endpointsOf(found)).toEqual([...Array(4).fill('active'), ...Array(3).fill('failed')]);
    expect(found.map(({ id }) => id)).not.toContain('active1');
  });
});
