import { useId, useState, type PointerEvent } from 'react';
import type { components } from '@gatehouse/client';
import { intlLocale, text } from '../messages/index.ts';
import '../styles/charts.css';

export type CountChart = components['schemas']['ChartResponse'];
export type Tone = 1 | 2 | 3 | 4 | 5 | 6 | 'bad' | 'care';

/** Numbers of a chart with one name and color. */
export interface Series {
  readonly label: string;
  readonly counts: readonly number[];
  readonly tone: Tone;
}

/** Width of a column, and height of the plot, in units of the drawing. */
const COLUMN = 10;
const HEIGHT = 100;

interface Props {
  readonly title: string;
  readonly chart: Pick<CountChart, 'span' | 'from'>;
  readonly series: readonly Series[];
  /** Draws the one series as a level that goes on, such as a number of members. */
  readonly isLevel?: boolean;
}

/**
 * Chart of counts by hour or day, with a table for screen readers. Under the pointer, the legend
 * shows the numbers of one column.
 */
export function Chart({ title, chart, series, isLevel = false }: Props) {
  const id = useId();
  const [at, setAt] = useState<number | null>(null);
  const length = series[0]?.counts.length ?? 0;
  const highest = Math.max(...sumsOf(series), 1);
  const top = roundUp(isLevel ? highest + 1 : highest);
  const point = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(Math.min(length - 1, Math.max(0, Math.floor(((clientX - left) / width) * length))));
  };
  return (
    <section className="sheet chart" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <span className="soft small">{at !== null && <Time chart={chart} column={at} />}</span>
      </header>
      <div className="chart-plot">
        <span className="soft top-value" aria-hidden="true">
          {compact(top)}
        </span>
        <svg
          viewBox={`0 0 ${length * COLUMN} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          onPointerMove={point}
          onPointerLeave={() => setAt(null)}
        >
          {[0, HEIGHT / 2, HEIGHT].map((y) => (
            <line key={y} x1={0} x2={length * COLUMN} y1={y} y2={y} />
          ))}
          {isLevel ? (
            <Level counts={series[0]?.counts ?? []} top={top} />
          ) : (
            <Stacks {...{ series, top, at }} />
          )}
        </svg>
        <div className="soft chart-axis" aria-hidden="true">
          {[0, Math.floor((length - 1) / 2), length - 1].map((column) => (
            <Time key={column} chart={chart} column={column} />
          ))}
        </div>
      </div>
      <ul className="chart-legend" aria-hidden="true">
        {series.map(({ label, counts, tone }) => (
          <li key={label}>
            <span className={`swatch tone-${tone}`} />
            {label}
            <strong>
              {number(at === null ? (isLevel ? (counts.at(-1) ?? 0) : sum(counts)) : (counts[at] ?? 0))}
            </strong>
          </li>
        ))}
      </ul>
      <Table title={title} chart={chart} series={series} />
    </section>
  );
}

interface StacksProps {
  readonly series: readonly Series[];
  readonly top: number;
  /** Column under the pointer. */
  readonly at: number | null;
}

/** A bar for each column, with a part for each series. */
function Stacks({ series, top, at }: StacksProps) {
  return series.map(({ label, counts, tone }, n) =>
    counts.map((count, column) => {
      const below = series.slice(0, n).reduce((total, one) => total + (one.counts[column] ?? 0), 0);
      const height = (count / top) * HEIGHT;
      return (
        <rect
          key={`${label} ${column}`}
          className={`tone-${tone}${at === null || at === column ? '' : ' other'}`}
          x={column * COLUMN + 1}
          width={COLUMN - 2}
          y={HEIGHT - (below / top) * HEIGHT - height}
          height={height}
        />
      );
    }),
  );
}

function Level({ counts, top }: { readonly counts: readonly number[]; readonly top: number }) {
  const width = counts.length * COLUMN;
  const points = counts.map(
    (count, column) => `${(column / (counts.length - 1)) * width} ${HEIGHT - (count / top) * HEIGHT}`,
  );
  const line = points.join(' L ');
  return (
    <>
      <path className="level" d={`M 0 ${HEIGHT} L ${line} L ${width} ${HEIGHT} Z`} />
      <path className="level-line" d={`M ${line}`} />
    </>
  );
}

/** Bars of the last hours in a row of a list, with a table for screen readers. */
export function Bars({ title, chart, series }: Omit<Props, 'isLevel'>) {
  const length = series[0]?.counts.length ?? 0;
  const top = Math.max(...sumsOf(series), 1);
  return (
    <span className="bars">
      <svg viewBox={`0 0 ${length * COLUMN} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {Array.from({ length }, (_, column) => (
          <rect
            key={column}
            className="none"
            x={column * COLUMN + 1}
            width={COLUMN - 2}
            y={HEIGHT - 4}
            height={4}
          />
        ))}
        <Stacks series={series} top={top} at={null} />
      </svg>
      <Table title={title} chart={chart} series={series} />
    </span>
  );
}

/** The numbers of a chart, for screen readers. */
function Table({ title, chart, series }: Omit<Props, 'isLevel'>) {
  return (
    <div className="hidden-label">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{text('chart.time')}</th>
            {series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series[0]?.counts.map((_, column) => (
            <tr key={column}>
              <th scope="row">
                <Time chart={chart} column={column} />
              </th>
              {series.map(({ label, counts }) => (
                <td key={label}>{number(counts[column] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const HOUR_MS = 3_600_000;

interface TimeProps {
  readonly chart: Pick<CountChart, 'span' | 'from'>;
  readonly column: number;
}

/** Of a column: hours in the time of the browser; days as they are counted, in UTC. */
function Time({ chart: { span, from }, column }: TimeProps) {
  const time = new Date(Date.parse(from) + column * (span === 'hour' ? HOUR_MS : 24 * HOUR_MS));
  return (
    <time dateTime={time.toISOString()}>
      {span === 'hour'
        ? time.toLocaleTimeString(intlLocale(), { hour: '2-digit', minute: '2-digit' })
        : time.toLocaleDateString(intlLocale(), { day: 'numeric', month: 'short', timeZone: 'UTC' })}
    </time>
  );
}

/** The next round number: 1 to 6, 8, 10, 20 and so on. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return (([1, 2, 3, 4, 5, 6, 8].find((one) => one * unit >= value) ?? 10) as number) * unit;
}

export const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** Sums of the columns. */
const sumsOf = (series: readonly Series[]): number[] =>
  (series[0]?.counts ?? []).map((_, column) => sum(series.map(({ counts }) => counts[column] ?? 0)));

export const number = (value: number): string => value.toLocaleString(intlLocale());
const compact = (value: number): string => value.toLocaleString(intlLocale(), { notation: 'compact' });

/** Rounds down, so that only all are 100 %. */
export function percent(part: number, all: number): string {
  const share = all === 0 ? 0 : Math.floor((part / all) * 1_000) / 1_000;
  return share.toLocaleString(intlLocale(), { style: 'percent', maximumFractionDigits: 1 });
}
