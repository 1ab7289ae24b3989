import { OF_THE_CLIENT, type Verdict } from './expectation.js';

/** What was compared: with the command, by probes alone where no command can ask it, by the command alone where no probe can. */
const KINDS = ['command', 'probe', 'path'] as const;
type Kind = (typeof KINDS)[number];

/** Counts what was compared, so that one sees that everything that can be said has been said. */
export class Tally {
  private readonly counts = new Map<string, number>();

  add(kind: Kind, scope: string, { allowed, code = 'allowed', reason }: Verdict, bySatellite = false): void {
    this.count(kind);
    if (bySatellite) this.count(`${kind} by a satellite ${code}`);
    if (reason === OF_THE_CLIENT) this.count(`${kind} ${OF_THE_CLIENT}`);
    this.count(`${kind} ${code}`);
    if (code === 'state_forbids') this.count(`${kind} ${reason}`);
    this.count(`${kind} ${scope} ${allowed ? 'allowed' : 'denied'}`);
  }

  of(what: string): number {
    return this.counts.get(what) ?? 0;
  }

  /** One line for each of the codes and sentences. */
  table(rows: readonly string[]): string {
    const lines = rows.map((row) => {
      const cells = KINDS.map((kind) => String(this.of(`${kind} ${row}`)).padStart(9));
      return `${cells.join(' ')}  ${row}`;
    });
    const sums = KINDS.map((kind) => String(this.of(kind)).padStart(9)).join(' ');
    return [KINDS.map((kind) => kind.padStart(9)).join(' '), ...lines, `${sums}  in all`].join('\n');
  }

  private count(what: string): void {
    this.counts.set(what, this.of(what) + 1);
  }
}
