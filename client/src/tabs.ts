import type { TokenStorage } from './storage.js';

/** An access token, and what it is good for. */
export interface Held {
  readonly accessToken: string;
  readonly sessionId: string;
  readonly tenantId: string | null;
  /** Milliseconds of `Date.now()` from which on it is renewed before use. */
  readonly staleAt: number;
}

/** What tabs tell each other. */
export type TabMessage =
  | { readonly kind: 'renewed'; readonly held: Held }
  | { readonly kind: 'signed-in'; readonly sessionId: string }
  | { readonly kind: 'signed-out'; readonly sessionId: string; readonly reason: 'logout' | 'ended' };

/** Who waits for a storage that has no name: one after the other within this process. */
const queues = new WeakMap<TokenStorage, Promise<unknown>>();

/** The other tabs of a storage: one works at a time, and all hear what has been done. */
export class Tabs {
  readonly #storage: TokenStorage;
  readonly #channel: BroadcastChannel | null;

  constructor(storage: TokenStorage, hear: (message: TabMessage) => void) {
    this.#storage = storage;
    const name = storage.name;
    this.#channel = name === undefined ? null : new BroadcastChannel(`gatehouse:${name}`);
    if (!this.#channel) return;
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => hear(data);
    (this.#channel as { unref?: () => void }).unref?.(); // in Node, it would keep the process running
  }

  /**
   * Runs the work while no other tab runs one. Web Locks see to that. Where there are none, which is in pages that are no secure context,
   * only this page waits for itself: two tabs that refresh at once are saved by the service's retry window, ten may not be.
   */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const { name } = this.#storage;
    const locks = globalThis.navigator?.locks;
    if (name !== undefined && locks) return locks.request(`gatehouse:${name}`, work) as Promise<T>;
    const mine = (queues.get(this.#storage) ?? Promise.resolve()).then(work);
    queues.set(
      this.#storage,
      mine.catch(() => undefined),
    );
    return mine;
  }

  tell(message: TabMessage): void {
    this.#channel?.postMessage(message);
  }

  close(): void {
    this.#channel?.close();
  }
}
