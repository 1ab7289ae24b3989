/**
 * Limits the damage if a text is not constant: PostgreSQL keeps each prepared statement until the
 * connection closes. The service marks some 170.
 */
const MAX_STATEMENTS = 300;

const names = new Map<string, string>();

/**
 * Marks the text of a frequent statement, which is then parsed and planned once per connection
 * (except through a pooler). For statements that find rows by a key, for which one plan fits all
 * parameters, and that list their columns, so that a new column does not invalidate the plan.
 */
export function prepared(text: string): string {
  if (!names.has(text) && names.size < MAX_STATEMENTS) names.set(text, `gatehouse_${names.size}`);
  return text;
}

/** @returns name of the prepared statement; undefined unless the text is marked */
export function nameOf(text: string): string | undefined {
  return names.get(text);
}
