import type { TokenStorage } from './storage.js';

/** An access token with its session and tenant. */
export interface CachedToken {
  readonly accessToken: string;
  readonly sessionId: string;
  readonly tenantId: string | null;
  /** Time, in milliseconds of `Date.now()`, from which the token is renewed before use. */
  readonly staleAt: number;
  /** Time (RFC 3339) from which the tenant refuses this sign-in, if it does. */
  readonly secondFactorBy?: string | undefined;
}

/** Messages between tabs. */
export type TabMessage =
  | { readonly kind: 'renewed'; readonly held: CachedToken }
  | { readonly kind: 'signed-in'; readonly sessionId: string }
  | { readonly kind: 'signed-out'; readonly sessionId: string; readonly reason: 'logout' | 'ended' };

/** Queues of work on storages without a name, within this process. */
const queues = new WeakMap<TokenStorage, Promise<unknown>>();

/** Coordinates the tabs of a storage: one of them works at a time, and all receive its messages. */
export class Tabs {
  readonly #storage: TokenStorage;
  readonly #channel: BroadcastChannel | null;

  constructor(storage: TokenStorage, receive: (message: TabMessage) => void) {
    this.#storage = storage;
    const name = storage.name;
    const isAlone = name === undefined || typeof BroadcastChannel === 'undefined'; // edge runtimes have none
    this.#channel = isAlone ? null : new BroadcastChannel(`gatehouse:${name}`);
    if (!this.#channel) return;
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => receive(data);
    (this.#channel as { unref?: () => void }).unref?.(); // in Node, it would keep the process running
  }

  /**
   * Runs the work while no other tab runs any, by Web Locks. Without them, in pages that are no
   * secure context, only the calls of this page exclude each other: two tabs that refresh
   * concurrently are covered by the service's retry window, ten may not be.
   */
  runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const { name } = this.#storage;
    const locks = globalThis.navigator?.locks;
    if (name !== undefined && locks) return locks.request(`gatehouse:${name}`, work) as Promise<T>;
    const next = (queues.get(this.#storage) ?? Promise.resolve()).then(work);
    queues.set(
      this.#storage,
      next.catch(() => undefined),
    );
    return next;
  }

  broadcast(message: TabMessage): void {
    this.#channel?.postMessage(message);
  }

  close(): void {
    this.#channel?.close();
  }
}
