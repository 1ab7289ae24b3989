import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEBIAN_POSTGRES } from '../support/debian-postgres.js';
import { eventually } from '../support/test-app.js';
import { drawCurves } from './support/curves.js';
import { acceptance, percentile, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Ledger } from './support/ledger.js';
import { PostgresPair } from './support/postgres-pair.js';
import { Writer } from './support/writer.js';

/** Faults of each kind: each is timed at two replicas. */
const ROUNDS = Number(process.env['FAULTS_ROUNDS'] || inForm(1, 25));
/** For docs/images, by the long form. */
const PICTURE = 'failovers.svg';
/** Time from the end of a killed primary to the promotion, as a cluster manager needs some. */
const LEADERLESS_MS = inForm(2_000, 5_000);
const BACK_MS = { atMost: 1_000 };
const BACK_MAX_MS = { atMost: 3_000 };
const GAP_MS = { atMost: 2_000 };

/**
 * A synchronous standby is promoted. The first replica knows both servers, the second one an
 * address of HAProxy, which ends the sessions of the server that it leaves.
 */
acceptance('at-33', 'a primary that is killed or replaced', [...DEBIAN_POSTGRES, 'haproxy'], (figures) => {
  let pair: PostgresPair;
  let fleet: Fleet<PostgresPair>;
  beforeAll(async () => {
    pair = await PostgresPair.start(true);
    fleet = await Fleet.on(pair, {
      replicas: 2,
      balanced: false,
      databaseUrl: () => pair.through('ending'),
    });
    await fleet.replica(0).terminate();
    await fleet.replica(0).restart({ DATABASE_URL: pair.severalHosts });
  }, 120_000);
  afterAll(() => fleet.stop());

  /** @returns the moment at which the second server was found to be the primary */
  async function promote(): Promise<number> {
    const promoting = pair.promote();
    await eventually('the standby is promoted', () => pair.second.isPrimary(), 20_000);
    const promoted = performance.now();
    await pair.lead(pair.second, 'ending');
    await promoting;
    return promoted;
  }

  /** Has the writers write until each has written after the promotion. */
  async function afterwards(writers: readonly Writer[], promoted: number): Promise<void> {
    await eventually('every replica writes', () => writers.every((one) => one.wroteAfter(promoted)), 20_000);
    await fleet.ready();
  }

  it(
    'loses nothing that was acknowledged, revives no session and answers only 503 besides',
    async () => {
      const ledger = await Ledger.open(fleet, { rate: 20, people: 12 });
      const writers = await Promise.all([0, 1].map((n) => Writer.start(fleet, n)));
      const back: number[] = [];
      const gaps: number[] = [];
      const pictured: Record<'back' | 'gaps', [at: number, ms: number][]> = { back: [], gaps: [] };
      const start = performance.now();
      const draw = (what: keyof typeof pictured, values: readonly number[]): void =>
        void pictured[what].push([(performance.now() - start) / 1_000, Math.max(...values)]);
      for (let round = 0; round < ROUNDS; round += 1) {
        await sleep(1_000);
        await pair.first.halt();
        await sleep(LEADERLESS_MS);
        const promoted = await promote();
        await afterwards(writers, promoted);
        back.push(...writers.map((one) => one.backAfter(promoted)));
        draw('back', back.slice(-2));
        say(`killed: writes back after ${back.slice(-2).map(Math.round).join(' and ')} ms`);
        await pair.rejoin();

        await sleep(1_000);
        const began = performance.now();
        await pair.first.shutDown();
        await afterwards(writers, await promote());
        gaps.push(...writers.map((one) => one.gapSince(began)));
        draw('gaps', gaps.slice(-2));
        say(`switched over: no writes for ${gaps.slice(-2).map(Math.round).join(' and ')} ms`);
        await pair.rejoin();
      }
      await Promise.all(writers.map((one) => one.stop()));
      const curves = [
        {
          name: 'Primary killed: time until writes are back, after the promotion',
          unit: 'ms',
          points: pictured.back,
          bound: BACK_MS.atMost,
          isOfEvents: true,
        },
        {
          name: 'Primary replaced in order: longest time without a write',
          unit: 'ms',
          points: pictured.gaps,
          bound: GAP_MS.atMost,
          isOfEvents: true,
        },
      ];
      mkdirSync('results/faults', { recursive: true });
      writeFileSync(
        `results/faults/${PICTURE}`,
        drawCurves(
          `${2 * ROUNDS} failovers in turn, the slower of two replicas; dashed: the bound of their p95`,
          curves,
        ),
      );
      figures.note('failovers', 2 * ROUNDS);
      figures.note('promotions that were timed', back.length + gaps.length);
      figures.note('killed: writes back, median', percentile(back, 0.5), 'ms');
      figures.note('killed: writes back, p95', percentile(back, 0.95), 'ms', ROUNDS > 1 ? BACK_MS : {});
      figures.note('killed: writes back at the latest', Math.max(...back), 'ms', BACK_MAX_MS);
      figures.note('switch-over: without writes, p95', percentile(gaps, 0.95), 'ms', GAP_MS);
      figures.none(
        'answers other than success and 503',
        writers.flatMap(({ others }) => others),
      );
      figures.note('requests of the ledger', ledger.since(0).length);
      figures.none('broken promises', await ledger.check());
    },
    120_000 + ROUNDS * 90_000,
  );
});
