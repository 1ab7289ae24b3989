import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { answers, exitOf, freePort, SERVICE } from '../support/built-service.js';
import { eventually, ServiceClient } from '../support/test-app.js';
import { describeWhere } from '../support/tools.js';
import { acceptance, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Ledger } from './support/ledger.js';
import { SmallDisk } from './support/small-disk.js';

const DISK_MB = 320;
const ROUNDS = inForm(1, 3);
const FULL_MS = inForm(8_000, 60_000);
const RECOVERY_S = 5;
const ME = 'GET /api/v1/iam/me';
const PROGRAMS = ['mount', 'umount'];

acceptance('at-21', 'a full disk', PROGRAMS, (figures) => {
  describeWhere(SmallDisk.possible, 'lets no volume be mounted', 'with its database on it', () => {
    it(
      'answers 503 while the database has no room, and leaves nothing half done',
      async () => {
        const disk = await SmallDisk.of(DISK_MB);
        const fleet = await Fleet.start({ replicas: 2, balanced: false, postgresDir: disk.folder });
        try {
          await fleet.postgres.remember();
          const ledger = await Ledger.open(fleet, { rate: 20 });
          const recoveries: number[] = [];
          let reads = 0;
          const began = Date.now();
          for (let round = 0; round < ROUNDS; round += 1) {
            const full = Date.now();
            await disk.fill();
            await wasteUntilRefused(fleet);
            say('full');
            for (const until = Date.now() + FULL_MS; Date.now() < until; await sleep(500)) await disk.fill();
            await disk.relieve();
            // Without room for its log the server may have ended; the test starts it again.
            if (await fleet.postgres.isDown()) await fleet.postgres.revive();
            await eventually('PostgreSQL accepts writes', () => writes(fleet), 60_000);
            const back = Date.now();
            await sleep(RECOVERY_S * 1_000 + 2_000);
            recoveries.push(ledger.recoveryAfter(back) / 1_000);
            reads += ledger
              .since(full, back)
              .filter(({ what, outcome }) => what === ME && outcome === 'answered').length;
          }
          const samples = ledger.since(began);
          const count = (outcome: string) => samples.filter((sample) => sample.outcome === outcome).length;
          figures.none('database: broken promises', await ledger.check());
          figures.note('database: requests', samples.length);
          figures.note('database: of them answered 503', count('unavailable'), '', { atLeast: 1 });
          figures.note('database: of them not answered', count('cut'), '', { exactly: 0 });
          figures.note('database: profiles read while it was full', reads);
          figures.note('database: recovery', Math.max(...recoveries), 's', { atMost: RECOVERY_S });
          figures.note('database: sign-outs of honest clients', ledger.signedOut, '', { exactly: 0 });
          figures.note('database: indexes that amcheck found whole', await amcheck(fleet), '', {
            atLeast: 20,
          });
        } finally {
          await fleet.stop();
          await disk.remove();
        }
      },
      ROUNDS * (FULL_MS + 40_000) + 180_000,
    );
  });

  it('answers while its log cannot be written', async () => {
    const fleet = await Fleet.start({ replicas: 1, balanced: false });
    const nowhere = await open('/dev/full', 'w'); // refuses every byte, as a full volume does
    const PORT = String(await freePort());
    const { PATH = '' } = process.env;
    const env = { PATH, ...fleet.settings, PORT, LOG_LEVEL: 'debug', RATE_LOGIN: 'off', RATE_WRITE: 'off' };
    const child = spawn(process.execPath, SERVICE, {
      env,
      stdio: ['ignore', nowhere.fd, nowhere.fd],
    });
    try {
      const client = new ServiceClient(`http://127.0.0.1:${PORT}`, '', '');
      await eventually('it is ready', () => answers(`${client.url}/readyz`), 20_000);
      const account = await fleet.register();
      const statuses: number[] = [];
      for (let n = 0; n < 50; n += 1) {
        const { accessToken } = await client.login(account);
        statuses.push((await client.get('/api/v1/iam/me', accessToken)).status);
        statuses.push((await client.get('/api/v1/nowhere', accessToken)).status - 204);
      }
      figures.note('log: requests', statuses.length);
      figures.note('log: answers that were wrong', statuses.filter((status) => status !== 200).length, '', {
        exactly: 0,
      });
      figures.note('log: the process is still the same', child.exitCode === null ? 1 : 0, '', { exactly: 1 });
      child.kill('SIGTERM');
      figures.note('log: its end', (await exitOf(child)) ?? -1, '', { exactly: 0 });
    } finally {
      child.kill('SIGKILL');
      await nowhere.close();
      await fleet.stop();
    }
  }, 120_000);
});

/** Fills the disk until no write succeeds: PostgreSQL reserves space for its log in advance. */
async function wasteUntilRefused({ postgres }: Fleet): Promise<void> {
  await postgres.sql('CREATE TABLE IF NOT EXISTS waste (text text)').catch(() => undefined);
  const waste = () =>
    postgres.sql("INSERT INTO waste SELECT repeat('x', 1000) FROM generate_series(1, 5000)").then(
      () => false,
      () => true,
    );
  await eventually('PostgreSQL has no room', waste, 60_000);
}

function writes({ postgres }: Fleet): Promise<boolean> {
  return postgres.sql('CREATE TABLE IF NOT EXISTS waste (text text); DROP TABLE waste').then(
    () => true,
    () => false,
  );
}

/** Compares every index of the schema with its table. @throws at the first damaged one */
async function amcheck({ postgres }: Fleet): Promise<number> {
  await postgres.sql('CREATE EXTENSION IF NOT EXISTS amcheck');
  const checked = await postgres.sql(
    `SELECT bt_index_parent_check(i.indexrelid, true) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
     WHERE a.amname = 'btree' AND c.relkind = 'i' AND c.relnamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
  );
  return checked.length;
}
