import createClient, { type FetchOptions } from 'openapi-fetch';
import { ProblemError, UnreachableError } from './errors.js';
import type { paths } from './generated/openapi.js';
import { rateLimitOf, type RateLimit } from './rate-limit.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
/** The paths that have an operation of this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never;
}[keyof paths];
type OptionsOf<M extends Method, P extends PathOf<M>> = FetchOptions<paths[P][M]>;
/** What an operation takes: `params`, `body`, and whatever `fetch` takes, such as `signal`. */
export type InitOf<M extends Method, P extends PathOf<M>> =
  {} extends OptionsOf<M, P> ? [init?: OptionsOf<M, P>] : [init: OptionsOf<M, P>];

/** What the service has answered, with success. */
export interface Answer<T> {
  readonly data: T;
  readonly status: number;
  /** Null for the few operations that are not rate-limited. */
  readonly rateLimit: RateLimit | null;
}
export type AnswerOf<M extends Method, P extends PathOf<M>> = Answer<
  paths[P][M] extends { responses: infer Responses } ? JsonOf<Responses[keyof Responses]> : never
>;
type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : undefined;

/** Sends a request; the answer is passed on whatever its status. */
export type Send = (request: Request) => Promise<Response>;

/** Requests by the types of the OpenAPI document. Everything but success is thrown. */
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
      redirect: 'error', // tokens go to this address and to no other
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    });
    this.#request = request as never; // its types are in InitOf and AnswerOf
  }

  /**
   * @param send what adds the access token; the plain one where none is needed
   * @throws {ProblemError} where the service says no
   * @throws {UnreachableError} where there is no answer
   */
  async call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    [init]: InitOf<M, P>,
    send: Send = this.#send,
  ): Promise<AnswerOf<M, P>> {
    const { signal } = (init ?? {}) as RequestInit;
    try {
      const { data, response } = await this.#request(method, path, {
        ...init,
        fetch: (request: Request) => send(request).then(successOf),
      });
      const { status, headers } = response;
      return { data: data as AnswerOf<M, P>['data'], status, rateLimit: rateLimitOf(headers) };
    } catch (error) {
      signal?.throwIfAborted();
      // What fetch and a body that breaks off end with.
      const lost = error instanceof TypeError || error instanceof SyntaxError;
      throw lost ? new UnreachableError('no answer', { cause: error }) : error;
    }
  }
}

async function successOf(response: Response): Promise<Response> {
  if (!response.ok) throw await ProblemError.of(response);
  return response;
}
