import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet, FleetDatabase } from './fleet.js';

const ME = '/api/v1/iam/me';
const PAUSE_MS = 20;

/** Writes at one replica again and again, and records when it was acknowledged. */
export class Writer {
  /** Answers other than success and 503. */
  readonly others: string[] = [];
  /** Start and end of each acknowledged write, by `performance.now()`. */
  private readonly acknowledged: (readonly [start: number, end: number])[] = [];
  private running = true;
  private done: Promise<void> | undefined;

  private constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  static async start(fleet: Fleet<FleetDatabase>, n: number): Promise<Writer> {
    const { accessToken } = await fleet.client(n).login(await fleet.register());
    const writer = new Writer(`${fleet.replica(n).url}${ME}`, accessToken);
    writer.done = writer.run();
    return writer;
  }

  async stop(): Promise<void> {
    this.running = false;
    await this.done;
  }

  /** Whether a write that began after a moment was acknowledged. */
  wroteAfter(moment: number): boolean {
    return this.acknowledged.some(([start]) => start > moment);
  }

  /** Returns the milliseconds from a moment until a write was acknowledged that began after it. */
  backAfter(moment: number): number {
    const first = this.acknowledged.find(([start]) => start > moment);
    return first ? first[1] - moment : Infinity;
  }

  /** Returns the longest time between two acknowledged writes since a moment, in milliseconds. */
  gapSince(moment: number): number {
    const ends = this.acknowledged.map(([, end]) => end);
    const from = ends.findLastIndex((end) => end <= moment);
    const since = ends.slice(Math.max(0, from));
    return Math.max(...since.slice(1).map((end, n) => end - (since[n] ?? end)));
  }

  private async run(): Promise<void> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    for (let n = 0; this.running; n += 1) {
      const start = performance.now();
      const body = JSON.stringify({ firstName: `Ada ${n}` });
      const status = await fetch(this.url, { method: 'PATCH', headers, body }).then(
        async (response) => {
          await response.text();
          return response.status;
        },
        () => 0,
      );
      if (status === 200) this.acknowledged.push([start, performance.now()]);
      else if (status !== 503) this.others.push(`a write answered ${status}`);
      await sleep(PAUSE_MS);
    }
  }
}
