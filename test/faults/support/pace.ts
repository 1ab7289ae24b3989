import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitOf } from '../../support/built-service.js';
import type { FaultPostgres } from './fault-postgres.js';
import { percentile } from './figures.js';

const EVERY_MS = 25;
/** A request of the service waits for a processor more often than one of the control. */
const TIMES = 3;

interface Span {
  /** Milliseconds since the epoch. */
  readonly from?: number;
  readonly to?: number;
}

/**
 * Measures the delay of small requests that the machine itself causes: those to a control process
 * without any fault, 40 times a second. Bounds in milliseconds are extended by it, so that other
 * work on the machine does not break them. On a quiet machine it is a few milliseconds.
 */
export class Pace {
  private readonly samples: { readonly at: number; readonly ms: number }[] = [];
  private over = false;
  private readonly asking: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    url: string,
  ) {
    this.asking = this.ask(url);
  }

  static async beside(postgres: FaultPostgres): Promise<Pace> {
    const child = spawn(process.execPath, ['test/faults/support/pace-server.mjs', postgres.url], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    return new Pace(child, `http://127.0.0.1:${Number(port)}`);
  }

  /** Returns the time in which this share of the control's requests was answered. */
  delay(share: number, { from = 0, to = Infinity }: Span = {}): number {
    const times = this.samples.filter(({ at }) => at >= from && at < to).map(({ ms }) => ms);
    if (times.length === 0) throw new Error('The control was not asked in this time.');
    return percentile(times, share);
  }

  /**
   * Returns the milliseconds by which the machine delays this share of the service's requests.
   * @param times how much more work a request is than one of the control
   */
  allowance(share: number, span: Span = {}, times = TIMES): number {
    return Math.ceil(times * this.delay(share, span));
  }

  async stop(): Promise<void> {
    this.over = true;
    await this.asking;
    this.child.stdin?.end();
    await exitOf(this.child);
  }

  private async ask(url: string): Promise<void> {
    for (; !this.over; await sleep(EVERY_MS)) {
      const at = Date.now();
      const began = performance.now();
      await (await fetch(url)).text();
      this.samples.push({ at, ms: performance.now() - began });
    }
  }
}
