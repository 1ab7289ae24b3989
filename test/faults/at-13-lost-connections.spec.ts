import { setTimeout as sleep } from 'node:timers/promises';
import { acceptance, type Bound } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Ledger } from './support/ledger.js';

const SECONDS = inForm(10, 60);
/** Time within which a process notices that a connection of its pool is closed. */
const NOTICED_MS = 500;

acceptance('at-13', 'PostgreSQL closing every connection once a second', [], (figures) => {
  let fleet: Fleet;
  beforeAll(async () => void (fleet = await Fleet.start({ replicas: 2, balanced: false })));
  afterAll(() => fleet.stop());

  const OURS = `FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'gatehouse%'`;
  /** Returns the purposes of the fleet's connections. */
  const purposes = async (): Promise<string[]> => {
    const rows = await fleet.postgres.sql<{ name: string }>(
      `SELECT DISTINCT application_name AS name ${OURS}`,
    );
    return rows.map(({ name }) => name);
  };

  it(
    'causes few errors, and crashes no replica',
    async () => {
      const ledger = await Ledger.open(fleet, { rate: 25 });
      const before = await purposes();
      const began = Date.now();
      let ended = 0;
      const blows: { began: number; ended: number }[] = [];
      for (let second = 0; second < SECONDS; second += 1) {
        const blow = Date.now();
        const rows = await fleet.postgres.sql(`SELECT pg_terminate_backend(pid) ${OURS}`);
        ended += rows.length;
        blows.push({ began: blow, ended: Date.now() });
        await sleep(1_000);
      }
      const stopped = Date.now();
      await sleep(6_000);
      const samples = ledger.since(began, stopped);
      const failed = samples.filter(({ outcome }) => outcome !== 'answered');
      const spared = failed.filter(
        ({ at, ms }) => !blows.some(({ began: from, ended: to }) => to > at - NOTICED_MS && from < at + ms),
      );
      const recovery = ledger.recoveryAfter(stopped) / 1_000;
      const after = await purposes();
      figures.none('broken promises', await ledger.check());
      figures.note('requests', samples.length);
      figures.note('connections ended', ended);
      figures.note(
        'errors seen by clients',
        (failed.length / samples.length) * 100,
        '%',
        inForm<Bound>({}, { atMost: 2 }),
      );
      figures.note('errors of requests that lost no connection', spared.length, '', { exactly: 0 });
      figures.note('recovery', recovery, 's', { atMost: 5 });
      figures.none(
        'connections not restored',
        before.filter((name) => !after.includes(name)),
      );
      figures.note('sign-outs of honest clients', ledger.signedOut, '', { exactly: 0 });
    },
    (SECONDS + 180) * 1_000,
  );
});
