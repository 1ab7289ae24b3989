import { has, text, type MessageId } from '../messages/index.ts';
import { type CountChart, type Series, sum, type Tone } from './chart.tsx';

const TONES = [1, 2, 3, 4, 5, 6] as const;
/** Tones of outcomes. Methods and reasons get theirs in the order of their numbers. */
const OF_OUTCOMES: Readonly<Record<string, Tone>> = {
  delivered: 1,
  done: 1,
  sent: 1,
  signed_in: 1,
  refused: 'care',
  deferred: 'care',
  postponed: 'care',
  failed: 'bad',
  unreachable: 'bad',
  'given-up': 'bad',
};

/** Returns the counts of one thing by method, outcome or reason, the largest first. */
export function seriesOf({ series }: Pick<CountChart, 'series'>, name: string): Series[] {
  const found = series
    .filter((one) => one.name === name && sum(one.counts) > 0)
    .toSorted((one, other) => sum(other.counts) - sum(one.counts));
  const shown = found.slice(0, TONES.length - (found.length > TONES.length ? 1 : 0));
  const others = found.slice(shown.length);
  return [
    ...shown.map(({ value, counts }, n) => ({
      label: nameOfValue(value),
      counts,
      tone: OF_OUTCOMES[value] ?? TONES[n] ?? 6,
    })),
    ...(others.length === 0
      ? []
      : [
          {
            label: text('count.others'),
            counts: added(others.map(({ counts }) => counts)),
            tone: 6 as const,
          },
        ]),
  ];
}

/** Returns the sum of the counts of some values of one thing; of all without values. */
export const totalOf = (
  { series }: Pick<CountChart, 'series'>,
  name: string,
  ...values: readonly string[]
): number =>
  series
    .filter((one) => one.name === name && (values.length === 0 || values.includes(one.value)))
    .reduce((total, { counts }) => total + sum(counts), 0);

/** Returns counts of zero, for what has not happened. */
export const nothing = ({ span }: Pick<CountChart, 'span'>, label: string): Series[] => [
  { label, counts: Array.from({ length: span === 'hour' ? 24 : 30 }, () => 0), tone: 1 },
];

/** Name of a method, outcome or reason; the word itself if it is not known here. */
function nameOfValue(value: string): string {
  const id = `count.${value}`;
  return has(id) ? text(id as MessageId & `count.${string}`) : value;
}

const added = (all: readonly (readonly number[])[]): number[] =>
  (all[0] ?? []).map((_, column) => all.reduce((total, counts) => total + (counts[column] ?? 0), 0));
