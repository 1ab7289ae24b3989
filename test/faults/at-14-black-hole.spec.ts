import { setTimeout as sleep } from 'node:timers/promises';
import { TcpProxy } from '../support/tcp-proxy.js';
import { acceptance, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Ledger } from './support/ledger.js';

const SECONDS = inForm(8, 30);

acceptance('at-14', 'a network to PostgreSQL that drops every packet', [], (figures) => {
  let fleet: Fleet;
  let network: TcpProxy;
  beforeAll(async () => {
    fleet = await Fleet.start({
      replicas: 2,
      balanced: false,
      databaseUrl: async (direct) => (network = await TcpProxy.to(direct)).url,
    });
  });
  afterAll(async () => {
    await fleet.stop();
    await network.close();
  });

  /** Returns the milliseconds until every replica reports this readiness. */
  async function untilReadiness(ok: boolean): Promise<number> {
    const began = Date.now();
    for (;;) {
      const all = await Promise.all(fleet.replicas.map(({ url }) => fetch(`${url}/readyz`)));
      if (all.every((response) => response.ok === ok)) return Date.now() - began;
      await sleep(50);
    }
  }

  it(
    'causes 503s in time, and recovers',
    async () => {
      const ledger = await Ledger.open(fleet, { rate: 25 });
      const began = Date.now();
      network.swallow();
      const notReady = await untilReadiness(false);
      say('no replica says that it is ready');
      let slowestLiveness = 0;
      while (Date.now() - began < SECONDS * 1_000) {
        for (const { url } of fleet.replicas) {
          const asked = Date.now();
          if (!(await fetch(`${url}/healthz`)).ok) throw new Error('Liveness failed.');
          slowestLiveness = Math.max(slowestLiveness, Date.now() - asked);
        }
        await sleep(500);
      }
      const mended = Date.now();
      await network.mend();
      const ready = await untilReadiness(true);
      await sleep(6_000);
      const dark = ledger.since(began, mended);
      const recovery = ledger.recoveryAfter(mended) / 1_000;
      const refused = dark.filter(({ outcome }) => outcome === 'unavailable');
      figures.none('broken promises', await ledger.check());
      figures.note('requests during the fault', dark.length);
      figures.note('of them answered 503', refused.length);
      figures.note('not answered at all', dark.filter(({ outcome }) => outcome === 'cut').length, '', {
        exactly: 0,
      });
      figures.note('slowest answer', Math.max(...dark.map(({ ms }) => ms)) / 1_000, 's', { atMost: 3 });
      figures.note('readiness gone within', notReady / 1_000, 's', { atMost: 5 });
      figures.note('slowest liveness', slowestLiveness, 'ms', { atMost: 1_000 });
      figures.note('ready again within', ready / 1_000, 's', { atMost: 5 });
      figures.note('recovery', recovery, 's', { atMost: 5 });
      figures.note('sign-outs of honest clients', ledger.signedOut);
      const stuck = await fleet.postgres.sql(
        "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'gatehouse%' AND state LIKE 'idle in transaction%' AND state_change < now() - interval '5 s'",
      );
      figures.note('transactions left open', stuck.length, '', { exactly: 0 });
    },
    (SECONDS + 180) * 1_000,
  );
});
