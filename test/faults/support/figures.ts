import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../../support/tools.js';

/** Where the reporter finds what the tests measured. */
const RESULTS = 'results/faults';

/** What a figure has to keep to; nothing, where it is only told. */
export type Bound =
  | { readonly atMost: number }
  | { readonly atLeast: number }
  | { readonly exactly: number }
  | Record<string, never>;

interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly bound: string;
  readonly kept: boolean;
}

/** What one acceptance test measured. All of it is written down, also what comes after a bound that was missed. */
export class Figures {
  private readonly all: Figure[] = [];
  private unsettled: string[] = [];

  constructor(private readonly test: string) {}

  /** Notes a figure and holds it against its bound; one without a bound is only told. */
  note(name: string, value: number, unit = '', bound: Bound = {}): void {
    const figure = { name, value: Math.round(value * 1_000) / 1_000, unit, ...judge(value, bound) };
    this.all.push(figure);
    const line = `${name}: ${figure.value} ${unit}${figure.bound && ` (${figure.bound})`}`;
    say(`${figure.kept ? '' : 'NOT KEPT '}${line}`);
    if (!figure.kept) this.unsettled.push(line);
  }

  /** Notes how many findings there are; there must be none. */
  none(name: string, findings: readonly string[]): void {
    this.note(name, findings.length, '', { exactly: 0 });
    this.unsettled.push(...findings.slice(0, 20));
  }

  /** @throws naming every bound that was missed since the last time */
  settle(): void {
    const missed = this.unsettled;
    this.unsettled = [];
    if (missed.length > 0) throw new Error(missed.join('\n'));
  }

  write(): void {
    mkdirSync(RESULTS, { recursive: true });
    writeFileSync(join(RESULTS, `${this.test}.json`), JSON.stringify(this.all));
  }
}

function judge(value: number, bound: Bound): Pick<Figure, 'bound' | 'kept'> {
  if ('atMost' in bound) return { bound: `at most ${bound.atMost}`, kept: value <= bound.atMost };
  if ('atLeast' in bound) return { bound: `at least ${bound.atLeast}`, kept: value >= bound.atLeast };
  if ('exactly' in bound) return { bound: `exactly ${bound.exactly}`, kept: value === bound.exactly };
  return { bound: '', kept: true };
}

/** Says how far a test is, at once: Jest shows what a test prints only at its end. */
export function say(text: string): void {
  process.stderr.write(`    ${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

/**
 * An acceptance test of the security bar.
 * @param test its number, as its file is called: `at-12`
 * @param programs that it uses beside Node; without them it is left out, and that is said
 */
export function acceptance(
  test: string,
  title: string,
  programs: readonly string[],
  tests: (figures: Figures) => void,
): void {
  describeWith(programs, `${test.toUpperCase()}: ${title}`, () => {
    const figures = new Figures(test);
    beforeAll(() => say(`${test.toUpperCase()}: ${title}`));
    afterEach(() => figures.settle());
    afterAll(() => figures.write());
    tests(figures);
  });
}

/** The value below which this share of the values lies; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
