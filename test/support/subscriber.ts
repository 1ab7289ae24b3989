import { eventsAreNumbered } from './events.js';
import { Organization } from './organization.js';
import { type Answer, eventually, itemsOf, TestApp } from './test-app.js';
import { WebhookReceiver } from './webhook-receiver.js';

/** Path of the webhooks of organizations. */
export const WEBHOOKS = '/api/v1/webhooks';
/** Path of the webhooks of the platform. */
export const PLATFORM_WEBHOOKS = '/api/v1/operator/webhooks';

/** Whose webhooks are called. Default: the organization's, by its owner. */
export interface By {
  readonly token?: string | undefined;
  readonly base?: string | undefined;
}

/** An organization with a receiver, and requests about its subscriptions. */
export class Subscriber {
  private roles = 0;

  constructor(
    readonly app: TestApp,
    readonly organization: Organization,
    readonly receiver: WebhookReceiver,
    /** What each subscription is created with, besides the address of the receiver. */
    private readonly defaults: object,
  ) {}

  call(
    method: string,
    path: string,
    body?: unknown,
    { token = this.organization.owner.token, base = WEBHOOKS }: By = {},
  ): Promise<Answer> {
    return this.app.call(method, `${base}${path}`, body, { token });
  }

  /** Subscribes the receiver to what happens from now on. */
  async subscribe(changes: object = {}, by?: By): Promise<{ readonly id: string; readonly secret: string }> {
    await eventsAreNumbered(this.app);
    const given = { url: this.receiver.url, ...this.defaults, ...changes };
    const { status, body } = await this.call('POST', '/subscriptions', given, by);
    expect([status, body]).toEqual([201, expect.anything()]);
    return body as unknown as { id: string; secret: string };
  }

  async read(id: string, by?: By): Promise<Answer['body']> {
    return (await this.call('GET', `/subscriptions/${id}`, undefined, by)).body;
  }

  /** Returns the newest deliveries. */
  async deliveries(id: string, by?: By): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return itemsOf(await this.call('GET', `/subscriptions/${id}/deliveries?limit=100`, undefined, by));
  }

  /** Returns the newest delivery, once it is in a state. */
  async waitForDelivery(id: string, state: string, by?: By): Promise<Readonly<Record<string, unknown>>> {
    const newest = async () => (await this.deliveries(id, by))[0];
    await eventually(`the delivery is ${state}`, async () => (await newest())?.['state'] === state);
    return (await newest()) ?? {};
  }

  /** Replays the events since some hours ago. */
  async recover(id: string, hours = 1): Promise<void> {
    const since = new Date(Date.now() - hours * 3_600_000).toISOString();
    expect((await this.call('POST', `/subscriptions/${id}/recover`, { since })).status).toBe(202);
  }

  /** Causes `iam.role.created`. @returns the id of the role */
  async createRole(): Promise<string> {
    const role = { key: `role-${(this.roles += 1)}`, name: 'Clerk', scopes: [] };
    const { status, body } = await this.organization.call('POST', '/roles', role);
    expect(status).toBe(201);
    return String(body['id']);
  }
}

/**
 * Starts the service for the tests of a `describe`, and an organization with a receiver for each
 * of them. Stops what it has started.
 * @param use called before each test
 * @param settings of the service
 * @param defaults what each subscription is created with
 */
export function withSubscriber(
  use: (subscriber: Subscriber) => void,
  settings: Record<string, string> = {},
  defaults: object = { types: ['iam.role.*'] },
): void {
  let app: TestApp;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    app = await TestApp.start({ WEBHOOK_TRUSTED_HOSTS: '127.0.0.1', ...settings });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    use(new Subscriber(app, await Organization.found(app), receiver, defaults));
  });
  afterEach(() => receiver.stop());
}
