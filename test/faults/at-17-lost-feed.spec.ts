import { setTimeout as sleep } from 'node:timers/promises';
import { TcpProxy } from '../support/tcp-proxy.js';
import { eventually } from '../support/test-app.js';
import { acceptance, percentile, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Pace } from './support/pace.js';

const SESSIONS = inForm(300, 10_000);
const REPLICAS = inForm(2, 3);
const LANES = 20;
const SILENCES = inForm(2, 10);
/** Time within which 99 of 100 revocations reach every replica, and the maximum. */
const REVOKED_MS = 1_000;
const WORST_MS = 5_000;
const ME = '/api/v1/iam/me';
/** Edges of the histogram, in milliseconds. */
const EDGES = [0, 1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_000, 5_000, 10_000];

const any = (below: number) => Math.floor(Math.random() * below);

/** Prints one line for each bucket that is not empty. */
function histogram(values: readonly number[]): string[] {
  const buckets = EDGES.map((edge, n) => ({
    label: n === 0 ? 'at once' : `up to ${edge} ms`,
    count: values.filter((value) => value <= edge && value > (EDGES[n - 1] ?? -Infinity)).length,
  }));
  return buckets
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => {
      const bar = '#'.repeat(Math.ceil((50 * count) / values.length));
      return `${label.padStart(14)} ${String(count).padStart(6)} ${bar}`;
    });
}

acceptance('at-17', 'logout at every replica while the change feed fails', [], (figures) => {
  let fleet: Fleet;
  /**
   * Proxy between the replicas and PostgreSQL for the change feed alone; requests use a direct
   * connection.
   */
  let network: TcpProxy;
  let pace: Pace;
  beforeAll(async () => {
    const settings: Record<string, string> = {};
    const databaseUrl = async (direct: string): Promise<string> => {
      network = await TcpProxy.to(direct);
      settings['DATABASE_DIRECT_URL'] = network.url;
      return direct;
    };
    fleet = await Fleet.start({ replicas: REPLICAS, balanced: false, settings, databaseUrl });
    pace = await Pace.beside(fleet.postgres);
  }, 120_000);
  afterAll(async () => {
    await pace.stop();
    await fleet.stop();
    await network.close();
  });

  const ask = async (replica: number, token: string): Promise<number> => {
    const response = await fetch(`${fleet.replica(replica).url}${ME}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await response.text();
    return response.status;
  };

  /**
   * Ends a session at one replica after another replica has cached it.
   * @returns milliseconds after the acknowledgement for which the other accepted it; 0 where it
   *   never did
   */
  async function staleness(account: { email: string; password: string }): Promise<number> {
    const here = any(REPLICAS);
    const there = (here + 1 + any(REPLICAS - 1)) % REPLICAS;
    const { accessToken } = await fleet.client(here).login(account);
    if ((await ask(there, accessToken)) !== 200) throw new Error('The session was not seen alive.');
    const ended = await fleet.client(here).post('logout', undefined, { token: accessToken });
    if (ended.status !== 204) throw new Error(`The logout answered ${ended.status}.`);
    const acknowledged = performance.now();
    let letIn = 0;
    for (;;) {
      const sent = performance.now() - acknowledged;
      const status = await ask(there, accessToken);
      if (status === 401) return letIn;
      if (status !== 200) throw new Error(`A session that has ended was answered with ${status}.`);
      letIn = Math.max(sent, 0.001);
      if (sent > 10_000) return letIn;
    }
  }

  const kill = (count: string) =>
    fleet.postgres.sql(
      `SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity WHERE application_name = 'gatehouse-feed' ORDER BY random() LIMIT ${count}) AS feeds`,
    );

  function judge(what: string, values: readonly number[], p99: number, from: number): void {
    for (const line of histogram(values)) say(line);
    figures.note(`${what}: sessions`, values.length);
    figures.note(`${what}: never let in again`, values.filter((value) => value === 0).length);
    figures.note(`${what}: p99`, percentile(values, 0.99), 'ms', {
      atMost: p99 + pace.allowance(0.99, { from }),
    });
    figures.note(`${what}: at the very worst`, Math.max(...values), 'ms', {
      atMost: WORST_MS + pace.allowance(1, { from }),
    });
  }

  it(
    'reaches every replica while feed connections are killed at random',
    async () => {
      const accounts = await Promise.all(Array.from({ length: LANES }, () => fleet.register()));
      const before = await Promise.all(
        fleet.replicas.map((one) => one.metric('gatehouse_change_feed_losses_total')),
      );
      const began = Date.now();
      let over = false;
      let kills = 0;
      const killer = (async () => {
        for (; !over; await sleep(100 + any(1_900))) kills += (await kill('1')).length;
      })();
      const values: number[] = [];
      await Promise.all(
        accounts.map(async (account) => {
          while (values.length < SESSIONS) {
            values.push(await staleness(account));
            if (values.length % 1_000 === 0) say(`${values.length} sessions`);
          }
        }),
      );
      over = true;
      await killer;
      judge('killed', values.slice(0, SESSIONS), REVOKED_MS, began);
      figures.note('connections of the feed killed', kills, '', { atLeast: 1 });
      await sleep(2_000);
      const after = await Promise.all(
        fleet.replicas.map((one) => one.metric('gatehouse_change_feed_losses_total')),
      );
      const counted = after.reduce((sum, value, n) => sum + value - (before[n] ?? 0), 0);
      figures.note('losses that the metric counts', counted, '', { atLeast: 1 });
      const gaps = await Promise.all(
        fleet.replicas.map((one) => one.metric('gatehouse_change_feed_gap_seconds_total')),
      );
      figures.note(
        'seconds without the feed that the metric counts',
        gaps.reduce((a, b) => a + b),
        's',
      );
      figures.none('complaints in the logs', fleet.complaints);
    },
    inForm(300_000, 3_600_000),
  );

  it(
    'reaches every replica while the network drops the feed silently',
    async () => {
      const accounts = await Promise.all(Array.from({ length: LANES }, () => fleet.register()));
      const heard = () => Promise.all(fleet.replicas.map((one) => one.metric('gatehouse_change_feed_up')));
      const began = Date.now();
      const values: number[] = [];
      for (let round = 0; round < SILENCES; round += 1) {
        const until = Date.now() + 6_000;
        const lanes = accounts.map(async (account) => {
          while (Date.now() < until) values.push(await staleness(account));
        });
        await sleep(500);
        network.swallow();
        await sleep(3_000);
        await network.mend();
        await Promise.all(lanes);
        await eventually('every replica is connected again', async () =>
          (await heard()).every((up) => up === 1),
        );
        say(`${round + 1} of ${SILENCES} silences, ${values.length} sessions`);
      }
      judge('swallowed', values, WORST_MS, began);
      figures.none('complaints in the logs after that', fleet.complaints);
    },
    inForm(120_000, 600_000),
  );
});
