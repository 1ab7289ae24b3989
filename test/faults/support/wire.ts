import { publishedContract } from '../../support/contract.js';
import { BY_PROXY } from './load-balancer.js';

export type Json = Record<string, unknown>;

/**
 * Outcome of a request as its client sees it: "answered" as expected; "unavailable" with a
 * documented 503; "cut" without an answer (or the load balancer's report of that), so that whether
 * it was carried out is unknown.
 */
export type Reply =
  | { readonly outcome: 'answered'; readonly status: number; readonly body: Json }
  | { readonly outcome: 'unavailable' | 'cut' };

/** One request, as the figures need it. */
export interface Sample {
  /** When it was sent, milliseconds since the epoch. */
  readonly at: number;
  readonly ms: number;
  readonly what: string;
  readonly outcome: Reply['outcome'] | 'fault';
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** Body sent unchanged, for texts that no serializer makes. */
  readonly raw?: string | Buffer;
  readonly headers?: Record<string, string>;
  readonly token?: string;
  /** Expected statuses, besides 503. */
  readonly expect: readonly number[];
}

interface WireOptions {
  /** Addresses, used in turn. */
  readonly targets: readonly string[];
  /** False where an answer may be another release's. */
  readonly contract?: boolean;
  readonly timeoutMs?: number;
}

/** One user's requests. */
export class Line {
  /** Whether a request got no answer, so that it is unknown whether it was carried out. */
  silent = false;

  constructor(private readonly wire: Wire) {}

  async ask(request: Request): Promise<Reply> {
    const reply = await this.wire.ask(request);
    this.silent ||= reply.outcome !== 'answered';
    return reply;
  }

  /** Notes an impossible state. */
  fault(text: string): void {
    this.wire.faults.push(`${new Date().toISOString()} ${text}`);
  }
}

/** Sends requests, records their outcomes, and notes every wrong answer. */
export class Wire {
  readonly samples: Sample[] = [];
  /** Answers that no fault excuses, one line each: a wrong status, or an undocumented body. */
  readonly faults: string[] = [];
  private turn = 0;

  constructor(private readonly options: WireOptions) {}

  async ask(request: Request): Promise<Reply> {
    const { targets, timeoutMs = 10_000 } = this.options;
    const at = Date.now();
    const what = `${request.method} ${patternOf(request.path)}`;
    const done = (outcome: Sample['outcome']): void =>
      void this.samples.push({ at, ms: Date.now() - at, what, outcome });
    const body = request.raw ?? (request.body && JSON.stringify(request.body));
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${targets[(this.turn += 1) % targets.length]}${request.path}`, {
        method: request.method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(request.token !== undefined && { authorization: `Bearer ${request.token}` }),
          ...request.headers,
        },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      text = await response.text();
    } catch {
      done('cut');
      return { outcome: 'cut' };
    }
    if (response.headers.has(BY_PROXY)) {
      // 503: no replica took the request. Any other error: one took it and never answered.
      const outcome = response.status === 503 ? 'unavailable' : 'cut';
      done(outcome);
      return { outcome };
    }
    const wrong = this.judge(request, response, text);
    if (wrong !== null) {
      this.faults.push(`${new Date(at).toISOString()} ${what}: ${wrong}`);
      done('fault');
      return { outcome: 'cut' };
    }
    const outcome = response.status === 503 ? 'unavailable' : 'answered';
    done(outcome);
    return outcome === 'unavailable'
      ? { outcome }
      : { outcome, status: response.status, body: parse(text) as Json };
  }

  private judge(
    { method, path, expect }: Request,
    { status, headers }: Response,
    text: string,
  ): string | null {
    if (status !== 503 && !expect.includes(status)) return `answered ${status} ${text.slice(0, 300)}`;
    if (status === 503 && !(Number(headers.get('retry-after')) >= 1)) return '503 without Retry-After';
    if (status >= 400 && !headers.get('content-type')?.startsWith('application/problem+json'))
      return `${status} is not problem+json`;
    const body = text === '' ? {} : parse(text);
    if (body === null) return `${status} with a body that is not JSON`;
    if (this.options.contract === false) return null;
    try {
      publishedContract().check(method, path, { status, headers, body });
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }
}

function parse(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return null;
  }
}

const patternOf = (path: string): string => path.replace(/\/[0-9A-HJKMNP-TV-Z]{26}(?=\/|$)/g, '/{id}');
