/** @service separate */
import fc from 'fast-check';
import { FairQueue } from '../../src/iam/accounts/credentials/fair-queue.js';

const BOUNDS = { slots: 2, places: 8, maxWaitMs: 5_000 };
const SHARE = BOUNDS.places / 2;

type Step =
  | { readonly does: 'arrive'; readonly network: string }
  | { readonly does: 'finish'; readonly which: number }
  | { readonly does: 'wait'; readonly ms: number };

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ does: fc.constant('arrive' as const), network: networks() }) },
    {
      weight: 3,
      arbitrary: fc.record({ does: fc.constant('finish' as const), which: fc.nat(BOUNDS.slots - 1) }),
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('wait' as const), ms: fc.nat(6_000) }) },
  ),
  { minLength: 40, maxLength: 120, size: 'max' },
);

/** One of them much more often than the others. */
function networks(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant('flood') },
    { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c') },
  );
}

interface Job {
  readonly network: string;
  readonly since: number;
  state: 'waiting' | 'running' | 'done' | 'refused';
  end(): void;
}

/** Jobs that the test ends, and who was served in which order. */
class Crowd {
  readonly jobs: Job[] = [];
  readonly broken: string[] = [];
  readonly queue = new FairQueue(BOUNDS, () => new Error('refused'));
  /** Of each network that waits: those that have been served since its last turn. */
  private readonly servedSince = new Map<string, Set<string>>();

  arrive(network: string): Job {
    const job: Job = { network, since: Date.now(), state: 'waiting', end: () => undefined };
    this.jobs.push(job);
    const run = () => {
      this.served(network);
      job.state = 'running';
      return new Promise<void>((resolve) => (job.end = resolve));
    };
    this.queue.run(network, run).then(
      () => (job.state = 'done'),
      () => (job.state = 'refused'),
    );
    return job;
  }

  in(state: Job['state'], network?: string): Job[] {
    return this.jobs.filter((job) => job.state === state && (network ?? job.network) === job.network);
  }

  get waitingNetworks(): Set<string> {
    return new Set(this.in('waiting').map(({ network }) => network));
  }

  /** Between two turns of one network every other one that waits has had a turn. */
  private served(network: string): void {
    this.servedSince.delete(network);
    for (const other of this.waitingNetworks) {
      if (other === network) continue;
      const served = this.servedSince.get(other) ?? new Set();
      if (served.has(network)) this.broken.push(`${network} was served twice while ${other} waited`);
      this.servedSince.set(other, served.add(network));
    }
  }

  check(): void {
    const waiting = this.in('waiting');
    const running = this.in('running').length;
    for (const known of this.servedSince.keys())
      if (!this.waitingNetworks.has(known)) this.servedSince.delete(known);
    expect(this.broken).toEqual([]);
    expect(running).toBeLessThanOrEqual(BOUNDS.slots);
    expect([this.queue.running, this.queue.waiting]).toEqual([running, waiting.length]);
    expect(waiting.length).toBeLessThanOrEqual(BOUNDS.places);
    if (waiting.length > 0) expect(running).toBe(BOUNDS.slots);
    if (this.waitingNetworks.size > 1)
      for (const network of this.waitingNetworks)
        expect(this.in('waiting', network).length).toBeLessThanOrEqual(SHARE);
    for (const { since } of waiting) expect(Date.now() - since).toBeLessThan(BOUNDS.maxWaitMs);
  }
}

/** Lets what has been settled come through. */
const settle = () => jest.advanceTimersByTimeAsync(0);

