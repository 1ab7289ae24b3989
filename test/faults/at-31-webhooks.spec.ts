import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/built-service.js';
import { clockOff } from '../support/clocks.js';
import { Organization, Person } from '../support/organization.js';
import { eventually, type ServiceClient } from '../support/test-app.js';
import { acceptance, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Receiver } from './support/receiver.js';
import { Replica } from './support/replica.js';

const KILLS = inForm(2, 20);
const STOPS = inForm(1, 5);
/** Subscriptions whose receiver does not answer before a stop: as many as it gets connections. */
const HANGING = 4;
/** Deliveries to each subscription before a stop. */
const BACKLOG = 100;
const CRASHES = inForm(1, 5);
/** Minutes for which the receiver flaps, by the clock of the deliveries. */
const FLAPS = inForm(8, 60);
const SKEW_COMMANDS = inForm(6, 60);
/** Receivers of one origin that never answer, and seconds for which events are sent to them. */
const HANGING_RECEIVERS = inForm(
  [
    [1, 20],
    [50, 40],
  ],
  [
    [1, 60],
    [20, 60],
    [50, 60],
    [500, 600],
  ],
);
/** Subscriptions that an organization can have. */
const SUBSCRIPTIONS = 50;
const EVENT_EVERY_MS = 500;
/** Longest delay of a first attempt. */
const LATE_MS = 1_000;
const PATIENCE_MS = 90_000;
/** A type after which no subscription is reviewed, so that its deliveries need no claim. */
const DIRECT = 'iam.tenant.updated';

