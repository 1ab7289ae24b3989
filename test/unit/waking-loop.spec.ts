import { WakingLoop } from '../../src/platform/events/waking-loop.js';

const REST_MS = 100;

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Runs a loop that is woken all the time, until it has run so often. */
async function runWoken(times: number, delay: number): Promise<number[]> {
  const began: number[] = [];
  const loop = new WakingLoop(
    async () => {
      began.push(performance.now());
      await turn();
      return delay;
    },
    () => undefined,
    1,
    REST_MS,
  );
  loop.start();
  while (began.length < times) {
    loop.wake();
    await turn();
  }
  await loop.stop();
  return began;
}

describe('A loop that is woken all the time', () => {
  it('rests between runs', async () => {
    const [first = 0, second = 0, third = 0] = await runWoken(3, 10);
    for (const gap of [second - first, third - second]) expect(gap).toBeGreaterThan(REST_MS - 5);
  });

  it('does not rest while work is due at once', async () => {
    const began = await runWoken(1_000, 0); // rests of 100 s would exceed the time of a test
    expect(began.length).toBeGreaterThanOrEqual(1_000);
  });
});
