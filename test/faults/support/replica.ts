import { readdir, readFile } from 'node:fs/promises';
import { answers, BuiltService } from '../../support/built-service.js';
import { eventually, type ServiceClient } from '../../support/test-app.js';

/** Process states in /proc. */
interface Footprint {
  readonly rssMb: number;
  readonly files: number;
}

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/**
 * What graphile-worker prints, besides its line in the log, of a worker whose database has gone:
 * to the next line of the log.
 */
const WORKER_TRACE = /^Trace: [^]*?(?=^\{"|(?![^]))/gm;

/** One replica over several processes: same settings, same port. */
export class Replica {
  private readonly outputs: string[] = [];
  private readonly crashes: string[] = [];
  private expected = false;

  private constructor(private service: BuiltService) {
    this.watch();
  }

  static async start(environment: Record<string, string>): Promise<Replica> {
    const replica = await Replica.launch(environment);
    await replica.ready();
    return replica;
  }

  /** Starts the process without waiting until it is ready. */
  static async launch(environment: Record<string, string>, program?: string): Promise<Replica> {
    return new Replica(await BuiltService.launch(environment, program));
  }

  get url(): string {
    return this.service.url;
  }

  get client(): ServiceClient {
    return this.service;
  }

  get pid(): number {
    return this.service.pid;
  }

  /** Output of all its processes. */
  get output(): string {
    return [...this.outputs, this.service.output].join('');
  }

  /**
   * Log lines about a fault of the service itself; an unavailable dependency is logged at a lower
   * level or as `unavailable`.
   */
  get complaints(): string[] {
    const faults = this.output
      .replaceAll(WORKER_TRACE, '')
      .split('\n')
      .filter((line) => /"level":[56]0|unhandled|uncaught|^\s+at |could not start/i.test(line))
      .filter((line) => !/"code":"unavailable"|"reason":"temporarily_unavailable"/.test(line));
    return [...this.crashes, ...faults];
  }

  /** Resolves when the replica is ready. @returns milliseconds that took */
  async ready(limitMs = 60_000): Promise<number> {
    const began = Date.now();
    await eventually(`${this.url} is ready`, () => answers(`${this.url}/readyz`), limitMs).catch((error) => {
      throw new Error(`${error.message} It said: ${this.output.slice(-2_000)}`);
    });
    return Date.now() - began;
  }

  /** Ends the process as a crash of the machine does. */
  async kill(): Promise<void> {
    this.expected = true;
    this.service.kill('SIGKILL');
    await this.service.ended;
  }

  /** Ends the process as an orchestrator does. */
  async terminate(): Promise<{ readonly code: number | null; readonly ms: number }> {
    this.expected = true;
    const began = Date.now();
    this.service.kill('SIGTERM');
    return { code: await this.service.ended, ms: Date.now() - began };
  }

  /**
   * Starts a new process after the old one has ended.
   * @param changes to its settings
   * @param program of another release
   */
  async restart(changes: Record<string, string> = {}, program?: string): Promise<number> {
    await this.relaunch(changes, program);
    return this.ready();
  }

  /** Restarts like {@link restart}, without waiting until it is ready. */
  async relaunch(changes: Record<string, string> = {}, program?: string): Promise<void> {
    this.outputs.push(this.service.output);
    this.service = await BuiltService.launch({ ...this.service.environment, ...changes }, program);
    this.expected = false;
    this.watch();
  }

  async footprint(): Promise<Footprint> {
    const status = await readFile(`/proc/${this.pid}/status`, 'utf8');
    const rss = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]);
    return { rssMb: rss / 1024, files: (await readdir(`/proc/${this.pid}/fd`)).length };
  }

  /** Processor time that the process has used. */
  async cpuMs(): Promise<number> {
    const stat = await readFile(`/proc/${this.pid}/stat`, 'utf8');
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return (user + system) * TICK_MS;
  }

  /** Returns the value of a metric, such as `gatehouse_hashing_waiting`. */
  async metric(name: string): Promise<number> {
    const headers = { authorization: `Bearer ${this.service.environment['METRICS_TOKEN']}` };
    const text = await (await fetch(`${this.url}/metrics`, { headers })).text();
    return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1]);
  }

  async stop(): Promise<void> {
    this.expected = true;
    await this.service.stop();
  }

  private watch(): void {
    const { service } = this;
    void service.ended.then((code) => {
      if (!this.expected && service === this.service)
        this.crashes.push(`process ${service.pid} of ${this.url} ended by itself with ${code}`);
    });
  }
}
