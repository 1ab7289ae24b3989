import type { LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Dispatcher } from 'undici';
import { isLocalDevelopment, isLoopback, type Secret, type Settings, SETTINGS } from '../config/index.js';
import { hostOf, isForbiddenLiteral, lookupChecked } from './checked-lookup.js';
import { PostExchange, type PostResponse } from './post-exchange.js';

/** Connections to one host, as long as its receivers answer. */
const SOCKETS = 4;
const CONNECT_TIMEOUT_MS = 5_000;
const LIMITS = { pipelining: 1, maxHeaderSize: 16_384 };

/** Pause before the end of each request whose time is over. */
const EXPIRY_PAUSE_MS = 2;
/** Shared by all requests: many end at a time, and the stack of each error would cost time. */
const EXPIRED = new DOMException('', 'TimeoutError');

/** Why no response was received. */
export type PostFailure =
  | 'refused-address'
  | 'timeout'
  | 'tls-error'
  | 'unknown-host'
  | 'connection-refused'
  | 'connection-reset'
  | 'proxy-refused'
  | 'invalid-response'
  | 'aborted';

/** Response to a POST, or why there was none. */
export type PostOutcome = PostResponse | { readonly failure: PostFailure };

interface PostRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Time for the whole exchange, from the connection to the end of the response. */
  readonly timeoutMs: number;
  /** Aborts the request, such as at shutdown. */
  readonly aborting: AbortSignal;
}

/**
 * Sends POST requests to addresses that customers have named: https on port 443 or from 1024 on,
 * no private addresses, no redirects, and at most one KiB of the response. Hosts that the operator
 * trusts are exempt from the first three, and are not reached through the proxy.
 */
