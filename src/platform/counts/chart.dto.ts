import { objectListField, Output } from '../api/index.js';
import type { Span } from './count.entity.js';
import type { CountRow, SourceRow } from './count.repository.js';

const HOUR_MS = 3_600_000;
/** Columns of a chart by what each covers. */
const COLUMNS: Readonly<Record<Span, number>> = { hour: 24, day: 30 };
const LENGTH_MS: Readonly<Record<Span, number>> = { hour: HOUR_MS, day: 24 * HOUR_MS };
/** More than all values that are counted. */
const MAX_SERIES = 100;

/** More than an organization has webhooks, with deleted ones of the time shown. */
const MAX_SOURCES = 1_000;

const WORD = { max: 40, pattern: '^[a-z_-]+$' } as const;

export class SeriesResponse {
  @Output.text({ ...WORD, description: 'What is counted.', example: 'sign-in' })
  name: string;
  @Output.text({ ...WORD, description: 'Method, outcome or reason.', example: 'passkey' })
  value: string;
  @Output({
    schema: {
      type: 'array',
      items: { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      maxItems: COLUMNS.day,
      description: 'A number for each column, the oldest first.',
      example: [0, 3, 12],
    },
  })
  counts: number[];
}

class ColumnsResponse {
  @Output.word(['hour', 'day'] as const, { description: 'What a column covers, in UTC.' })
  span: Span;
  @Output.time({ description: 'Begin of the first column.' })
  from: string;
}

/** Counts of the last hours or days, with the current one. */
export class ChartResponse extends ColumnsResponse {
  @Output(objectListField(() => SeriesResponse, MAX_SERIES))
  series: SeriesResponse[];

  /** @param since begin of the first column, of {@link beginOf} */
  static from(rows: readonly CountRow[], span: Span, since: Date): ChartResponse {
    const groups = Map.groupBy(rows, ({ name, value }) => `${name} ${value}`);
    const series = [...groups.values()].flatMap((group) => {
      const [first] = group;
      return first ? [{ name: first.name, value: first.value, counts: columnsOf(group, span, since) }] : [];
    });
    return { span, from: since.toISOString(), series };
  }
}

/** Counts of one webhook, connection or directory. */
class SourceResponse {
  @Output.ulid({ description: 'What they are about.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' })
  id: string;
  @Output(objectListField(() => SeriesResponse, MAX_SERIES))
  series: SeriesResponse[];
}

/** Counts of the last hours, by what they are about. */
export class SourcesResponse extends ColumnsResponse {
  @Output(objectListField(() => SourceResponse, MAX_SOURCES))
  items: SourceResponse[];

  static from(rows: readonly SourceRow[], span: Span, since: Date): SourcesResponse {
    const bySource = [...Map.groupBy(rows, ({ source }) => source)];
    const items = bySource.map(([id, group]) => ({
      id,
      series: ChartResponse.from(group, span, since).series,
    }));
    return { span, from: since.toISOString(), items };
  }
}

/** Returns the begin of the first column of a chart that ends now. */
export function beginOf(span: Span, now = Date.now()): Date {
  const length = LENGTH_MS[span];
  return new Date(now - (now % length) - (COLUMNS[span] - 1) * length);
}

function columnsOf(rows: readonly CountRow[], span: Span, since: Date): number[] {
  const counts = Array.from({ length: COLUMNS[span] }, () => 0);
  for (const { startsAt, count } of rows) {
    const column = (startsAt.getTime() - since.getTime()) / LENGTH_MS[span];
    if (column in counts) counts[column] = (counts[column] ?? 0) + count;
  }
  return counts;
}
