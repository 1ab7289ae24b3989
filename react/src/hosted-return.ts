import type { Gatehouse } from '@gatehouse/client';

/** State of the hosted sign-in that may have returned to this page. */
export type HostedReturn =
  | { readonly status: 'pending' | 'none' | 'done'; readonly error: null }
  | { readonly status: 'failed'; readonly error: unknown };

/** State on servers, and until the address has been read. */
export const UNREAD_RETURN: HostedReturn = { status: 'pending', error: null };

/** Completes the hosted sign-in of this page once: its code works once. */
export class HostedReturnStore {
  readonly #client: Gatehouse;
  readonly #listeners = new Set<() => void>();
  #state = UNREAD_RETURN;
  #isStarted = false;

  constructor(client: Gatehouse) {
    this.#client = client;
  }

  readonly get = (): HostedReturn => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Redeems the code in the fragment of the address, if there is one. */
  readonly complete = (): void => {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const fragment = new URLSearchParams(location.hash.slice(1));
    if (!fragment.has('code') || !fragment.has('state')) return this.#set({ status: 'none', error: null });
    this.#client.completeHostedSignIn().then(
      () => this.#set({ status: 'done', error: null }),
      (error: unknown) => this.#set({ status: 'failed', error }),
    );
  };

  #set(state: HostedReturn): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
