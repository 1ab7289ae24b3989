import { setTimeout as sleep } from 'node:timers/promises';
import { acceptance, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Ledger } from './support/ledger.js';

const CRASHES = inForm(3, 10);
const AWAY_MS = 2_000;
const BETWEEN_MS = 6_000;

acceptance('at-12', 'repeated crashes of PostgreSQL', [], (figures) => {
  let fleet: Fleet;
  beforeAll(async () => void (fleet = await Fleet.start({ replicas: 2, balanced: false })));
  afterAll(() => fleet.stop());

  it(
    'cause temporary 503s, and lose no acknowledged operation',
    async () => {
      const ledger = await Ledger.open(fleet, { rate: 25 });
      const began = Date.now();
      const recoveries: number[] = [];
      let slowestRefusal = 0;
      for (let n = 1; n <= CRASHES; n += 1) {
        const crashed = Date.now();
        await fleet.postgres.crash();
        await sleep(AWAY_MS);
        await fleet.postgres.revive();
        const back = Date.now();
        await sleep(BETWEEN_MS);
        recoveries.push(ledger.recoveryAfter(back) / 1_000);
        const refusals = ledger.since(crashed, back).filter(({ outcome }) => outcome === 'unavailable');
        slowestRefusal = Math.max(slowestRefusal, ...refusals.map(({ ms }) => ms));
        say(`crash ${n} of ${CRASHES}: ${refusals.length} refusals, recovered in ${recoveries.at(-1)} s`);
      }
      const samples = ledger.since(began);
      const count = (outcome: string) => samples.filter((sample) => sample.outcome === outcome).length;
      figures.none('broken promises', await ledger.check());
      figures.note('requests', samples.length);
      figures.note('of them answered 503', count('unavailable'));
      figures.note('of them not answered', count('cut'), '', { exactly: 0 });
      figures.note('slowest 503 of an outage', slowestRefusal / 1_000, 's', { atMost: 2 });
      figures.note('slowest recovery', Math.max(...recoveries), 's', { atMost: 5 });
      figures.note('sign-outs of honest clients', ledger.signedOut, '', { exactly: 0 });
    },
    (CRASHES * 20 + 180) * 1_000,
  );
});
