import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/own-service.mjs';
import { cpuTimeOf } from '../support/cpu-time.mjs';
import { send } from '../support/load.mjs';
import { paced, percentilesOf } from '../support/paced.mjs';
import { populate, tenantOf, TENANT_SIZE } from '../support/people.mjs';
import { pinned, PLACE } from '../support/place.mjs';
import { residentOf } from '../support/resident.mjs';

const TENANTS = 20;
/** Subscriptions of each organization that answer, and those that hang. */
const [HEALTHY, HANGING] = [5, 45];
const TYPE = 'iam.tenant.updated';
const MAX_SILENCE_MS = 60_000;
const RECEIVERS = new URL('../support/hanging-receivers.mjs', import.meta.url).pathname;
/**
 * What is set of subscriptions that hang: `hanging` from their first attempts on, `failing` after
 * twenty failures, which leave one probe a minute to each.
 */
const STATES = {
  off: "status = 'disabled', failures = 0, failing_since = NULL, probe_at = NULL",
  hanging: "status = 'active', failures = 0, failing_since = NULL, probe_at = NULL",
  failing:
    "status = 'failing', failures = 20, failing_since = now(), probe_at = now() + random() * interval '1 minute'",
};
/** Shares of the rate by which the load grows before it is measured. */
const WARM_UP = [0.1, 0.25, 0.5, 1];

/**
 * Measures deliveries to receivers on this machine: from commands to first attempts, all that one
 * core can do, and next to receivers that hang, with the memory. Then what an event adds to its
 * command.
 */
export default async function webhooks(bench) {
  const sink = await Sink.start();
  const hanging = new HangingReceivers(await freePort());
  try {
    const hosts = [
      ...Array.from({ length: TENANTS }, (_, n) => healthyHost(n)),
      ...Array.from({ length: TENANTS * HANGING }, (_, n) => hangingHost(n)),
    ];
    const service = await bench.service({ WEBHOOK_TRUSTED_HOSTS: hosts.join(',') });
    await populate(service.query, { people: TENANTS * TENANT_SIZE });
    const tokens = await bench.tokensOf(service);
    const owner = (tenant) => tokens.access(tenant * TENANT_SIZE, { inTenant: true });
    let names = 0; // a name of its own for each: an unchanged one is no event
    const rename = (n) =>
      send(service, {
        method: 'PATCH',
        path: `/api/v1/iam/tenants/${tenantOf((n % TENANTS) * TENANT_SIZE)}`,
        token: owner(n % TENANTS),
        body: { name: `Renamed ${(names += 1)}` },
      });
    for (let n = 0; n < TENANTS * HEALTHY; n += 1)
      await send(service, {
        method: 'POST',
        path: '/api/v1/webhooks/subscriptions',
        token: owner(n % TENANTS),
        body: { url: `http://${healthyHost(n % TENANTS)}:${sink.port}/fast`, types: [TYPE] },
      });
    const rate = bench.of({ full: 200, quick: 200, smoke: 20 });
    const renamed = (perSecond, seconds) => latencyOf(sink, rename, { perSecond, seconds });
    const seconds = bench.of({ full: 20, quick: 5, smoke: 1 });
    // A process that has just started compiles its code: it is not asked for the full rate at once.
    for (const share of WARM_UP)
      await bench.warm(async () => ({ cpu: await cpuOf(service, () => renamed(rate * share, 2)) }));
    const first = await renamed(rate, seconds);
    const events = bench.of({ full: 4_000, quick: 1_000, smoke: 50 });
    const { perSecond, perCore } = await throughputOf(service, sink, events);
    await addHanging(service, hanging);
    let resident = 0;
    const beside = (state, length) =>
      bench.paired(
        async () => {
          await hanging.start();
          await setHanging(service, state);
          const found = await renamed(10, length);
          resident = Math.max(resident, residentOf(service.pid));
          await setHanging(service, 'off');
          await hanging.stop();
          await haveEnded(service);
          return found;
        },
        () => renamed(10, length),
      );
    // Longer than the timeout of 15 s: first attempts, those that wait for them, and retries.
    const besideHanging = await beside('hanging', bench.of({ full: 30, quick: 20, smoke: 1 }));
    const besideFailing = await beside('failing', bench.of({ full: 20, quick: 10, smoke: 1 }));
    const name = `first attempt, ${rate} events/s × ${HEALTHY}`;
    return [
      { name: `${name}, p50`, unit: 'ms', goal: { atMost: 50 }, ours: first.p50 },
      { name: `${name}, p99`, unit: 'ms', goal: { atMost: 1_000 }, ours: first.p99 },
      { name: 'deliveries on one core', unit: '/s', goal: { atLeast: 1_500 }, ours: perSecond },
      { name: 'deliveries, per core of the service', unit: '/s', goal: { atLeast: 1_500 }, ours: perCore },
      {
        name: 'first attempt, p99, 90 % of receivers hanging',
        against: 'none',
        unit: 'ms',
        goal: { atMost: 2 },
        ...besideHanging.p99,
      },
      {
        name: 'first attempt, p99, 90 % of receivers failing',
        against: 'none',
        unit: 'ms',
        goal: { atMost: 2 },
        ...besideFailing.p99,
      },
      {
        name: `memory, ${TENANTS * HANGING} receivers hanging`,
        unit: 'MB',
        goal: { atMost: 250 },
        ours: resident,
      },
      {
        name: 'event of a command',
        unit: 'ms',
        goal: { atMost: 0.1 },
        ours: await costOf(service, bench.of({ full: 5_000, quick: 1_000, smoke: 50 })),
      },
    ];
  } finally {
    await hanging.stop();
    await sink.stop();
  }
}