/** An origin with a receiver that answers at `/honest`, and with others that never answer. */
class SilentReceiver {
  /** By event, the time from the event to its first attempt at the honest receiver. */
  readonly lateMs = new Map<string, number>();
  /** Number of requests that got no answer. */
  held = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SilentReceiver> {
    const server = createServer();
    const receiver = new SilentReceiver(server);
    server.on('request', (request: IncomingMessage, response) => {
      if (request.url !== '/honest') return (receiver.held += 1);
      const at = Date.now();
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const { id, timestamp } = JSON.parse(text) as { id: string; timestamp: string };
        if (!receiver.lateMs.has(id)) receiver.lateMs.set(id, at - Date.parse(timestamp));
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

acceptance('at-31', 'faults beside webhooks', ['faketime'], (figures) => {
  let fleet: Fleet;
  let receiver: Receiver;
  let organization: Organization;
  let subscriptionId: string;
  /** Events of commands that were answered with success. */
  const acknowledged: string[] = [];
  let counter = 0;

  beforeAll(async () => {
    fleet = await Fleet.start({
      replicas: 2,
      balanced: false,
      settings: {
        WEBHOOK_TRUSTED_HOSTS: '127.0.0.1',
        PORTAL: 'off',
        APP_URL: 'http://app.test',
        DRAIN_SECONDS: '0',
      },
    });
    receiver = await Receiver.start();
    const account = await fleet.register();
    const service = fleet.client();
    organization = await Organization.found(service, await Person.again({ service, ...account }));
    const { body } = await service.call(
      'POST',
      '/api/v1/webhooks/subscriptions',
      { url: receiver.url, types: ['iam.role.*'] },
      { token: organization.owner.token },
    );
    subscriptionId = String(body['id']);
  }, 180_000);
  afterAll(async () => {
    await fleet.stop();
    await receiver.stop();
  });

  /** Creates and deletes a role; notes what was acknowledged. */
  async function command(client: ServiceClient): Promise<void> {
    const { token } = organization.owner;
    const key = `fault-${(counter += 1)}`;
    const roles = `${organization.path}/roles`;
    const call = (method: string, path: string, body?: object) =>
      client.call(method, path, body, { token }).catch(() => null);
    const created = await call('POST', roles, { key, name: 'Clerk', scopes: [] });
    if (created?.status !== 201) return;
    const id = String(created.body['id']);
    acknowledged.push(`iam.role.created ${id}`);
    const deleted = await call('DELETE', `${roles}/${id}`);
    if (deleted?.status === 204) acknowledged.push(`iam.role.deleted ${id}`);
  }
  /** Makes retries, probes and expired leases due, as if a minute had passed. */
  const passMinute = () =>
    fleet.postgres.sql(
      `WITH due AS (UPDATE webhook_deliveries SET due_at = now() WHERE state = 'due'),
         leases AS (UPDATE webhook_deliveries SET lease_until = now() WHERE state = 'claimed' AND lease_until < now() + interval '40 seconds')
       UPDATE webhook_endpoints SET probe_at = now() WHERE status = 'failing'`,
    );

  /** Stops receivers and what is sent to them, so that no delivery of a later test waits. */
  async function unsubscribe(...receivers: readonly Receiver[]): Promise<void> {
    await fleet.postgres.sql(
      "UPDATE webhook_endpoints SET status = 'disabled', reason = 'by-user' WHERE url = ANY($1)",
      [receivers.map(({ url }) => url)],
    );
    for (const one of receivers) await one.stop();
  }

  /** Whether the first subscription has no delivery of a kind. Other tests leave some of theirs. */
  const hasNone = async (condition: string): Promise<boolean> =>
    (
      await fleet.postgres.sql(
        `SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1 AND (${condition}) LIMIT 1`,
        [subscriptionId],
      )
    ).length === 0;

  /** Compares what was accepted with the audit trail, which has what committed. */
  async function settle(what: string): Promise<void> {
    receiver.answer = 'accept';
    const committed = async () =>
      (
        await fleet.postgres.sql<{ event: string }>(
          `SELECT 'iam.' || action || ' ' || substr(subject, 11) AS event FROM audit_events
           WHERE tenant_id = $1 AND action IN ('role.created', 'role.deleted')`,
          [organization.id],
        )
      ).map(({ event }) => event);
    await eventually(
      'all committed events are accepted',
      async () => {
        await passMinute();
        const got = new Set(receiver.accepted);
        return (await committed()).every((event) => got.has(event));
      },
      PATIENCE_MS,
    );
    // A claim that a fault cut off between the answer and its record is left to its lease.
    await eventually(
      'all deliveries are recorded',
      async () => {
        await passMinute();
        return hasNone("state IN ('due', 'claimed')");
      },
      PATIENCE_MS,
    );
    const ledger = new Set(await committed());
    figures.none(
      `${what}: acknowledged events that were lost`,
      acknowledged.filter((event) => !receiver.accepted.includes(event)),
    );
    figures.none(
      `${what}: events of commands that were rolled back`,
      receiver.accepted.filter((event) => !ledger.has(event)),
    );
    figures.note(`${what}: events`, ledger.size);
    figures.note(`${what}: repeated deliveries`, receiver.accepted.length - ledger.size);
  }

  it(
    'a replica that is killed between commit and delivery',
    async () => {
      for (let n = 0; n < KILLS; n += 1) {
        const replica = fleet.replica(n % 2);
        const open = Array.from({ length: 4 }, () => command(replica.client));
        await Promise.race(open);
        await replica.kill();
        await Promise.all(open);
        await command(fleet.replica((n + 1) % 2).client);
        await replica.restart();
        say(`killed ${n + 1} times, ${acknowledged.length} events acknowledged`);
      }
      await settle('kills');
    },
    KILLS * 30_000 + 180_000,
  );

  it(
    'a replica that is killed while it sends what needed no claim',
    async () => {
      const slow = await Receiver.start();
      const { token } = organization.owner;
      const { body } = await fleet
        .client()
        .call('POST', '/api/v1/webhooks/subscriptions', { url: slow.url, types: [DIRECT] }, { token });
      const committed = async () =>
        (
          await fleet.postgres.sql<{ event: string }>(
            "SELECT type || ' ' || id AS event FROM events WHERE $1 = ANY(tenant_ids) AND type = $2",
            [organization.id, DIRECT],
          )
        ).map(({ event }) => event);
      const before = (await committed()).length;
      let renamed = 0;
      const rename = async (client: ServiceClient): Promise<void> => {
        const name = `Renamed ${(counter += 1)}`;
        const answer = await client.call('PATCH', organization.path, { name }, { token }).catch(() => null);
        if (answer?.status === 200) renamed += 1;
      };
      try {
        for (let n = 0; n < KILLS; n += 1) {
          const replica = fleet.replica(n % 2);
          slow.answer = 'hang';
          const open = Array.from({ length: 4 }, () => rename(replica.client));
          await eventually('a delivery hangs', () => Promise.resolve(slow.held.length > 0), PATIENCE_MS);
          await replica.kill();
          await Promise.all(open);
          slow.answer = 'accept';
          // The other replica may have sent some: they come again once their leases have expired.
          for (const one of slow.held.splice(0)) one.writeHead(503).end();
          await rename(fleet.replica((n + 1) % 2).client);
          await eventually(
            'all committed events are accepted',
            async () => {
              await fleet.postgres.sql(
                `UPDATE webhook_deliveries SET due_at = least(due_at, now()), lease_until = CASE state WHEN 'claimed' THEN now() END
                 WHERE endpoint_id = $1 AND state IN ('due', 'claimed')`,
                [body['id']],
              );
              return (await committed()).every((event) => slow.accepted.includes(event));
            },
            PATIENCE_MS,
          );
          await replica.restart();
        }
        const ledger = new Set(await committed());
        const accepted = new Set(slow.accepted);
        figures.note('direct: requests cut by a kill', slow.cut, '', { atLeast: KILLS / 2 });
        const lost = Math.max(0, renamed - accepted.size);
        figures.note('direct: acknowledged events that were lost', lost, '', { exactly: 0 });
        figures.none(
          'direct: events of commands that were rolled back',
          [...accepted].filter((event) => !ledger.has(event)),
        );
        figures.note('direct: events', ledger.size - before);
        figures.note('direct: repeated deliveries', slow.accepted.length - accepted.size);
      } finally {
        await unsubscribe(slow);
      }
    },
    KILLS * 60_000 + 180_000,
  );

  it(
    'a replica that is told to stop with deliveries in flight',
    async () => {
      for (let n = 0; n < STOPS; n += 1) {
        const [stopped, next] = [fleet.replica(n % 2), fleet.replica((n + 1) % 2)];
        await next.terminate();
        const [slow, hanging] = [await Receiver.start(), await Receiver.start()];
        try {
          await stopInFlight(stopped, { slow, hanging });
          await next.restart();
          await eventually(
            'the other replica delivers what is left',
            () => slow.accepted.length >= BACKLOG && hanging.accepted.length >= HANGING * BACKLOG,
            PATIENCE_MS,
          );
          await eventually('all is recorded', async () => (await openTo(slow, hanging)).length === 0);
          figures.note('stop: events accepted by the slow receiver', new Set(slow.accepted).size, '', {
            exactly: BACKLOG,
          });
          figures.note('stop: of these, repeated', slow.accepted.length - BACKLOG, '', { exactly: 0 });
          figures.note('stop: events accepted by the others', new Set(hanging.accepted).size, '', {
            exactly: BACKLOG,
          });
          const repeated = hanging.accepted.length - HANGING * BACKLOG;
          figures.note('stop: of these, repeated', repeated, '', { exactly: 0 });
          const counted = await fleet.postgres.sql(
            `SELECT 1 FROM webhook_deliveries d JOIN webhook_endpoints e ON e.tenant_id = d.tenant_id AND e.id = d.endpoint_id
             WHERE e.url = ANY($1) AND d.attempts <> 1`,
            [[slow.url, hanging.url]],
          );
          figures.note('stop: deliveries with other than one attempt', counted.length, '', { exactly: 0 });
        } finally {
          await unsubscribe(slow, hanging);
        }
        await stopped.restart();
      }
    },
    STOPS * 120_000 + 180_000,
  );

  /** Stops a replica, the only one, that sends to a slow receiver and to some that hang. */
  async function stopInFlight(
    replica: Replica,
    { slow, hanging }: { readonly slow: Receiver; readonly hanging: Receiver },
  ): Promise<void> {
    const { token } = organization.owner;
    const subscribed = [slow, ...Array<Receiver>(HANGING).fill(hanging)];
    for (const { url } of subscribed)
      await replica.client.call(
        'POST',
        '/api/v1/webhooks/subscriptions',
        { url, types: [DIRECT] },
        { token },
      );
    hanging.answer = 'hang';
    slow.answer = 'slow';
    const setPaused = (paused: boolean) =>
      fleet.postgres.sql('UPDATE webhook_endpoints SET paused = $1 WHERE url = ANY($2)', [
        paused,
        [slow.url, hanging.url],
      ]);
    await setPaused(true);
    for (let n = 0; n < BACKLOG; n += 1) {
      const name = `Renamed ${(counter += 1)}`;
      await replica.client.call('PATCH', organization.path, { name }, { token });
    }
    await eventually(
      'all are due',
      async () => (await openTo(slow, hanging)).length === subscribed.length * BACKLOG,
    );
    await setPaused(false);
    await eventually(
      'some are in flight',
      () => slow.accepted.length >= 10 && hanging.held.length === HANGING,
      PATIENCE_MS,
    );
    const end = await replica.terminate();
    figures.note('stop: exit code', end.code ?? -1, '', { exactly: 0 });
    const left = await openTo(slow, hanging);
    const claimed = left.filter(({ state }) => state === 'claimed');
    figures.note('stop: claims that were not returned', claimed.length, '', { exactly: 0 });
    figures.note('stop: deliveries that must wait', left.filter(({ isLater }) => isLater).length, '', {
      exactly: 0,
    });
    figures.note('stop: requests cut by it', hanging.cut, '', { exactly: HANGING });
    const ofSlow = left.filter(({ url }) => url === slow.url).length;
    figures.note('stop: accepted, but not recorded', BACKLOG - ofSlow - slow.accepted.length, '', {
      exactly: 0,
    });
    figures.note('stop: left by it to the slow receiver', ofSlow, '', { atLeast: 1 });
    slow.answer = 'accept';
    hanging.answer = 'accept';
  }

  /** Lists the deliveries to receivers that have no end. */
  const openTo = (...receivers: readonly Receiver[]) =>
    fleet.postgres.sql<{ url: string; state: string; isLater: boolean }>(
      `SELECT e.url, d.state, d.due_at > now() AS "isLater" FROM webhook_deliveries d
         JOIN webhook_endpoints e ON e.tenant_id = d.tenant_id AND e.id = d.endpoint_id
       WHERE d.state IN ('due', 'claimed') AND e.url = ANY($1)`,
      [receivers.map(({ url }) => url)],
    );

  it(
    'a restart of the database',
    async () => {
      for (let n = 0; n < CRASHES; n += 1) {
        const open = Array.from({ length: 8 }, (_, one) => command(fleet.client(one % 2)));
        await Promise.race(open);
        await fleet.postgres.crash();
        await Promise.all(open);
        await fleet.postgres.revive();
        await fleet.ready(60_000);
        await command(fleet.client());
      }
      await settle('crashes of the database');
    },
    CRASHES * 60_000 + 180_000,
  );

  it(
    'a receiver that flaps',
    async () => {
      const answers = ['refuse', 'accept', 'reset'] as const;
      for (let minute = 0; minute < FLAPS; minute += 1) {
        receiver.answer = answers[minute % answers.length] ?? 'accept';
        await command(fleet.client(minute % 2));
        await passMinute();
        await eventually(
          'each delivery was tried',
          () => hasNone("state = 'claimed' OR (state = 'due' AND attempts = 0)"),
          PATIENCE_MS,
        );
      }
      await settle('flapping');
      const isActive = async () =>
        (
          await fleet.postgres.sql("SELECT 1 FROM webhook_endpoints WHERE id = $1 AND status = 'active'", [
            subscriptionId,
          ])
        ).length === 1;
      // Its health is noted after the delivery.
      await eventually('the subscription is active', isActive).catch(() => undefined);
      figures.note('flapping: subscription is active', (await isActive()) ? 1 : 0, '', { exactly: 1 });
    },
    FLAPS * 10_000 + 180_000,
  );

  it.each(HANGING_RECEIVERS)(
    '%i receivers of one origin that never answer, for %i s',
    async (count, seconds) => {
      const [shared, other] = [await SilentReceiver.start(), await SilentReceiver.start()];
      const honest = await newOrganization();
      await subscribe(honest, `${shared.origin}/honest`);
      await subscribe(honest, `${other.origin}/honest`);
      const hanging: Organization[] = [];
      for (let left = count; left > 0; left -= SUBSCRIPTIONS) {
        const one = await newOrganization();
        for (let n = Math.min(left, SUBSCRIPTIONS); n > 0; n -= 1)
          await subscribe(one, `${shared.origin}/hangs`);
        hanging.push(one);
      }
      let renamed = 0;
      const rename = async ({ path, owner }: Organization): Promise<boolean> => {
        const name = `Renamed ${(counter += 1)}`;
        const { status } = await fleet
          .client(counter % 2)
          .call('PATCH', path, { name }, { token: owner.token });
        return status === 200;
      };
      try {
        for (const end = Date.now() + seconds * 1_000; Date.now() < end;) {
          const pause = sleep(EVENT_EVERY_MS);
          const [hasRenamed] = await Promise.all([honest, ...hanging].map(rename));
          if (hasRenamed) renamed += 1;
          await pause;
        }
        const both = [shared, other];
        await eventually(
          'the honest ones have got all events',
          () => both.every(({ lateMs }) => lateMs.size === renamed),
          PATIENCE_MS,
        ).catch(() => undefined);
        const what = `${count} receivers hang`;
        figures.note(`${what}: requests that hung`, shared.held, '', { atLeast: count });
        for (const [where, { lateMs }] of [
          ['their origin', shared],
          ['another origin', other],
        ] as const) {
          figures.note(`${what}: events at ${where}`, lateMs.size, '', { exactly: renamed });
          figures.note(`${what}: latest at ${where}`, Math.max(...lateMs.values()), 'ms', {
            atMost: LATE_MS,
          });
        }
        figures.none(`${what}: complaints of the process`, fleet.complaints);
        await fleet.ready();
      } finally {
        await fleet.postgres.sql(
          "UPDATE webhook_endpoints SET status = 'disabled', reason = 'by-user' WHERE url LIKE ANY($1)",
          [[`${shared.origin}%`, `${other.origin}%`]],
        );
        for (const one of [shared, other]) await one.stop();
      }
    },
    900_000,
  );

  async function newOrganization(): Promise<Organization> {
    const service = fleet.client();
    return Organization.found(service, await Person.again({ service, ...(await fleet.register()) }));
  }

  async function subscribe({ owner }: Organization, url: string): Promise<void> {
    const { status } = await fleet
      .client()
      .call('POST', '/api/v1/webhooks/subscriptions', { url, types: [DIRECT] }, { token: owner.token });
    expect(status).toBe(201);
  }

  it(
    'a replica whose clock is wrong',
    async () => {
      const { length: before } = receiver.accepted;
      const port = String(await freePort());
      const late = await Replica.start({ ...fleet.settings, ...clockOff(-300), PORT: port });
      try {
        // The token was issued by the right clock; the one that is late must not refuse the rest.
        for (let n = 0; n < SKEW_COMMANDS; n += 1) await command(fleet.client(n % 2));
        await settle('a clock that is five minutes late');
      } finally {
        await late.stop();
      }
      figures.note('a clock that is late: accepted', receiver.accepted.length - before, '', {
        atLeast: SKEW_COMMANDS,
      });
    },
    SKEW_COMMANDS * 5_000 + 180_000,
  );
});
