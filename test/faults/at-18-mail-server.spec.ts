import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/test-app.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { acceptance, percentile, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { unfinished } from './support/invariants.js';
import { Ledger } from './support/ledger.js';
import { Pace } from './support/pace.js';

/** Duration of each of the four faults. */
const SECONDS = inForm(8, 150);
/** Several replicas send mails concurrently. */
const MAILS = 12;
/**
 * Requests that decide p95, such as a registration, wait for a processor more often than a read.
 */
const WORK = 15;
const DELIVERED_WITHIN_MS = 60_000;

acceptance('at-18', 'a failing mail server', [], (figures) => {
  let fleet: Fleet;
  let network: TcpProxy;
  let pace: Pace;
  beforeAll(async () => {
    fleet = await Fleet.start({
      replicas: 2,
      balanced: false,
      mailUrl: async (direct) => (network = await TcpProxy.to(direct)).url,
    });
    pace = await Pace.beside(fleet.postgres);
  });
  afterAll(async () => {
    await pace.stop();
    await fleet.stop();
    await network.close();
  });

  const faults: [string, () => Promise<void>, () => Promise<void>][] = [
    ['refuses connections', () => network.cut(), () => network.mend()],
    ['hangs', async () => network.swallow(), () => network.mend()],
    [
      'says 451',
      async () => void (fleet.mail.defaultVerdict = 'refuse'),
      async () => void (fleet.mail.defaultVerdict = 'take'),
    ],
    [
      'drops after DATA',
      async () => void (fleet.mail.defaultVerdict = 'drop'),
      async () => void (fleet.mail.defaultVerdict = 'take'),
    ],
  ];

  it(
    'delays no request, and every mail arrives in the end',
    async () => {
      const ledger = await Ledger.open(fleet, { rate: 20 });
      const sql = fleet.postgres.sql.bind(fleet.postgres);
      const p95 = (since: number) =>
        percentile(
          ledger.since(since).map(({ ms }) => ms),
          0.95,
        );
      const waiting = async () =>
        (await unfinished(sql)).filter((finding) => !finding.includes('failed')).length;
      const baseline = Date.now();
      await sleep(SECONDS * 1_000);
      const usual = p95(baseline);
      figures.note('p95 as usual', usual, 'ms');
      for (const [how, breakIt, mendIt] of faults) {
        const began = Date.now();
        await breakIt();
        await sleep(SECONDS * 1_000);
        const during = p95(began);
        const mended = Date.now();
        await mendIt();
        say(`the mail server no longer ${how}`);
        while ((await waiting()) > 0 && Date.now() - mended < DELIVERED_WITHIN_MS + 5_000) await sleep(500);
        figures.note(`p95 while it ${how}`, during, 'ms', {
          atMost: usual * 1.1 + 50 + pace.allowance(0.95, { from: began, to: mended }, WORK),
        });
        figures.note(`all delivered after it ${how}`, (Date.now() - mended) / 1_000, 's', { atMost: 60 });
      }
      figures.none('broken promises', await ledger.check());
      figures.note('mails', fleet.mail.received.length);
      figures.note('mails that came twice', ledger.duplicateMails, '', { exactly: 0 });
    },
    (SECONDS * 5 + 480) * 1_000,
  );

  it('does not delay the end of a replica', async () => {
    network.swallow();
    const person = { password: 'quiet-harbour-42', firstName: 'Ada' };
    for (let n = 0; n < MAILS; n += 1)
      await fleet.client(0).post('register', { ...person, email: `ada-${n}@example.com` });
    await eventually('both replicas have a send under way', async () => {
      const held = await fleet.postgres.sql(
        "SELECT DISTINCT locked_by FROM graphile_worker.jobs WHERE task_identifier = 'mail.send' AND locked_at < now() - interval '1 second'",
      );
      return held.length === 2;
    });
    const { code, ms } = await fleet.replica(0).terminate();
    figures.note('ended beside a mail server that hangs within', ms / 1_000, 's', { atMost: 10 });
    figures.note('exit code', code ?? -1, '', { exactly: 0 });
    await network.mend();
    await fleet.replica(0).restart();
  }, 90_000);
});
