import { arrivalsOfTurn } from '../../src/platform/web/fast-path/arrivals.js';

describe('Requests of one turn of the event loop', () => {
  const steps: string[] = [];
  const run = async (name: string, arrivals: () => Promise<void>): Promise<void> => {
    steps.push(`${name} arrives`);
    await arrivals();
    steps.push(`${name} is authenticated`);
    await Promise.resolve();
    steps.push(`${name} is answered`);
  };

  beforeEach(() => {
    steps.length = 0;
    delete process.env['TEST_FAST_PATH'];
  });

  it('take each step together, when all have arrived', async () => {
    const arrivals = arrivalsOfTurn();
    const first = run('A', arrivals);
    await Promise.resolve();
    await Promise.all([first, run('B', arrivals)]);
    const together = ['A arrives', 'B arrives', 'A is authenticated', 'B is authenticated'];
    expect(steps).toEqual([...together, 'A is answered', 'B is answered']);
  });

  it('do so in each turn', async () => {
    const arrivals = arrivalsOfTurn();
    await run('A', arrivals);
    const second = run('B', arrivals);
    await Promise.resolve();
    await Promise.all([second, run('C', arrivals)]);
    expect(steps.indexOf('A is answered')).toBeLessThan(steps.indexOf('B arrives'));
    expect(steps.indexOf('C arrives')).toBeLessThan(steps.indexOf('B is authenticated'));
  });

  it('do not wait with the fast path off', async () => {
    process.env['TEST_FAST_PATH'] = 'off';
    const arrivals = arrivalsOfTurn();
    const first = run('A', arrivals);
    await Promise.resolve();
    await Promise.resolve();
    expect(steps).toEqual(['A arrives', 'A is authenticated', 'A is answered']);
    await first;
  });
});
