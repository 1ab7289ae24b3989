import type { TenantId, UserId } from '../../src/kernel/index.js';
import { newId } from '../../src/kernel/index.js';
import { Database } from '../../src/platform/database/index.js';
import { EndpointStatusChanges } from '../../src/webhook/endpoints/endpoint-status-changes.js';
import { EndpointRepository } from '../../src/webhook/endpoints/endpoint.repository.js';
import { EventReaders } from '../../src/webhook/endpoints/event-readers.js';
import { ScopeReview } from '../../src/webhook/endpoints/scope-review.js';
import { Dispatcher } from '../../src/webhook/engine/dispatcher.js';
import { withApp } from '../support/test-app.js';

const TENANT = newId() as TenantId;
const [CREATOR, OTHER] = [newId() as UserId, newId() as UserId];

describe('The review of a subscription', () => {
  let review: ScopeReview;
  let endpoints: EndpointRepository;
  /** Who was asked whether they may read. */
  let asked: UserId[];
  /** Whether they may. */
  let mayRead: boolean;
  /** What happens between the look at a subscription and its lock. */
  let concurrently: () => Promise<unknown>;
  let id: string;
  const app = withApp({ PORTAL: 'off' });
  beforeAll(async () => {
    review = app.app.get(ScopeReview, { strict: false });
    endpoints = app.app.get(EndpointRepository, { strict: false });
    // Only the tests review.
    await app.app.get(Dispatcher, { strict: false }).beforeApplicationShutdown();
  });
  beforeEach(async () => {
    [asked, mayRead, id] = [[], true, newId()];
    concurrently = () => Promise.resolve();
    jest
      .spyOn(app.app.get(EventReaders, { strict: false }), 'mayReadForShare')
      .mockImplementation(async ({ createdBy }) => {
        asked.push(createdBy);
        await concurrently();
        return mayRead;
      });
    await app.sql(
      `INSERT INTO webhook_endpoints (tenant_id, id, url, types, sealed_secret, created_by)
       VALUES ($1, $2, 'https://example.com', '{iam.role.*}', '', $3)`,
      [TENANT, id, CREATOR],
    );
    await endpoints.markForReview([TENANT]);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await app.sql('DELETE FROM webhook_endpoints');
  });

  const state = async () =>
    (
      await app.sql<{ status: string; isReviewed: boolean }>(
        'SELECT status, review_at IS NOT NULL AS "isReviewed" FROM webhook_endpoints WHERE id = $1',
        [id],
      )
    )[0];
  const disabledEvents = () =>
    app.sql<{ reason: string }>(
      "SELECT data ->> 'reason' AS reason FROM events WHERE type = 'webhooks.subscription.disabled' AND subject = $1",
      [`webhooks/subscriptions/${id}`],
    );

  it('ends once it has found that the creator may read', async () => {
    expect(await review.step()).toBe(true);
    expect(await state()).toEqual({ status: 'active', isReviewed: false });
    expect(await review.step()).toBe(false);
    expect(asked).toEqual([CREATOR]);
  });

  it('is followed by another one that began during it, and delivers nothing before that has ended', async () => {
    concurrently = () => endpoints.markForReview([TENANT]);
    await review.step();
    expect(await state()).toEqual({ status: 'active', isReviewed: true });
    concurrently = () => Promise.resolve();
    await review.step();
    expect(await state()).toEqual({ status: 'active', isReviewed: false });
    expect(asked).toEqual([CREATOR, CREATOR]);
  });

  it('stops a subscription that its creator may not read, whose review is over then', async () => {
    mayRead = false;
    await review.step();
    expect(await state()).toEqual({ status: 'disabled', isReviewed: false });
    expect(await disabledEvents()).toEqual([{ reason: 'scope-lost' }]);
  });

  it('is made again of a person who takes over during it, and stops nothing for the former', async () => {
    mayRead = false;
    concurrently = () => app.sql('UPDATE webhook_endpoints SET created_by = $2 WHERE id = $1', [id, OTHER]);
    await review.step();
    expect(await state()).toEqual({ status: 'active', isReviewed: true });
    [mayRead, concurrently] = [true, () => Promise.resolve()];
    await review.step();
    expect(await state()).toEqual({ status: 'active', isReviewed: false });
    expect(asked).toEqual([CREATOR, OTHER]);
    expect(await disabledEvents()).toEqual([]);
  });

  it('of a subscription that is deleted during it stops nothing', async () => {
    mayRead = false;
    concurrently = () => endpoints.markDeleted(TENANT, id);
    await review.step();
    expect(await state()).toEqual({ status: 'deleted', isReviewed: false });
    expect(await disabledEvents()).toEqual([]);
  });

  it('emits one event of a subscription that several disable, with the reason of the first', async () => {
    const stops = app.app.get(EndpointStatusChanges, { strict: false });
    const database = app.app.get(Database, { strict: false });
    const byPerson = () => database.transaction(() => stops.disableBy(OTHER, TENANT, id));
    await stops.stop(TENANT, id, 'gone');
    await stops.stop(TENANT, id, 'failing');
    await Promise.all([stops.stop(TENANT, id, 'gone'), byPerson()]);
    expect(await disabledEvents()).toEqual([{ reason: 'gone' }]);
    const rows = await app.sql('SELECT reason FROM webhook_endpoints WHERE id = $1', [id]);
    expect(rows).toEqual([{ reason: 'gone' }]);
  });

  it('of the oldest mark comes first', async () => {
    const other = newId();
    await app.sql(
      `INSERT INTO webhook_endpoints (tenant_id, id, url, types, sealed_secret, created_by, review_at)
       VALUES ($1, $2, 'https://example.com', '{iam.role.*}', '', $3, now() - interval '1 minute')`,
      [TENANT, other, OTHER],
    );
    await review.step();
    await review.step();
    expect(asked).toEqual([OTHER, CREATOR]);
  });
});
