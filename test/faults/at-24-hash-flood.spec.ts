import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptance, percentile } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Wire } from './support/wire.js';

const LOGINS = 500;
const WAVES = inForm(1, 4);
/** Passwords that may wait to be hashed: password-hasher.ts. */
const LONGEST_QUEUE = 64;

acceptance('at-24', 'five hundred logins at once', [], (figures) => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await Fleet.start({ replicas: 1, balanced: false, settings: { BCRYPT_COST: '12' } });
  });
  afterAll(() => fleet.stop());

  it('are hashed a few at a time, the excess is turned away, and nobody else feels it', async () => {
    const replica = fleet.replica(0);
    const { accessToken: token } = await fleet.client().login(await fleet.register());
    const flood = new Wire({ targets: fleet.targets, timeoutMs: 30_000 });
    const others = new Wire({ targets: fleet.targets });
    const [running, waiting]: [number[], number[]] = [[], []];
    let over = false;
    const times = (since = 0) => others.samples.filter(({ at }) => at >= since).map(({ ms }) => ms);
    const watch = async (): Promise<void> => {
      for (; !over; await sleep(100)) {
        running.push(await replica.metric('gatehouse_hashing_running'));
        waiting.push(await replica.metric('gatehouse_hashing_waiting'));
      }
    };
    const visit = async (): Promise<void> => {
      for (; !over; await sleep(50))
        await others.ask({ method: 'GET', path: '/api/v1/iam/me', token, expect: [200] });
    };
    const watchers = [watch(), visit()];
    await sleep(3_000);
    const usual = percentile(times(), 0.95);
    const flooded = Date.now();
    for (let wave = 0; wave < WAVES; wave += 1)
      await Promise.all(
        Array.from({ length: LOGINS }, (_, n) => {
          const body = { email: `stranger-${wave}-${n}@example.com`, password: 'quiet-harbour-42' };
          return flood.ask({ method: 'POST', path: '/api/v1/iam/auth/login', body, expect: [401] });
        }),
      );
    over = true;
    await Promise.all(watchers);
    const refused = flood.samples.filter(({ outcome }) => outcome === 'unavailable');
    figures.none('broken promises', [...flood.faults, ...others.faults, ...fleet.complaints]);
    figures.note('logins', flood.samples.length);
    figures.note('of them answered 503', refused.length, '', { atLeast: LOGINS / 2 });
    figures.note('not answered at all', flood.samples.filter(({ outcome }) => outcome === 'cut').length, '', {
      exactly: 0,
    });
    figures.note('hashed at once', Math.max(...running), '', { atMost: availableParallelism() });
    figures.note('longest queue', Math.max(...waiting), '', { atMost: LONGEST_QUEUE });
    figures.note('visits of others', times(flooded).length);
    figures.note('p95 of these as usual', usual, 'ms');
    figures.note('p95 of these', percentile(times(flooded), 0.95), 'ms', { atMost: 200 });
  }, 180_000);
});
