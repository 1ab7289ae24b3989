import { AsyncLocalStorage } from 'node:async_hooks';
import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Tracing } from '../observability/index.js';
import type { Agent, RequestInit, Response } from 'undici';
import { isSpecialAddress } from './special-address.js';

const TIMEOUT_MS = 5_000;
const LARGEST_ANSWER_BYTES = 1_048_576;

/** Other organizations' servers have not answered all that was asked in the time that there is. */
export class TooLate extends Error {
  constructor() {
    super('The answers took too long together.');
  }
}

/**
 * Requests to other organizations' servers (security bar EXT-11): five seconds in all, a megabyte, no redirects, and no address inside our
 * own networks but on hosts that the operator has configured by name.
 */
@Injectable()
export class OutboundHttp {
  private readonly trusted = new Set<string>();
  private agent: Agent | undefined;
  /** When the five seconds are over of the work that a request belongs to. */
  private readonly deadlines = new AsyncLocalStorage<AbortSignal | undefined>();

  constructor(private readonly tracing: Tracing) {}

  /** Lets requests reach the host of a configured address, wherever it is. */
  trust(url: string): void {
    this.trusted.add(hostOf(new URL(url)));
  }

  /**
   * Runs work of which somebody awaits the end: all its requests have the five seconds together, however many there are and however each drips.
   * @throws {TooLate} when they are over, whatever the work waits for by then
   */
  together<T>(work: () => Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const over = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new TooLate()));
    });
    return this.deadlines.run(signal, () => Promise.race([(async () => work())(), over]));
  }

  /** Runs work whose result others wait for too: it does not end with the five seconds of whoever happens to need it first. */
  forEverybody<T>(work: () => Promise<T>): Promise<T> {
    return this.deadlines.run(undefined, work);
  }

  /**
   * As the Fetch API. @throws for a redirect, an address inside, a longer answer or a slower one, or a compressed one: the limit counts what
   * the wire carries, and a megabyte of that unpacks to a thousand
   */
  async fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const host = hostOf(new URL(url));
    if (isIP(host) !== 0 && !this.trusted.has(host) && isSpecialAddress(host)) throw refused(host);
    const signal = this.deadlines.getStore() ?? AbortSignal.timeout(TIMEOUT_MS);
    const { Agent, fetch, Headers } = await import('undici'); // which a service that asks nobody never needs
    this.agent ??= new Agent({
      connect: {
        lookup: ((name, options, done) => this.resolve(name, options, done)) satisfies LookupFunction,
      },
      maxResponseSize: LARGEST_ANSWER_BYTES,
      connections: 10,
    });
    const headers = new Headers(init.headers);
    headers.set('accept-encoding', 'identity');
    const asked = { ...init, headers, redirect: 'error', dispatcher: this.agent, signal } as const;
    const response = await this.tracing.span(
      `${init.method ?? 'GET'} ${host}`,
      { 'server.address': host },
      () => fetch(url, asked),
    );
    if (!response.headers.has('content-encoding')) return response;
    await response.body?.cancel();
    throw new Error(`${host} compresses its answer, which it was asked not to do`);
  }

  private resolve(
    host: string,
    options: Parameters<LookupFunction>[1],
    done: Parameters<LookupFunction>[2],
  ): void {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const inside = addresses.some(({ address }) => isSpecialAddress(address));
      if (inside && !this.trusted.has(host)) return done(refused(host), []);
      const [first] = addresses;
      if (options.all === true || !first) done(null, addresses);
      else done(null, first.address, first.family);
    });
  }
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function refused(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${host} is an address inside our own networks`), { code: 'EPRIVATE' });
}
