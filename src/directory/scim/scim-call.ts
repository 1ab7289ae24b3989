import { type AppError, errorRow } from '../../platform/errors/index.js';
import { versionOfEtag } from '../../platform/web/index.js';
import type { Selection } from '../records/record-list.repository.js';
import type { DirectoryScope } from '../records/record-rules.js';
import { ScimError } from './scim-error.js';

/** A request of a directory, after authentication. */
export interface ScimCall {
  readonly scope: DirectoryScope;
  readonly query: Query;
  /** Parsed body; undefined without one. */
  readonly body: unknown;
  readonly ifMatch: string | null;
  /** Of a GET only. */
  readonly ifNoneMatch: string | null;
  /** Base address, without a slash at the end. */
  readonly baseUrl: string;
  readonly caller: ScimCaller;
}

/** The client of a request, of which a bulk request asks before each operation. */
interface ScimCaller {
  /** Returns whether the connection was closed before the answer. */
  isGone(): boolean;
  /**
   * Begins one more operation than the first: takes a token of the rate limit, and asks again
   * whether the directory may call.
   * @throws {AppError} too-many-requests; unauthenticated for a token that has ended or stopped
   * @throws {ScimError} 403 for an organization that is archived
   */
  beginOperation(): Promise<void>;
}

export interface ScimAnswer {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Operations of a bulk request that were refused, for the log. */
  readonly refusals?: readonly Refusal[];
}

interface Refusal {
  readonly method: string;
  readonly path: string;
  readonly answer: ScimAnswer;
}

/** Parameters of a list, from the query or from the body of `.search` (RFC 7644 section 3.4.3). */
export interface Query extends Selection {
  readonly attributes: readonly string[];
  readonly excludedAttributes: readonly string[];
}

/** Reads the parameters of a list. @throws {ScimError} invalidValue */
export function queryOf(given: (name: string) => unknown): Query {
  const text = (name: string): string | undefined => {
    const value = given(name);
    if (value !== undefined && typeof value !== 'string')
      throw new ScimError(400, 'invalidValue', `${name} must be a text.`);
    return value;
  };
  const number = (name: string): number | undefined => {
    const value = given(name);
    if (value === undefined || value === '') return undefined;
    const parsed = Number(value);
    if (!Number.isInteger(parsed))
      throw new ScimError(400, 'invalidValue', `${name} must be a whole number.`);
    return parsed;
  };
  const names = (name: string): string[] => {
    const value = given(name);
    const list: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
    return list
      .filter((one) => typeof one === 'string')
      .map((one) => one.trim().toLowerCase())
      .filter(Boolean);
  };
  const [filter, cursor, sortBy] = [text('filter'), text('cursor'), text('sortBy')];
  const [startIndex, count] = [number('startIndex'), number('count')];
  return {
    ...(filter !== undefined && filter !== '' && { filter }),
    ...(startIndex !== undefined && { startIndex }),
    ...(count !== undefined && { count }),
    ...(cursor !== undefined && { cursor }),
    ...(sortBy !== undefined && sortBy !== '' && { sortBy }),
    descending: text('sortOrder')?.toLowerCase() === 'descending',
    attributes: names('attributes'),
    excludedAttributes: names('excludedAttributes'),
  };
}

/** Answers with an error in the form of RFC 7644 section 3.12. */
export function refusalOf({ code, detail, retryAfterSeconds, headers }: AppError): ScimAnswer {
  return {
    ...new ScimError(errorRow(code).status, null, detail).toAnswer(),
    headers: {
      ...(retryAfterSeconds !== undefined && {
        'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))),
      }),
      ...headers,
    },
  };
}

/** Status of a request whose caller has gone, in the log only: the answer is not sent. */
const CLIENT_CLOSED_REQUEST = 499;

/** Records how far a request came before its caller closed the connection. */
export function goneAfter(done: number, all: number): ScimAnswer {
  const detail = `The caller closed the connection after ${done} of ${all} operations. The rest was not run.`;
  return new ScimError(CLIENT_CLOSED_REQUEST, null, detail).toAnswer();
}

/**
 * Reads the version that If-Match requires.
 * @returns null if it requires none; -1, which no record has, for tags that are not of a version
 */
export function versionOf(ifMatch: string | null): number | null {
  if (ifMatch === null || ifMatch.trim() === '*') return null;
  return versionOfEtag(ifMatch) ?? -1;
}
