import type { Attributes } from './tracing.js';

const MAX_TEXT_LENGTH = 1_000;

/**
 * Describes a statement by OpenTelemetry's semantic conventions for databases. The text is
 * constant: user input is in the parameters, which are not read.
 * @param statement argument of the driver: the text, or an object that holds it
 */
export function describeStatement(statement: unknown): { name: string; attributes: Attributes } {
  const given = typeof statement === 'string' ? statement : (statement as { text?: unknown } | null)?.text;
  const text = String(given ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  const operation = /^\w+/.exec(text)?.[0].toUpperCase() ?? 'QUERY';
  const table = /\b(?:FROM|INTO|UPDATE)\s+"?([a-z_][\w.]*)/.exec(text)?.[1];
  return {
    name: table === undefined ? operation : `${operation} ${table}`,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': text.slice(0, MAX_TEXT_LENGTH),
      ...(table !== undefined && { 'db.collection.name': table }),
    },
  };
}