/** Receivers that never answer: in their own process, which takes no time of the sink. */
class HangingReceivers {
  #process;

  constructor(port) {
    this.port = port;
  }

  async start() {
    const [command, ...words] = pinned(PLACE.load, [process.execPath, RECEIVERS, String(this.port)]);
    this.#process = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(this.#process.stdout, 'data');
  }

  /** Ends their connections. */
  async stop() {
    if (!this.#process) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    this.#process = undefined;
    await ended;
  }
}

/** A receiver that answers at once. */
class Sink {
  #server;
  received = 0;
  latencies = [];

  static async start() {
    const sink = new Sink();
    sink.#server = createServer((request, response) => sink.#receive(request, response));
    await new Promise((resolve) => sink.#server.listen(0, '0.0.0.0', resolve));
    sink.port = sink.#server.address().port;
    return sink;
  }

  async #receive(request, response) {
    const at = Date.now();
    let text = '';
    for await (const chunk of request) text += chunk;
    this.received += 1;
    this.latencies.push(at - Date.parse(JSON.parse(text).timestamp));
    response.writeHead(204).end();
  }

  /**
   * Resolves when as many deliveries have come.
   * @throws if none comes for a minute: the case would never end
   */
  async until(count) {
    for (let [last, at] = [-1, 0]; this.received < count; await sleep(5)) {
      if (this.received > last) [last, at] = [this.received, performance.now()];
      else if (performance.now() - at > MAX_SILENCE_MS)
        throw new Error(`${this.received} of ${count} deliveries have come.`);
    }
  }

