import { EventEmitter } from 'node:events';
import { Channel, type Port, Processes } from '../../src/platform/processes/index.js';
import { LocalBuckets } from '../../src/platform/rate-limit/buckets/local-buckets.js';
import { answerBuckets, ParentBuckets } from '../../src/platform/rate-limit/buckets/parent-buckets.js';

/** One end of a channel in this process. */
class End extends EventEmitter implements Port {
  other: End;
  /** Why nothing can be sent. */
  broken: Error | null = null;
  sent = 0;

  send(message: object, done: (error: Error | null) => void): void {
    this.sent += 1;
    if (!this.broken) setImmediate(() => this.other.emit('message', structuredClone(message)));
    setImmediate(() => done(this.broken));
  }
}

function pair(): [End, End] {
  const [one, other] = [new End(), new End()];
  [one.other, other.other] = [other, one];
  return [one, other];
}

describe('A channel between processes', () => {
  it('has each question answered, in any order', async () => {
    const [one, other] = pair();
    const [asking, answering] = [new Channel(one), new Channel(other)];
    const held = Promise.withResolvers<string>();
    answering.answer('slow', () => held.promise);
    answering.answer('double', (n: number) => n * 2);
    const slow = asking.ask('slow');
    expect(await asking.ask('double', 21)).toBe(42);
    held.resolve('at last');
    expect(await slow).toBe('at last');
  });

  it('fails a question whose answer fails, or which the other process does not know', async () => {
    const [one, other] = pair();
    const [asking, answering] = [new Channel(one), new Channel(other)];
    answering.answer('fails', () => Promise.reject(new Error('no way')));
    await expect(asking.ask('fails')).rejects.toThrow('no way');
    await expect(asking.ask('unknown')).rejects.toThrow('no answer to unknown');
  });

  it('fails questions that cannot be sent, and those that wait when the process ends', async () => {
    const [one, other] = pair();
    const [asking, answering] = [new Channel(one), new Channel(other)];
    answering.answer('never', () => new Promise(() => undefined));
    const waiting = asking.ask('never');
    asking.close();
    await expect(waiting).rejects.toThrow('has ended');
    one.broken = new Error('closed');
    await expect(asking.ask('never')).rejects.toThrow('closed');
  });
});

describe('Rate limits of several processes', () => {
  const NOW = Date.UTC(2026, 10, 29);
  const start = (workers: number) => {
    const buckets = new LocalBuckets(() => NOW);
    return Array.from({ length: workers }, () => {
      const [worker, parent] = pair();
      answerBuckets(new Channel(parent), buckets);
      return { worker, buckets: new ParentBuckets(new Channel(worker)) };
    });
  };

  it('allow together exactly as many requests as one bucket holds', async () => {
    const workers = start(3);
    const states = await Promise.all(
      Array.from({ length: 100 }, (_, n) => workers[n % 3]?.buckets.take('read:ada', 10)),
    );
    expect(states.filter((state) => state?.isBlocked === false)).toHaveLength(10);
    expect((await workers[0]?.buckets.take('read:grace', 10))?.remaining).toBe(9);
  });

  it('are asked once for all requests of a turn', async () => {
    const [{ worker, buckets } = { worker: new End(), buckets: undefined }] = start(1);
    const states = await Promise.all([1, 2, 3].map(() => buckets?.take('read:ada', 10)));
    expect(states.map((state) => state?.remaining)).toEqual([9, 8, 7]);
    expect(worker.sent).toBe(1);
    await buckets?.take('read:ada', 10);
    expect(worker.sent).toBe(2);
  });

  it('get back a token that Redis refused', async () => {
    const [first, second] = start(2);
    await first?.buckets.take('read:ada', 1);
    await first?.buckets.giveBack('read:ada', 1);
    expect((await second?.buckets.take('read:ada', 1))?.isBlocked).toBe(false);
  });
});

describe('The processes of a replica', () => {
  it('are one without a parent, which runs the jobs and asks no others', async () => {
    const processes = new Processes();
    processes.answer('readiness', () => true);
    expect(processes.runsJobs).toBe(true);
    expect(await processes.askOthers('readiness')).toEqual([]);
  });

  it('have the jobs run by the first of several', () => {
    expect([1, 2, 3].map((number) => new Processes(number, new Channel(pair()[0])).runsJobs)).toEqual([
      true,
      false,
      false,
    ]);
  });
});
