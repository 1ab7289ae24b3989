import type { Gatehouse } from '@gatehouse/client';

/** The sign-in of this tab. */
export type Session =
  | { readonly status: 'loading'; readonly sessionId: null; readonly tenantId: null }
  | { readonly status: 'signed-in'; readonly sessionId: string; readonly tenantId: string | null }
  | {
      readonly status: 'signed-out';
      readonly sessionId: null;
      readonly tenantId: null;
      /** `ended` if the service refused the session; null if the tab has had none. */
      readonly reason: 'logout' | 'ended' | null;
    };

/** State on servers and until the storage of the browser has been read. */
export const LOADING: Session = { status: 'loading', sessionId: null, tenantId: null };

/** Adds a listener and returns a function that removes it, as `useSyncExternalStore` requires. */
export type Subscribe = (listener: () => void) => () => void;

/** Follows the session of a client while at least one provider is mounted. */
export class SessionStore {
  readonly #client: Gatehouse;
  readonly #listeners = new Set<() => void>();
  #session: Session = LOADING;
  #providers = 0;
  /** Removes the listeners at the client; null while no provider is mounted. */
  #detach: (() => void) | null = null;

  constructor(client: Gatehouse) {
    this.#client = client;
  }

  readonly get = (): Session => this.#session;

  readonly subscribe: Subscribe = (listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Begins to follow the client, for one provider.
   * @returns a function that ends it
   */
  readonly attach = (): (() => void) => {
    this.#providers += 1;
    this.#detach ??= this.#follow();
    return () => {
      this.#providers -= 1;
      if (this.#providers > 0) return;
      this.#detach?.();
      this.#detach = null;
      this.#session = LOADING; // events are missed from now on
    };
  };

  #follow(): () => void {
    let isKnown = false; // an event is newer than the answer of the storage
    const update = (sessionId: string | null, reason: 'logout' | 'ended' | null = null) => {
      isKnown = true;
      this.#update(sessionId, reason);
    };
    const removals = [
      this.#client.on('signed-in', ({ sessionId }) => update(sessionId)),
      this.#client.on('signed-out', ({ reason }) => update(null, reason)),
      this.#client.on(
        'tenant',
        () => this.#session.status === 'signed-in' && this.#update(this.#session.sessionId),
      ),
      () => {
        isKnown = true; // nothing more is wanted
      },
    ];
    this.#client.isSignedIn().then(
      (isSignedIn) => isKnown || update(isSignedIn ? this.#client.sessionId : null),
      () => isKnown || update(null), // a storage that cannot be read has no session
    );
    return () => {
      for (const remove of removals) remove();
    };
  }

  #update(sessionId: string | null, reason: 'logout' | 'ended' | null = null): void {
    const { tenantId } = this.#client;
    this.#session =
      sessionId === null
        ? { status: 'signed-out', sessionId, tenantId: null, reason }
        : { status: 'signed-in', sessionId, tenantId };
    for (const listener of this.#listeners) listener();
  }
}
