import { OF_PEOPLE, OF_THE_CLIENT, OF_THE_KEY, ON_OTHER_THINGS, type Decision } from './expectation.js';

/**
 * Kinds of comparisons: of a permission check with a command; of checks that no command can repeat;
 * of commands that no check can precede.
 */
const KINDS = ['command', 'probe', 'path'] as const;
type Kind = (typeof KINDS)[number];

/** Counts the comparisons, to show that every possible result has occurred. */
export class Tally {
  private readonly counts = new Map<string, number>();

  add(kind: Kind, scope: string, { allowed, code = 'allowed', reason = '' }: Decision, by = 'app'): void {
    this.count(kind);
    if (by !== 'app') this.count(`${kind} by a ${by} ${code}`);
    if ([OF_THE_CLIENT, OF_PEOPLE, OF_THE_KEY, ON_OTHER_THINGS].includes(reason))
      this.count(`${kind} ${reason}`);
    this.count(`${kind} ${code}`);
    if (code === 'state_forbids' || code === 'authentication_insufficient') this.count(`${kind} ${reason}`);
    this.count(`${kind} ${scope} ${allowed ? 'allowed' : 'denied'}`);
  }

  of(what: string): number {
    return this.counts.get(what) ?? 0;
  }

  /** Formats a line for each of the codes and reasons. */
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
