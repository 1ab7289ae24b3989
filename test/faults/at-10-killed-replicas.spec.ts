import { setTimeout as sleep } from 'node:timers/promises';
import { acceptance, percentile, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Ledger } from './support/ledger.js';

const SECONDS = inForm(30, 300);
const EVERY_MS = 10_000;
const RATE = 50;

acceptance('at-10', 'a replica is killed every ten seconds', ['haproxy'], (figures) => {
  let fleet: Fleet;
  beforeAll(async () => void (fleet = await Fleet.start({ replicas: 2 })));
  afterAll(() => fleet.stop());

  it(
    'loses no acknowledged operation, and few answers',
    async () => {
      const ledger = await Ledger.open(fleet, { rate: RATE });
      const began = Date.now();
      const restarts: number[] = [];
      for (let n = 0; Date.now() - began < SECONDS * 1_000; n += 1) {
        const replica = fleet.replica(n % fleet.replicas.length);
        await replica.kill();
        restarts.push((await replica.restart()) / 1_000);
        say(`killed and back ${restarts.length} times`);
        await sleep(Math.max(0, EVERY_MS - (restarts.at(-1) ?? 0) * 1_000));
      }
      const samples = ledger.since(began);
      const failed = samples.filter(({ outcome }) => outcome !== 'answered').length;
      figures.none('broken promises', await ledger.check());
      figures.note('requests', samples.length);
      figures.note('errors seen by clients', (failed / samples.length) * 100, '%', { atMost: 1 });
      figures.note(
        'p95',
        percentile(
          samples.map(({ ms }) => ms),
          0.95,
        ),
        'ms',
      );
      figures.note('slowest restart', Math.max(...restarts), 's', { atMost: 10 });
      figures.note('sign-outs of honest clients', ledger.signedOut, '', { exactly: 0 });
      figures.note('mails that came twice', ledger.duplicateMails);
    },
    (SECONDS + 180) * 1_000,
  );
});