@Injectable()
export class OutboundPost implements OnApplicationShutdown {
  private direct: Dispatcher | undefined;
  private proxied: Dispatcher | undefined;
  private readonly proxy: Secret<string> | undefined;
  private readonly trusted: ReadonlySet<string>;
  /** Open exchanges by the signals that abort them. */
  private readonly abortable = new WeakMap<AbortSignal, Set<PostExchange>>();
  private readonly trustsLoopback: boolean;
  /** Resolves when the requests whose time was over so far have been aborted. */
  private expired: Promise<unknown> = Promise.resolve();

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.proxy = settings.WEBHOOK_PROXY;
    this.trusted = new Set(settings.WEBHOOK_TRUSTED_HOSTS);
    this.trustsLoopback = isLocalDevelopment(settings);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.direct?.destroy(), this.proxied?.destroy()]);
  }

  /** @returns why requests to the URL are refused, whatever its name resolves to; null if not */
  findFault(text: string): string | null {
    if (!URL.canParse(text)) return 'must be a URL';
    const url = new URL(text);
    const host = hostOf(url);
    if (url.username !== '' || url.password !== '') return 'must have no user or password';
    if (url.hash !== '') return 'must have no fragment';
    if (this.isTrusted(host)) return /^https?:$/.test(url.protocol) ? null : 'must be https';
    if (url.protocol !== 'https:') return 'must be https';
    const port = url.port === '' ? 443 : Number(url.port);
    if (port !== 443 && port < 1_024) return 'must have the port 443, or one from 1024 on';
    return isForbiddenLiteral(host) ? 'must be a public address' : null;
  }

  /** Sends one request. Never throws: a failure is an outcome. */
  async post(url: string, { headers, body, timeoutMs, aborting }: PostRequest): Promise<PostOutcome> {
    if (this.findFault(url) !== null) return { failure: 'refused-address' };
    const target = new URL(url);
    const exchange = new PostExchange();
    const abortable = this.abortableBy(aborting);
    const timer = setTimeout(() => this.expireInTurn(exchange), timeoutMs);
    abortable.add(exchange);
    try {
      const dispatcher = await this.dispatcherTo(hostOf(target));
      if (aborting.aborted) exchange.abort(aborting.reason as Error);
      else
        dispatcher.dispatch(
          {
            origin: target.origin,
            path: target.pathname + target.search,
            method: 'POST',
            headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'Gatehouse-Webhooks/1' },
            body,
          },
          exchange,
        );
      return await exchange.response;
    } catch (error) {
      return { failure: failureOf(error) };
    } finally {
      clearTimeout(timer);
      abortable.delete(exchange);
    }
  }

  /**
   * Aborts one request after the other, with pauses: receivers that hang end hundreds at a time,
   * which would delay all other requests.
   */
  private expireInTurn(exchange: PostExchange): void {
    this.expired = this.expired.then(() => sleep(EXPIRY_PAUSE_MS)).then(() => exchange.abort(EXPIRED));
  }

  /** One listener for all exchanges of a signal: a signal searches its listeners one by one. */
  private abortableBy(aborting: AbortSignal): Set<PostExchange> {
    const known = this.abortable.get(aborting);
    if (known) return known;
    const exchanges = new Set<PostExchange>();
    this.abortable.set(aborting, exchanges);
    aborting.addEventListener('abort', () => {
      for (const exchange of exchanges) exchange.abort(aborting.reason as Error);
    });
    return exchanges;
  }

  private isTrusted(host: string): boolean {
    return this.trusted.has(host) || (this.trustsLoopback && isLoopback(host));
  }

  private async dispatcherTo(host: string): Promise<Dispatcher> {
    if (!this.proxy || this.isTrusted(host)) return this.getDirect();
    await this.requireNotPrivate(host);
    return this.getProxied(this.proxy);
  }

  private async getDirect(): Promise<Dispatcher> {
    if (this.direct) return this.direct;
    const { Agent, buildConnector } = await import('undici'); // not needed without subscriptions
    const isTrusted = (name: string) => this.isTrusted(name);
    const lookup: LookupFunction = (name, options, done) => lookupChecked(name, options, isTrusted, done);
    // One for all hosts: it finds TLS sessions by the name of the host.
    const connect = buildConnector({ lookup, timeout: CONNECT_TIMEOUT_MS });
    const factory = await createFactory();
    this.direct ??= new Agent({ ...LIMITS, connect, factory });
    return this.direct;
  }

  private async getProxied(proxy: Secret<string>): Promise<Dispatcher> {
    if (this.proxied) return this.proxied;
    const { ProxyAgent } = await import('undici');
    const factory = await createFactory();
    this.proxied ??= new ProxyAgent({
      ...LIMITS,
      factory,
      uri: proxy.reveal(),
      requestTls: { timeout: CONNECT_TIMEOUT_MS },
    });
    return this.proxied;
  }

  /**
   * Refuses a name that resolves to a private address here. The proxy resolves it again, and alone
   * where this host resolves no public names.
   */
  private requireNotPrivate(host: string): Promise<void> {
    return new Promise((resolve, reject) => {
      lookupChecked(
        host,
        {},
        () => false,
        (error) => (error?.code === 'EPRIVATE' ? reject(error) : resolve()),
      );
    });
  }
}

/** Creates the connections to each host, by options that undici passes on. */
async function createFactory(): Promise<(origin: string | URL, options: object) => Dispatcher> {
  const { HostPool } = await import('./host-pool.js');
  return (origin, options) => new HostPool(origin, options, SOCKETS);
}

const FAILURES: Readonly<Record<string, PostFailure>> = {
  EPRIVATE: 'refused-address',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
  ECONNREFUSED: 'connection-refused',
  EHOSTUNREACH: 'connection-refused',
  ENETUNREACH: 'connection-refused',
  ECONNRESET: 'connection-reset',
  EPIPE: 'connection-reset',
  UND_ERR_SOCKET: 'connection-reset',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_ABORTED: 'proxy-refused',
};

function failureOf(error: unknown): PostFailure {
  const { name, code, cause } = error as { name?: string; code?: unknown; cause?: unknown };
  if (name === 'TimeoutError') return 'timeout';
  if (name === 'AbortError' && code !== 'UND_ERR_ABORTED')
    return cause === undefined ? 'aborted' : failureOf(cause);
  if (typeof code !== 'string') return 'invalid-response';
  const known = FAILURES[code];
  if (known) return known;
  if (/^(?:ERR_(?:TLS|SSL)|CERT_|DEPTH_|UNABLE_TO|SELF_SIGNED|EPROTO)/.test(code)) return 'tls-error';
  return 'invalid-response';
}
