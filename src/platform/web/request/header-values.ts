import type { IncomingMessage } from 'node:http';

/**
 * Returns all values of a header in order; Node keeps only the first value of some headers.
 * @param name in lower case
 */
export function headerValuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? '';
    if (given.length === name.length && given.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}
