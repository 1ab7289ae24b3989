import type { Attributes } from './tracing.js';

const LONGEST_TEXT = 1_000;

/**
 * A statement in the words of OpenTelemetry's conventions for databases. Its text is ours: what users give is in the parameters, which are not looked at.
 * @param question what the driver was given: the text, or an object that holds it
 */
export function describeStatement(question: unknown): { name: string; attributes: Attributes } {
  const given = typeof question === 'string' ? question : (question as { text?: unknown } | null)?.text;
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
      'db.query.text': text.slice(0, LONGEST_TEXT),
      ...(table !== undefined && { 'db.collection.name': table }),
    },
  };
}
