import { AsyncLocalStorage } from 'node:async_hooks';
import type { LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Tracing } from '../observability/index.js';
import type { Agent, RequestInit, Response } from 'undici';
import { hostOf, isForbiddenLiteral, lookupChecked, refused } from './checked-lookup.js';

const TIMEOUT_MS = 5_000;
const MAX_RESPONSE_BYTES = 1_048_576;

/** Aborts after the common timeout of the work that a request belongs to. */
const deadlines = new AsyncLocalStorage<AbortSignal | undefined>();

/** Error if a set of outbound requests exceeds its common timeout. */
export class TooLate extends Error {
  constructor() {
    super('The outbound requests exceeded their common timeout.');
  }
}

/**
 * Sends requests to servers of other organizations (EXT-11): at most five seconds in total and one
 * megabyte, no redirects, and no private addresses except on hosts that the operator has
 * configured.
 */
@Injectable()
export class OutboundHttp {
  protected readonly trusted = new Set<string>();
  private agent: Agent | undefined;

  constructor(private readonly tracing: Tracing) {}

  /** Allows requests to the host of a configured URL, even at a private address. */
  trust(url: string): void {
    this.trusted.add(hostOf(new URL(url)));
  }

  /**
   * Runs work whose requests share one timeout, however many there are and however slowly their
   * bodies arrive.
   * @param timeoutMs milliseconds: five seconds by default
   * @throws {TooLate} after that time, whatever the work waits for
   */
  together<T>(work: () => Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
    const signal = AbortSignal.timeout(timeoutMs);
    const over = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new TooLate()));
    });
    return deadlines.run(signal, () => Promise.race([(async () => work())(), over]));
  }

  /**
   * Runs work whose result is shared by several callers, outside the timeout of the caller that
   * happens to start it.
   */
  shared<T>(work: () => Promise<T>): Promise<T> {
    return deadlines.run(undefined, work);
  }

  /**
   * Sends a request, as the Fetch API does.
   * @throws {Error} for a redirect, a private address, and a response that is too long, too slow or
   *   compressed: the limit counts bytes on the wire, and one megabyte can decompress to a thousand
   */
  async fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const host = hostOf(new URL(url));
    if (!this.trusted.has(host) && isForbiddenLiteral(host)) throw refused(host);
    const signal = deadlines.getStore() ?? AbortSignal.timeout(TIMEOUT_MS);
    const { Agent, fetch, Headers } = await import('undici'); // not needed without outbound requests
    this.agent ??= new Agent({
      connect: {
        lookup: ((name, options, done) =>
          lookupChecked(
            name,
            options,
            (trusted) => this.trusted.has(trusted),
            done,
          )) satisfies LookupFunction,
      },
      maxResponseSize: MAX_RESPONSE_BYTES,
      connections: 10,
    });
    const headers = new Headers(init.headers);
    headers.set('accept-encoding', 'identity');
    const options = { ...init, headers, redirect: 'error', dispatcher: this.agent, signal } as const;
    const response = await this.tracing.span(
      `${init.method ?? 'GET'} ${host}`,
      { 'server.address': host },
      () => fetch(url, options),
    );
    if (!response.headers.has('content-encoding')) return response;
    await response.body?.cancel();
    throw new Error(`${host} sent a compressed response in spite of "Accept-Encoding: identity"`);
  }
}
