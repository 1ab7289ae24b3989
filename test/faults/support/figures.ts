import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../../support/tools.js';

/** File from which the reporter reads what the tests measured. */
const RESULTS = 'results/faults';

/** Bound of a figure; without one it is only reported. */
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

/** Collects what one acceptance test measured, including figures after a missed bound. */
export class Figures {
  private readonly all: Figure[] = [];
  private unsettled: string[] = [];

  constructor(private readonly test: string) {}

  /** Notes a figure and compares it with its bound; without a bound it is only reported. */
  note(name: string, value: number, unit = '', bound: Bound = {}): void {
    const figure = { name, value: Math.round(value * 1_000) / 1_000, unit, ...judge(value, bound) };
    this.all.push(figure);
    const line = `${name}: ${figure.value} ${unit}${figure.bound && ` (${figure.bound})`}`;
    say(`${figure.kept ? '' : 'NOT KEPT '}${line}`);
    if (!figure.kept) this.unsettled.push(line);
  }

  /** Notes the number of findings, which must be zero. */
  none(name: string, findings: readonly string[]): void {
    this.note(name, findings.length, '', { exactly: 0 });
    this.unsettled.push(...findings.slice(0, 20));
  }

  /** @throws naming every bound missed since the last call */
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

/** Prints the progress of a test at once: Jest prints a test's output only at its end. */
export function say(text: string): void {
  process.stderr.write(`    ${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

/**
 * Declares an acceptance test of docs/acceptance.md.
 * @param test its number, as in its file name: `at-12`; the whole name of a further file of it
 * @param programs that it uses besides Node; without them the test is skipped with a message
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

/** Returns the value below which this share of the values lies; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