  /** Forgets what has come. */
  reset() {
    this.received = 0;
    this.latencies = [];
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Sends commands at a pace. Returns the times from their transactions to the first attempts. */
async function latencyOf(sink, command, { perSecond, seconds }) {
  sink.reset();
  const count = perSecond * seconds;
  await paced(command, { count, perSecond });
  await sink.until(count * HEALTHY);
  return percentilesOf(sink.latencies);
}

/** Returns the microseconds of processor that the service uses during some work. */
async function cpuOf({ pid }, work) {
  const before = cpuTimeOf(pid);
  await work();
  return cpuTimeOf(pid) - before;
}

/**
 * Adds many events at once. Returns deliveries per second, and per second of the service's
 * processor: database and receivers of this machine do not count for it.
 */
async function throughputOf(service, sink, events) {
  sink.reset();
  const began = performance.now();
  const cpu = await cpuOf(service, async () => {
    await service.query(
      `INSERT INTO events (id, type, tenant_ids, subject, data)
       SELECT '01BENCHV' || lpad(n::text, 18, '0'), '${TYPE}', ARRAY[id], 'iam/tenants/' || id, jsonb_build_object('organizationId', id, 'changed', '["name"]'::jsonb)
       FROM generate_series(1, $1::int) AS n
         JOIN (SELECT id, row_number() OVER () - 1 AS place FROM tenants) AS t ON t.place = n % ${TENANTS}`,
      [events],
    );
    await sink.until(events * HEALTHY);
  });
  const count = events * HEALTHY;
  return { perSecond: (count * 1_000) / (performance.now() - began), perCore: (count * 1e6) / cpu };
}

/** Address of the receivers of an organization: each its own, as there are few sockets to one. */
const healthyHost = (n) => `127.0.100.${n + 1}`;

/** Address of a receiver that never answers: each its own, as there are few sockets to one. */
const hangingHost = (n) => `127.0.${1 + Math.floor(n / 250)}.${n % 250}`;

/** Copies subscriptions, with receivers that never answer. */
async function addHanging({ query }, { port }) {
  await query(
    `INSERT INTO webhook_endpoints (tenant_id, id, url, types, sealed_secret, created_by, status, description)
     SELECT tenant_id, '01HANGS' || lpad(n::text, 19, '0'), ($1::text[])[n], types, sealed_secret, created_by, 'disabled', 'hangs'
     FROM (SELECT *, row_number() OVER () AS n
       FROM (SELECT DISTINCT ON (tenant_id) * FROM webhook_endpoints) AS e, generate_series(1, ${HANGING})) AS made`,
    [Array.from({ length: TENANTS * HANGING }, (_, n) => `http://${hangingHost(n)}:${port}/hang`)],
  );
}

/** @param state one of {@link STATES}, which begins without a backlog */
async function setHanging({ query }, state) {
  await query("DELETE FROM webhook_deliveries WHERE endpoint_id LIKE '01HANGS%' AND state <> 'claimed'");
  await query(`UPDATE webhook_endpoints SET ${STATES[state]} WHERE description = 'hangs'`);
}

/** Resolves when no request to a receiver that hangs is in flight. */
async function haveEnded({ query }) {
  const open =
    "SELECT 1 FROM webhook_deliveries WHERE endpoint_id LIKE '01HANGS%' AND state = 'claimed' LIMIT 1";
  while ((await query(open)).length > 0) await sleep(100);
}

/** Returns the milliseconds that the event adds to the statement of the audit trail. */
async function costOf({ query }, count) {
  const audit =
    "INSERT INTO audit_events (id, account_id, action, subject) SELECT * FROM unnest($1::text[], $2::text[], ARRAY['tenant.renamed'], ARRAY['iam/tenants/1'])";
  const event = `WITH emitted AS (INSERT INTO events (id, type, tenant_ids, subject, data)
    SELECT one.id, '${TYPE}', '{}'::text[], 'iam/tenants/1', '{}'::jsonb FROM unnest($3::text[]) AS one (id))`;
  const timed = async (kind) => {
    await query('BEGIN');
    const began = performance.now();
    for (let n = 0; n < count; n += 1) {
      const id = `01BENCH${kind}${String(n).padStart(18, '0')}`;
      const values = [[id], ['01BENCHA']];
      // Prepared, as the service sends them.
      await query(
        kind === 'X'
          ? { name: 'with-event', text: `${event} ${audit}`, values: [...values, [id]] }
          : { name: 'alone', text: audit, values },
      );
    }
    const ms = (performance.now() - began) / count;
    await query('ROLLBACK');
    return ms;
  };
  await timed('Y');
  const alone = await timed('Y');
  return Math.max(0, (await timed('X')) - alone);
}
