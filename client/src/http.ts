import createClient, { type FetchOptions } from 'openapi-fetch';
import { reasonOf } from './abort.js';
import { ProblemError, UnreachableError } from './errors.js';
import type { paths } from './generated/openapi.js';
import { readRateLimit, type RateLimit } from './rate-limit.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
/** Paths that have an operation of this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never;
}[keyof paths];
type OptionsOf<M extends Method, P extends PathOf<M>> = FetchOptions<paths[P][M]>;
/** Options of an operation: `params`, `body`, and those of `fetch`, such as `signal`. */
export type InitOf<M extends Method, P extends PathOf<M>> =
  {} extends OptionsOf<M, P> ? [init?: OptionsOf<M, P>] : [init: OptionsOf<M, P>];

/** A successful response. */
export interface Answer<T> {
  readonly data: T;
  readonly status: number;
  /** Null for operations without a rate limit. */
  readonly rateLimit: RateLimit | null;
}
export type AnswerOf<M extends Method, P extends PathOf<M>> = Answer<
  paths[P][M] extends { responses: infer Responses } ? BodyOf<Responses[keyof Responses]> : never
>;
type BodyOf<Response> = Response extends {
  content: { 'application/json': infer Body } | { 'text/html': infer Body };
}
  ? Body
  : undefined;

/** Sends a request and returns the response, of any status. */
export type Send = (request: Request) => Promise<Response>;

/**
 * Calls operations by the types of the OpenAPI document. Throws every response that is not a
 * success.
 */
export class Http {
  readonly #request: (
    method: Method,
    path: string,
    init: object,
  ) => Promise<{ data?: unknown; response: Response }>;
  readonly #send: Send;

  constructor(baseUrl: string, send: Send) {
    this.#send = send;
    const { request } = createClient<paths>({
      baseUrl,
      credentials: 'omit',
      redirect: 'error', // tokens are sent to this address only
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    });
    this.#request = request as never; // its types are in InitOf and AnswerOf
  }

  /**
   * Calls an operation.
   * @param send adds the access token; by default sends the request without
   * @throws {ProblemError} if the service refuses
   * @throws {UnreachableError} if there is no response of the service
   * @throws {TypeError} if a parameter of the path is missing
   */
  async call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    [init]: InitOf<M, P>,
    send: Send = this.#send,
  ): Promise<AnswerOf<M, P>> {
    const { signal, params } = (init ?? {}) as RequestInit & {
      params?: { path?: Readonly<Record<string, unknown>> };
    };
    requirePathParameters(path, params?.path ?? {});
    try {
      const { data, response } = await this.#request(method, path, {
        ...init,
        fetch: (request: Request) => send(request).then(requireSuccess),
      });
      const { status, headers } = response;
      return { data: data as AnswerOf<M, P>['data'], status, rateLimit: readRateLimit(headers) };
    } catch (error) {
      if (signal?.aborted) throw reasonOf(signal);
      // Errors of fetch, and of a body that breaks off.
      const isConnectionLost = error instanceof TypeError || error instanceof SyntaxError;
      throw isConnectionLost ? new UnreachableError('no response', { cause: error }) : error;
    }
  }
}

/** A path with a brace that stays would be answered as one that does not exist. */
function requirePathParameters(path: string, values: Readonly<Record<string, unknown>>): void {
  const missing = [...path.matchAll(/\{(\w+)\}/g)].find(([, name = '']) => (values[name] ?? '') === '');
  if (missing)
    throw new TypeError(
      `${path} needs { params: { path: { ${missing[1]} } } }, with a text that is not empty.`,
    );
}

async function requireSuccess(response: Response): Promise<Response> {
  if (!response.ok) throw await ProblemError.fromResponse(response);
  return response;
}
