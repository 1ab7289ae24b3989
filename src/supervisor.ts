import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openDatabase } from './environment.js';
import { limitHeapGrowth } from './release-memory.js';
import { loadRootSecret, type Settings } from './platform/config/index.js';
import { Channel, PLACE, type Place } from './platform/processes/index.js';
import { LocalBuckets } from './platform/rate-limit/buckets/local-buckets.js';
import { answerBuckets } from './platform/rate-limit/buckets/parent-buckets.js';

/** Minimum time between two starts of a worker that ends again and again. */
const RESTART_INTERVAL_MS = 1_000;
/** Exceeds the time that a worker takes for its answer itself. */
const ANSWER_MS = 3_000;
/** Interval at which a worker that serves is asked whether it hangs. */
const HANG_CHECK_INTERVAL_MS = 10_000;
/** Time for each of {@link MAX_MISSED} answers: no request blocks a worker for so long. */
const HANG_ANSWER_MS = 10_000;
/** A replica that was paused as a whole finds its first question overdue. */
const MAX_MISSED = 2;
/** Exceeds the time to drain by what a worker takes to end; then it is killed. */
const MAX_SHUTDOWN_MS = 25_000;

interface Says {
  readonly onProgress: (line: string) => void;
  readonly onReady: () => void;
}

/**
 * Runs the workers of this replica until shutdown (ADR 77): one port, one set of rate limits, and
 * another worker for each that dies.
 */
export async function superviseWorkers(
  settings: Settings,
  shutdownRequested: Promise<void>,
  { onProgress, onReady }: Says,
): Promise<void> {
  await loadRootSecret(settings); // made before several workers would make it
  const database = await openDatabase(settings, onProgress);
  try {
    const supervisor = new Supervisor(settings, {
      port: await findPort(settings),
      embedded: settings.DATABASE_URL ? null : database.url,
    });
    const stopping = shutdownRequested.then(() => supervisor.prepareStop());
    await supervisor.start();
    onReady();
    limitHeapGrowth();
    await stopping;
    await supervisor.stop();
  } finally {
    await database.stop();
  }
}

/**
 * Finds the port of the workers, which they must not share with another service of the same user.
 * @throws if it is taken
 */
async function findPort({ PORT, HOST }: Settings): Promise<number> {
  const server = createServer().listen(PORT, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Process of a worker. */
interface Run {
  readonly pid: number | undefined;
  readonly startedAt: number;
  /** @throws if it ends before it serves */
  readonly serves: Promise<void>;
  readonly ended: Promise<End>;
}

/** How a worker ended. */
interface End {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why the system could not start it, such as for too many open files. */
  readonly reason?: string;
}

class Supervisor {
  private readonly log: ReturnType<typeof pino>;
  private readonly buckets = new LocalBuckets();
  /** Channels of the workers whose port is open. */
  private readonly serving = new Map<number, Channel>();
  private readonly workers = new Set<ChildProcess>();
  private readonly kept: Promise<void>[] = [];
  private stopping = false;

  constructor(
    private readonly settings: Settings,
    private readonly shared: Omit<Place, 'number'>,
  ) {
    this.log = pino({ level: settings.LOG_LEVEL });
  }

  /**
   * Starts all workers, the first one before the others: one migrates, and one says why it cannot
   * start.
   * @throws if one of them ends before it serves
   */
  async start(): Promise<void> {
    await this.keep(1);
    const others = Array.from({ length: this.settings.WORKERS - 1 }, (_, index) => index + 2);
    await Promise.all(others.map((number) => this.keep(number)));
  }

  /** Replaces no worker from now on. */
  prepareStop(): void {
    this.stopping = true;
  }

  /** Has all workers drain and end. */
  async stop(): Promise<void> {
    const signalAll = (signal: NodeJS.Signals): void => {
      for (const worker of this.workers) worker.kill(signal);
    };
    const limitMs = this.settings.DRAIN_SECONDS * 1_000 + MAX_SHUTDOWN_MS;
    const limit = setTimeout(() => signalAll('SIGKILL'), limitMs);
    signalAll('SIGTERM');
    await Promise.all(this.kept);
    clearTimeout(limit);
  }

  /** Keeps a worker running until shutdown. @returns when it serves for the first time */
  private async keep(number: number): Promise<void> {
    const run = this.fork(number);
    await run.serves;
    this.kept.push(this.replace(number, run));
  }

  private async replace(number: number, first: Run): Promise<void> {
    for (let run = first; ; run = this.fork(number)) {
      const end = await run.ended;
      if (this.stopping) return;
      const ended = { context: 'Workers', worker: number, ended: run.pid, ...end };
      this.log.warn(ended, 'A worker ended and is replaced.');
      await sleep(Math.max(0, run.startedAt + RESTART_INTERVAL_MS - performance.now()));
      if (this.stopping) return;
    }
  }

  private fork(number: number): Run {
    const place: Place = { number, ...this.shared };
    const [program = '', ...words] = process.argv.slice(1);
    const worker = fork(program, words, { env: { ...process.env, [PLACE]: JSON.stringify(place) } });
    const channel = new Channel(worker);
    this.workers.add(worker);
    answerBuckets(channel, this.buckets);
    channel.answer('others', (question: string) => this.askOthers(number, question));
    const [serves, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<End>()];
    serves.promise.catch(() => undefined); // awaited at the start only
    channel.answer('serves', () => {
      this.serving.set(number, channel);
      serves.resolve();
      this.killIfItHangs(number, worker, channel).catch((err: unknown) =>
        this.log.error({ context: 'Workers', worker: number, err }, 'A worker is no longer watched.'),
      );
    });
    const end = (how: End): void => {
      this.workers.delete(worker);
      this.serving.delete(number);
      channel.close();
      serves.reject(new Error(`worker ${number} ended before it could serve`));
      ended.resolve(how);
    };
    worker.once('exit', (code: number | null, signal: string | null) => end({ code, signal }));
    worker.on('error', ({ message }) => {
      if (worker.pid === undefined) end({ code: null, signal: null, reason: message });
    });
    const startedAt = performance.now();
    return { pid: worker.pid, startedAt, serves: serves.promise, ended: ended.promise };
  }

  /** Kills a worker that does not answer: the kernel goes on giving it connections. */
  private async killIfItHangs(number: number, worker: ChildProcess, channel: Channel): Promise<void> {
    for (let missed = 0; this.serving.get(number) === channel;) {
      const alive = channel.ask<boolean>('alive').catch(() => true);
      missed = (await Promise.race([alive, sleep(HANG_ANSWER_MS, false, { ref: false })])) ? 0 : missed + 1;
      if (missed === MAX_MISSED) {
        this.log.warn(
          { context: 'Workers', worker: number, hangs: worker.pid },
          'A worker hangs and is killed.',
        );
        worker.kill('SIGKILL');
        return;
      }
      if (missed === 0) await sleep(HANG_CHECK_INTERVAL_MS, null, { ref: false });
    }
  }

  private askOthers(asking: number, question: string): Promise<unknown[]> {
    const others = [...this.serving].filter(([number]) => number !== asking);
    return Promise.all(
      others.map(([, channel]) =>
        Promise.race([channel.ask(question), sleep(ANSWER_MS, null, { ref: false })]).catch(() => null),
      ),
    );
  }
}
