import { Logger } from '@nestjs/common';

/**
 * Limits the damage if a text is not constant: PostgreSQL keeps each prepared statement until the
 * connection closes. The service marks some 170.
 */
export const MAX_STATEMENTS = 300;

const names = new Map<string, string>();
let isBoundReported = false;

/**
 * Marks the text of a frequent statement, which is then parsed and planned once per connection
 * (except through a pooler). For statements that find rows by a key, for which one plan fits all
 * parameters, and that list their columns, so that a new column does not invalidate the plan.
 */
export function prepared(text: string): string {
  if (names.has(text)) return text;
  if (names.size < MAX_STATEMENTS) names.set(text, `gatehouse_${names.size}`);
  else reportBound(text);
  return text;
}

/** Reports that statements are planned each time from now on: a text may not be constant. */
function reportBound(text: string): void {
  if (isBoundReported) return;
  isBoundReported = true;
  const start = text.replaceAll(/\s+/g, ' ').slice(0, 200);
  new Logger('Database').warn(`${MAX_STATEMENTS} statements are prepared; further ones are not: ${start}`);
}

/** @returns name of the prepared statement; undefined unless the text is marked */
export function nameOf(text: string): string | undefined {
  return names.get(text);
}
