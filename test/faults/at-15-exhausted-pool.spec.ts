import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { acceptance, percentile, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Pace } from './support/pace.js';
import { Wire } from './support/wire.js';

const SECONDS = inForm(10, 30);
/** The service waits this long before it treats a burst as overload. */
const BURST_MS = 2_000;
const SESSIONS = 50;
const RATE = inForm(100, 200);

acceptance('at-15', 'a pool whose every connection waits for a lock', [], (figures) => {
  let fleet: Fleet;
  let pace: Pace;
  beforeAll(async () => {
    fleet = await Fleet.start({ replicas: 1, balanced: false });
    pace = await Pace.beside(fleet.postgres);
  });
  afterAll(async () => {
    await pace.stop();
    await fleet.stop();
  });

  it(
    'refuses the excess at once, and keeps no memory of it',
    async () => {
      const replica = fleet.replica(0);
      const account = await fleet.register();
      // Requests of one session share the read of its state: many sessions keep them apart.
      const tokens: string[] = [];
      for (let n = 0; n < SESSIONS; n += 1) tokens.push((await fleet.client().login(account)).accessToken);
      const wire = new Wire({ targets: fleet.targets });
      const change = (n: number) =>
        wire.ask({
          method: 'PATCH',
          path: '/api/v1/iam/me',
          body: { firstName: 'Grace' },
          token: tokens[n % SESSIONS] ?? '',
          expect: [200],
        });
      const load = async (seconds: number): Promise<void> => {
        const began = performance.now();
        const sent: Promise<unknown>[] = [];
        for (let n = 0; n < seconds * RATE; n += 1) {
          await sleep(Math.max(0, began + (n * 1_000) / RATE - performance.now()));
          sent.push(change(n));
        }
        await Promise.all(sent);
      };
      await load(3); // warm
      const before = await replica.footprint();
      const holder = new Client({ connectionString: fleet.postgres.url });
      await holder.connect();
      await holder.query('BEGIN; LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE');
      const locked = Date.now();
      say('the table accounts is locked');
      await load(SECONDS);
      const during = await replica.footprint();
      const released = Date.now();
      await holder.query('COMMIT');
      await holder.end();
      await load(5);
      const whileLocked = wire.samples.filter(({ at }) => at >= locked && at < released);
      const refused = whileLocked.filter(({ outcome }) => outcome === 'unavailable');
      const timesSince = (moment: number) => refused.filter(({ at }) => at >= moment).map(({ ms }) => ms);
      const late = wire.samples.findLast(({ at, outcome }) => at >= released && outcome !== 'answered');
      figures.none('broken promises', [...wire.faults, ...fleet.complaints]);
      figures.note('requests while it was locked', whileLocked.length);
      figures.note('of them answered 503', refused.length, '', { exactly: whileLocked.length });
      // A few requests hold a connection and wait for the lock until their statement times out; the
      // excess waits for a connection.
      figures.note(
        'four in five of these, after the time of a burst, within',
        percentile(timesSince(locked + BURST_MS), 0.8),
        'ms',
        { atMost: 1_000 + pace.allowance(0.8, { from: locked + BURST_MS, to: released }) },
      );
      figures.note('the slowest', Math.max(...timesSince(locked)), 'ms', {
        atMost: 4_000 + pace.allowance(1, { from: locked, to: released }),
      });
      figures.note('growth of memory', during.rssMb - before.rssMb, 'MB', { atMost: 50 });
      figures.note('recovery', late ? (late.at + late.ms - released) / 1_000 : 0, 's', { atMost: 2 });
    },
    (SECONDS + 120) * 1_000,
  );
});
