import { EventSequencer } from '../../src/platform/events/index.js';
import { OutboundPost, type PostOutcome } from '../../src/platform/outbound/index.js';
import { ClaimsRepository } from '../../src/webhook/engine/claims.repository.js';
import { ScopeReview } from '../../src/webhook/endpoints/scope-review.js';
import { eventsAreNumbered } from '../support/events.js';
import { Organization } from '../support/organization.js';
import { eventually, TestApp } from '../support/test-app.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const TYPE = 'iam.tenant.updated';

describe('Deliveries of new events', () => {
  let app: TestApp;
  let receiver: WebhookReceiver;
  let organization: Organization;
  let claim: jest.SpyInstance;
  let post: jest.SpyInstance<Promise<PostOutcome>>;
  /** Answer to the first of two deliveries. */
  let answer = Promise.withResolvers<PostOutcome>();
  /** Called with each batch of events, in its transaction. */
  let consumed: () => void;
  beforeAll(async () => {
    consumed = () => undefined;
    app = await TestApp.start({ WEBHOOK_TRUSTED_HOSTS: '127.0.0.1' });
    app.app.get(EventSequencer, { strict: false }).consume(() => Promise.resolve(consumed()));
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    organization = await Organization.found(app);
    claim = jest.spyOn(app.app.get(ClaimsRepository, { strict: false }), 'claim');
    post = jest.spyOn(app.app.get(OutboundPost, { strict: false }), 'post');
  });
  afterEach(async () => {
    // Else the service waits for it at its end, where a test has failed.
    answer.resolve({ status: 204, headers: {}, excerpt: '' });
    consumed = () => undefined;
    // One that still waits for its review would be sent within the next test.
    await app.sql("DELETE FROM webhook_deliveries WHERE state = 'due'");
    jest.restoreAllMocks();
    await receiver.stop();
  });

  const subscribe = async (changes: object = {}): Promise<string> => {
    await eventsAreNumbered(app);
    const { body } = await app.call(
      'POST',
      '/api/v1/webhooks/subscriptions',
      { url: receiver.url, types: [TYPE], ...changes },
      { token: organization.owner.token },
    );
    return String(body['id']);
  };
  let names = 0;
  const rename = async (): Promise<void> => {
    const { status } = await organization.call('PATCH', '', { name: `Renamed ${(names += 1)}` });
    expect(status).toBe(200);
  };
  const rows = (id: string) =>
    app.sql<{ state: string; attempts: number; lease: number | null }>(
      `SELECT state, attempts, extract(epoch FROM lease_until - now())::float8 AS lease FROM webhook_deliveries
       WHERE endpoint_id = $1 ORDER BY sequence`,
      [id],
    );
  const states = async (id: string) => (await rows(id)).map(({ state }) => state);

  /** Makes two deliveries. The first one is being sent until {@link answer}. */
  const sendFirstOfTwo = async (id: string) => {
    answer = Promise.withResolvers<PostOutcome>();
    post.mockReturnValueOnce(answer.promise);
    await rename();
    await eventually('it is sent', () => Promise.resolve(post.mock.calls.length === 1));
    await rename();
    await eventually('both are added', async () => (await rows(id)).length === 2);
  };

  it('are sent without a claim, and recorded as others are', async () => {
    const id = await subscribe();
    await rename();
    await receiver.waitFor(TYPE);
    await eventually('it is delivered', async () => (await states(id))[0] === 'delivered');
    expect(await rows(id)).toEqual([{ state: 'delivered', attempts: 1, lease: null }]);
    expect(await app.sql('SELECT status FROM webhook_attempts')).toEqual([{ status: 204 }]);
    expect(claim).not.toHaveBeenCalled();
  });

  it('have a lease while they are sent, and the next ones wait for a claim', async () => {
    const id = await subscribe();
    await sendFirstOfTwo(id);
    const [first, second] = await rows(id);
    expect([first?.state, second?.state, second?.lease]).toEqual(['claimed', 'due', null]);
    expect(first?.lease).toBeGreaterThan(30);
    answer.resolve({ status: 204, headers: {}, excerpt: '' });
    await eventually('all is delivered', async () => (await states(id)).join() === 'delivered,delivered');
    expect(claim).toHaveBeenCalled();
  });

  it('of a transaction that fails are not sent, and sent once by the next', async () => {
    const id = await subscribe();
    let failures = 0;
    consumed = () => {
      failures += 1;
      if (failures === 1) throw new Error('The transaction fails.');
    };
    await rename();
    await receiver.waitFor(TYPE);
    await eventually('it is delivered', async () => (await states(id))[0] === 'delivered');
    expect([failures > 1, post.mock.calls.length, claim.mock.calls.length]).toEqual([true, 1, 0]);
  });

  it.each<[string, string]>([
    ['is paused', 'paused = true'],
    ['is to be reviewed', "review_at = now() + interval '1 hour'"],
    ['is failing', "status = 'failing', failures = 20, probe_at = now() + interval '1 hour'"],
  ])('wait for a subscription that %s', async (_, change) => {
    const id = await subscribe();
    // The review must not end it.
    jest.spyOn(app.app.get(ScopeReview, { strict: false }), 'step').mockResolvedValue(false);
    await app.sql(`UPDATE webhook_endpoints SET ${change} WHERE id = $1`, [id]);
    await rename();
    await eventually('it is added', async () => (await rows(id)).length === 1);
    expect([await states(id), post.mock.calls.length]).toEqual([['due'], 0]);
    expect(claim).not.toHaveBeenCalled();
  });

  it('to a subscription that failed last are claimed, as they share its bound', async () => {
    const id = await subscribe();
    await app.sql('UPDATE webhook_endpoints SET failures = 1 WHERE id = $1', [id]);
    await rename();
    await eventually('it is delivered', async () => (await states(id))[0] === 'delivered');
    expect(claim).toHaveBeenCalled();
  });

  it('do not overtake earlier ones that wait for a claim', async () => {
    const id = await subscribe();
    await app.sql('UPDATE webhook_endpoints SET paused = true WHERE id = $1', [id]);
    await rename();
    await eventually('it is added', async () => (await rows(id)).length === 1);
    await app.sql('UPDATE webhook_endpoints SET paused = false WHERE id = $1', [id]);
    await rename();
    await eventually('both are delivered', async () => (await states(id)).join() === 'delivered,delivered');
    const sequences = receiver.ofType(TYPE).map(({ body }) => Number(body.sequence));
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  });

  it('of one subject follow each other with an order', async () => {
    const id = await subscribe({ ordering: 'subject' });
    await sendFirstOfTwo(id);
    expect(await states(id)).toEqual(['claimed', 'waiting']);
    answer.resolve({ status: 204, headers: {}, excerpt: '' });
    await eventually('all is delivered', async () => (await states(id)).join() === 'delivered,delivered');
  });
});
