import type { SchemaObject } from '@nestjs/swagger';
import type { MessageId } from '../messages/index.js';
import type { ErrorCode } from './error-codes.js';

/** Row of the error catalogue: the problem details of a code. */
export interface ErrorRow {
  readonly status: number;
  readonly title: string;
  /** What happened, for people; the default `detail`. */
  readonly detail: string;
  /** The detail as a message, for an error that people see: it is sent in their language. */
  readonly message?: MessageId;
  /** What to do next; shown on the page that `type` links to. */
  readonly remedy: string;
  /** Schemas of further members of the problem, by name. */
  readonly members?: Readonly<Record<string, SchemaObject>>;
  /** Values of further members, for the example of the API documentation. */
  readonly example?: Readonly<Record<string, unknown>>;
}

const catalogue = new Map<string, ErrorRow>();

/**
 * Adds the errors of a module to the catalogue (API-6), when its file is loaded.
 * @param errors rows by code, the last segment of `type`
 * @throws if a code is declared twice
 */
export function declareErrors<const Rows extends Readonly<Record<string, ErrorRow>>>(errors: Rows): Rows {
  for (const [code, row] of Object.entries(errors)) {
    if (catalogue.has(code)) throw new Error(`The error ${code} is declared twice.`);
    catalogue.set(code, row);
  }
  return errors;
}

/** @returns the row of a code */
export function errorRow(code: ErrorCode): ErrorRow {
  const row = findErrorRow(code);
  if (!row) throw new Error(`The error ${code} is not declared: load the *.errors.ts file of its module.`);
  return row;
}

/** @returns the row of a code that a request names; undefined if there is none */
export function findErrorRow(code: string): ErrorRow | undefined {
  return catalogue.get(code);
}

/** @returns all codes, by status and name */
export function errorCodes(): ErrorCode[] {
  const sorted = [...catalogue].toSorted(([a, x], [b, y]) => x.status - y.status || (a < b ? -1 : 1));
  return sorted.map(([code]) => code as ErrorCode);
}