describe('The queue of passwords that wait to be hashed', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    jest.restoreAllMocks(); // first: the spies stand on the fake timers
    jest.useRealTimers();
  });

  it('keeps its slots, places, shares and turns in any order of jobs', async () => {
    const set = jest.spyOn(globalThis, 'setTimeout');
    const cleared = jest.spyOn(globalThis, 'clearTimeout');
    /** Limits of waiting times that have not been lifted; Jest itself may have timers as well. */
    const limitsLeft = () => {
      const lifted = new Set(cleared.mock.calls.map(([timer]) => timer));
      const limits = set.mock.results.filter((_, n) => set.mock.calls[n]?.[1] === BOUNDS.maxWaitMs);
      return limits.filter(({ value }) => !lifted.has(value as NodeJS.Timeout)).length;
    };
    await fc.assert(
      fc.asyncProperty(steps, async (all: Step[]) => {
        set.mockClear();
        cleared.mockClear();
        const crowd = new Crowd();
        for (const step of all) {
          if (step.does === 'arrive') crowd.arrive(step.network);
          if (step.does === 'finish') crowd.in('running')[step.which]?.end();
          await (step.does === 'wait' ? jest.advanceTimersByTimeAsync(step.ms) : settle());
          crowd.check();
        }
        while (crowd.in('running').length > 0) {
          crowd.in('running')[0]?.end();
          await settle();
          crowd.check();
        }
        expect([...crowd.in('waiting'), ...crowd.in('running')]).toEqual([]);
        expect(limitsLeft()).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('gives one network all places while no other waits, and half of them once another does', async () => {
    const crowd = new Crowd();
    for (let n = 0; n < 100; n += 1) crowd.arrive('flood');
    await settle();
    expect(crowd.in('waiting', 'flood')).toHaveLength(BOUNDS.places);
    const other = crowd.arrive('a');
    await settle();
    expect(other.state).toBe('waiting');
    expect(crowd.in('waiting', 'flood')).toHaveLength(SHARE);
    const oldest = crowd.in('waiting', 'flood')[0];
    crowd.in('running')[0]?.end();
    crowd.in('running')[1]?.end();
    await settle();
    expect([oldest?.state, other.state]).toEqual(['running', 'running']);
  });

  it('refuses the newest job of the site with the most when all places are taken', async () => {
    const crowd = new Crowd();
    for (const network of ['x', 'y']) for (let n = 0; n < 10; n += 1) crowd.arrive(network);
    await settle();
    expect(crowd.in('waiting')).toHaveLength(BOUNDS.places);
    const other = crowd.arrive('a');
    await settle();
    expect(other.state).toBe('waiting');
    expect(crowd.in('waiting')).toHaveLength(BOUNDS.places);
    expect(crowd.in('waiting', 'x').length + crowd.in('waiting', 'y').length).toBe(BOUNDS.places - 1);
  });

  it('refuses the new job, and no waiting one, if its network has as many as any other', async () => {
    const crowd = new Crowd();
    for (const network of ['z', 'z', 'x', 'y', 'x', 'y', 'x', 'y', 'a', 'a']) crowd.arrive(network);
    await settle();
    const before = crowd.in('waiting');
    expect(before).toHaveLength(BOUNDS.places);
    const third = crowd.arrive('a');
    await settle();
    expect(third.state).toBe('refused');
    expect(crowd.in('waiting')).toEqual(before);
  });

  it('continues after a failed job', async () => {
    const queue = new FairQueue({ ...BOUNDS, slots: 1 }, () => new Error('refused'));
    const failing = queue.run('a', () => Promise.reject(new Error('broken')));
    const next = queue.run('a', () => Promise.resolve('served'));
    await expect(failing).rejects.toThrow('broken');
    await expect(next).resolves.toBe('served');
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  });

  it('returns what the job does, and begins one at once while a slot is free', async () => {
    const crowd = new Crowd();
    await expect(crowd.queue.run('a', () => Promise.resolve('served'))).resolves.toBe('served');
    const jobs = ['a', 'a', 'a'].map((network) => crowd.arrive(network));
    expect(crowd.queue.waiting).toBe(1);
    jobs[0]?.end();
    await settle();
    jobs[1]?.end();
    jobs[2]?.end();
    await settle();
    expect(jobs.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect([crowd.queue.running, crowd.queue.waiting]).toEqual([0, 0]);
  });

  it('forgets the networks that were served least recently, to use no more memory than for 4096', async () => {
    const order: string[] = [];
    const queue = new FairQueue({ ...BOUNDS, slots: 1 }, () => new Error('refused'));
    const run = (network: string) => queue.run(network, () => Promise.resolve(void order.push(network)));
    const others = (count: number) => Array.from({ length: count }, (_, n) => `198.18.${n >> 8}.${n & 255}`);
    const firstAfter = async (count: number) => {
      await run('early');
      for (const network of others(count)) await run(network);
      order.length = 0;
      await Promise.all(['first', 'early', 'new'].map(run));
      return order[1];
    };
    expect(await firstAfter(4_000)).toBe('new');
    expect(await firstAfter(4_096)).toBe('early');
  });

  describe('under attack', () => {
    const HASH_MS = 250;
    const queue = () => new FairQueue({ slots: 2, places: 64, maxWaitMs: 5_000 }, () => new Error('refused'));

    /**
     * Counts jobs of newcomers, two a second for half a minute, that are served while an attacker
     * keeps sending: fifty requests a second, each from the network that `attackers` names, and for
     * a while before them.
     */
    async function servedDuring(attackers: (n: number) => string, secondsBefore: number): Promise<number> {
      const busy = queue();
      const hash = () => new Promise<void>((resolve) => setTimeout(resolve, HASH_MS));
      let served = 0;
      for (let tick = -50 * secondsBefore; tick < 1_500; tick += 1) {
        busy.run(attackers(tick + 50 * secondsBefore), hash).catch(() => undefined);
        const newcomer = `198.18.${tick >> 8}.${tick & 255}`;
        if (tick >= 0 && tick % 25 === 24)
          busy.run(newcomer, hash).then(
            () => (served += 1),
            () => undefined,
          );
        await jest.advanceTimersByTimeAsync(20);
      }
      await jest.advanceTimersByTimeAsync(10_000);
      expect([busy.running, busy.waiting]).toEqual([0, 0]);
      return served;
    }

    it.each<[string, number, (n: number) => string]>([
      ['one address', 0, () => '203.0.113.66'],
      ['64 addresses', 0, (n) => `203.0.113.${n % 64}`],
      ['254 addresses, each of which was served once', 40, (n) => `203.0.113.${n % 254}`],
      ['ever new /64 networks of one /48', 0, (n) => `2001:db8:bad:${n.toString(16)}::/64`],
    ])('from %s serves at least 95 %% of the newcomers', async (_, secondsBefore, attackers) => {
      expect(await servedDuring(attackers, secondsBefore)).toBeGreaterThanOrEqual(57);
    });

    it('gives a new network the place of one that was served, if each has one', async () => {
      const busy = queue();
      const arrive = (network: string) => {
        const job = { state: 'waiting' };
        busy.run(network, () => new Promise<void>(() => undefined)).catch(() => (job.state = 'refused'));
        return job;
      };
      for (const network of ['served-1', 'served-2']) arrive(network);
      const again = arrive('served-2');
      for (let n = 1; n < 64; n += 1) arrive(`network-${n}`);
      const newcomer = arrive('newcomer');
      await settle();
      expect([again.state, newcomer.state, busy.waiting]).toEqual(['refused', 'waiting', 64]);
    });

    it('shares the turns of a /48 among its /64 networks', async () => {
      const order: string[] = [];
      const busy = new FairQueue({ ...BOUNDS, slots: 1 }, () => new Error('refused'));
      const jobs = ['f:1', '1:1', '1:1', '1:2', '2:1'].map((name) =>
        busy.run(`2001:db8:${name}::/64`, () => Promise.resolve(order.push(name))),
      );
      await Promise.all(jobs);
      expect(order).toEqual(['f:1', '1:1', '2:1', '1:2', '1:1']);
    });

    it('counts the places of a /48 together', async () => {
      const crowd = new Crowd();
      for (let n = 0; n < 20; n += 1) crowd.arrive(`2001:db8:1:${n}::/64`);
      const other = crowd.arrive('2001:db8:2:1::/64');
      await settle();
      expect(other.state).toBe('waiting');
      expect(crowd.in('waiting')).toHaveLength(SHARE + 1);
    });
  });
});
