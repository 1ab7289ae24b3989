import { createRemoteJWKSet, jwtVerify } from 'jose';

/** How a service receives the ends of sessions. */
export interface RevocationFeedOptions {
  /** The `iss` of the tokens: the `PUBLIC_URL` of the service. */
  readonly issuer: string;
  /** Address of the service, if it differs from the issuer. */
  readonly url?: string;
  /** A client of the operator, which learns of all sessions, or one whose visitors alone matter. */
  readonly clientId: string;
  readonly clientSecret: string;
  /**
   * Seconds for which an ended session is remembered: the longest lifetime of an access token that
   * is accepted, and a minute for clocks. 3660 by default.
   */
  readonly rememberSeconds?: number;
  /** Receives each verified event, such as a change of a credential. */
  readonly onEvent?: (event: SecurityEvent) => void;
}

/** A security event (RFC 8417). */
export interface SecurityEvent {
  readonly id: string;
  /** URI of the type, such as that of `session-revoked` of CAEP 1.0. */
  readonly type: string;
  /** Whom it is about, by subject identifiers (RFC 9493). */
  readonly subject: Readonly<Record<string, unknown>>;
  readonly details: Readonly<Record<string, unknown>>;
}

interface Polled {
  readonly sets: Readonly<Record<string, string>>;
  readonly moreAvailable: boolean;
}

const SESSION_REVOKED = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked';
const STREAMS = '/api/v1/signals/streams';
/** Longer than Gatehouse lets a request wait for an event. */
const TIMEOUT_MS = 30_000;
/** Pause after events: many that come one by one would be as many requests of the rate limit. */
const GATHER_MS = 250;
/** Pause after a failure. */
const RETRY_MS = 1_000;
/** Minimum time between two fetches of the keys. */
const MIN_FETCH_INTERVAL_MS = 5_000;
const DEFAULT_REMEMBER_SECONDS = 3_660;

/**
 * Receives the ends of sessions from Gatehouse (Shared Signals Framework 1.0, polled), so that a
 * `Verifier` refuses their tokens within a second, without a request for each. Each process has a
 * feed, and a stream, of its own.
 */
export class RevocationFeed {
  readonly #options: RevocationFeedOptions;
  readonly #base: string;
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  /** Times in milliseconds until which ended sessions are remembered, in the order of arrival. */
  readonly #ended = new Map<string, number>();
  #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #streamId: string | undefined;
  #isConnected = false;
  #connected: (() => void)[] = [];

