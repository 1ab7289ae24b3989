import type { SessionStore } from './session-store.js';

/** What the service knows of the signed-in user, and how far it has been read. */
export type Resource<T> =
  | { readonly status: 'loading' | 'signed-out'; readonly data: null; readonly error: null }
  | { readonly status: 'ready'; readonly data: T; readonly error: null }
  | { readonly status: 'failed'; readonly data: null; readonly error: unknown };

/** State on servers, and until the service has answered. */
export const UNREAD = { status: 'loading', data: null, error: null } as const;
const SIGNED_OUT = { status: 'signed-out', data: null, error: null } as const;

/**
 * A resource of the user, read once for each session, when the first component shows it. It is
 * dropped with the session, so that the next user sees nothing of it.
 */
export class ResourceStore<T> {
  readonly #session: SessionStore;
  readonly #load: () => Promise<T>;
  readonly #listeners = new Set<() => void>();
  #resource: Resource<T> = UNREAD;
  #sessionId: string | null = null;
  /** Number of the last request: answers of earlier ones are ignored. */
  #request = 0;
  #isAsked = false;

  constructor(session: SessionStore, load: () => Promise<T>) {
    this.#session = session;
    this.#load = load;
    session.subscribe(() => this.#follow());
  }

  readonly get = (): Resource<T> => {
    const { status } = this.#session.get();
    return status === 'signed-in' ? this.#resource : status === 'loading' ? UNREAD : SIGNED_OUT;
  };

  /** @returns a function that removes the listener */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (!this.#isAsked || this.#resource.status === 'failed') this.refresh();
    return () => this.#listeners.delete(listener);
  };

  /** Reads it again, and keeps the answer until then. */
  readonly refresh = (): void => {
    if (this.#session.get().status !== 'signed-in') return;
    const request = (this.#request += 1);
    this.#isAsked = true;
    this.#load().then(
      (data) => request === this.#request && this.#set({ status: 'ready', data, error: null }),
      (error: unknown) => request === this.#request && this.#set({ status: 'failed', data: null, error }),
    );
  };

  #follow(): void {
    const { sessionId } = this.#session.get();
    if (sessionId !== this.#sessionId) {
      this.#sessionId = sessionId;
      this.#request += 1;
      this.#isAsked = false;
      this.#resource = UNREAD;
      if (this.#listeners.size > 0) this.refresh();
    }
    this.#set(this.#resource);
  }

  #set(resource: Resource<T>): void {
    this.#resource = resource;
    for (const listener of this.#listeners) listener();
  }
}