  constructor(options: RevocationFeedOptions) {
    this.#options = options;
    this.#base = (options.url ?? options.issuer).replace(/\/$/, '');
    this.#keys = createRemoteJWKSet(new URL(`${this.#base}/.well-known/jwks.json`), {
      cooldownDuration: MIN_FETCH_INTERVAL_MS,
    });
  }

  /**
   * Whether events arrive. If not, tokens of sessions that end then are accepted until they
   * expire.
   */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Begins to receive. Does not wait for Gatehouse: it is tried until it answers. */
  start(): void {
    if (this.#running) return;
    this.#stopping = new AbortController();
    this.#running = this.#receive(this.#stopping.signal);
  }

  /** Waits until the feed knows which sessions have ended, or the time is over. */
  async connected(timeoutMs: number): Promise<boolean> {
    if (this.#isConnected) return true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#connected.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    return this.#isConnected;
  }

  /** Ends the feed, and deletes its stream. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#running = undefined;
    const id = this.#streamId;
    this.#streamId = undefined;
    if (id !== undefined)
      await this.#request(
        'DELETE',
        `${STREAMS}?stream_id=${id}`,
        undefined,
        AbortSignal.timeout(RETRY_MS),
      ).catch(
        () => undefined, // it is removed once it is not polled
      );
  }

  /** Returns whether a session has ended, as far as the feed knows. */
  hasEnded(sessionId: string): boolean {
    return this.#ended.has(sessionId);
  }

  async #receive(stop: AbortSignal): Promise<void> {
    let taken: string[] = [];
    while (!stop.aborted) {
      try {
        this.#streamId ??= await this.#createStream(stop);
        const { ids, moreAvailable } = await this.#poll(this.#streamId, taken, stop);
        taken = ids;
        if (ids.length > 0 && !moreAvailable && this.#isConnected) await pause(GATHER_MS, stop);
      } catch {
        this.#isConnected = false;
        if (!stop.aborted) await pause(RETRY_MS, stop);
      }
    }
    this.#isConnected = false;
  }

  async #createStream(stop: AbortSignal): Promise<string> {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]);
    const requested = this.#options.onEvent ? {} : { events_requested: [SESSION_REVOKED] };
    const response = await this.#request('POST', STREAMS, requested, signal);
    const { stream_id: id } = (await response.json()) as { stream_id: string };
    return id;
  }

  /**
   * Polls once. The first poll does not wait, so that the sessions that have ended before are known
   * before the feed is connected.
   * @returns the ids of the received events, which the next poll acknowledges
   */
  async #poll(
    streamId: string,
    ack: readonly string[],
    stop: AbortSignal,
  ): Promise<{ ids: string[]; moreAvailable: boolean }> {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]);
    const returnImmediately = !this.#isConnected;
    const body = { ack, returnImmediately };
    const response = await this.#request('POST', `${STREAMS}/${streamId}/events`, body, signal);
    const { sets, moreAvailable } = (await response.json()) as Polled;
    for (const [id, token] of Object.entries(sets)) await this.#take(id, token);
    if (Object.keys(sets).length === 0 || !returnImmediately) this.#setConnected();
    this.#forget();
    return { ids: Object.keys(sets), moreAvailable };
  }

  /** Takes one event. One that is not authentic is dropped. */
  async #take(id: string, token: string): Promise<void> {
    const event = await this.#verify(id, token);
    if (!event) return;
    const session = event.subject['session'] as { id?: unknown } | undefined;
    if (event.type === SESSION_REVOKED && typeof session?.id === 'string') {
      this.#ended.delete(session.id); // one that comes again is the last of the order
      this.#ended.set(session.id, Date.now() + this.#rememberMs);
    }
    const { onEvent } = this.#options;
    if (onEvent) queueMicrotask(() => onEvent(event)); // its errors are not those of the feed
  }

  async #verify(id: string, token: string): Promise<SecurityEvent | null> {
    const { issuer, clientId: audience } = this.#options;
    const rules = { issuer, audience, typ: 'secevent+jwt', algorithms: ['RS256', 'ES256'] };
    const verified = await jwtVerify(token, this.#keys, rules).catch((error: unknown) => {
      // Without the keys nothing is known of the event: it is polled again.
      if (/^ERR_JW[TS]_/.test(String((error as { code?: unknown }).code))) return null;
      throw error;
    });
    if (!verified || verified.payload.jti !== id) return null;
    const { sub_id: subject, events } = verified.payload as {
      sub_id?: Readonly<Record<string, unknown>>;
      events?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    };
    const [first] = Object.entries(events ?? {});
    return first && subject ? { id, type: first[0], subject, details: first[1] } : null;
  }

  /** A stream that is gone is replaced; it begins with the sessions that ended before it. */
  async #request(
    method: string,
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<Response> {
    const { clientId, clientSecret } = this.#options;
    const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':');
    const response = await fetch(this.#base + path, {
      method,
      headers: {
        authorization: `Basic ${btoa(credentials)}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    });
    if (response.ok) return response;
    // While the client was disabled, its stream has received nothing.
    if (response.status === 404 || response.status === 401) this.#streamId = undefined;
    throw new Error(`Gatehouse answered ${response.status} to the feed of revocations.`);
  }

  #setConnected(): void {
    this.#isConnected = true;
    for (const resolve of this.#connected.splice(0)) resolve();
  }

  /** Forgets sessions whose tokens have expired. */
  #forget(): void {
    const now = Date.now();
    for (const [id, until] of this.#ended) {
      if (until > now) return;
      this.#ended.delete(id);
    }
  }

  get #rememberMs(): number {
    return (this.#options.rememberSeconds ?? DEFAULT_REMEMBER_SECONDS) * 1_000;
  }
}

/** @returns when the time is over, or the signal ends it */
function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stop.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stop.addEventListener('abort', end);
  });
}
