/** Events about the sign-in of this tab, caused by any tab. */
export interface ClientEvents {
  /**
   * A user has signed in, here or in another tab: a page that shows data of another user must load
   * again.
   */
  'signed-in': { readonly sessionId: string };
  /**
   * `logout` in any tab; `ended` if the service refuses the session: ended by another device,
   * expired, or ended after reuse.
   */
  'signed-out': { readonly reason: 'logout' | 'ended' };
  /**
   * The tenant of this tab has changed, or is null: another one was selected, or the membership has
   * ended.
   */
  tenant: { readonly tenantId: string | null };
}

type Listener<Event> = (event: Event) => void;

/** Calls the listeners. A listener that throws does not prevent the others from being called. */
export class Listeners {
  readonly #target = new EventTarget();

  /**
   * Adds a listener.
   * @returns a function that removes it
   */
  on<Name extends keyof ClientEvents>(name: Name, listener: Listener<ClientEvents[Name]>): () => void {
    const handler = (event: Event) => listener((event as CustomEvent<ClientEvents[Name]>).detail);
    this.#target.addEventListener(name, handler);
    return () => this.#target.removeEventListener(name, handler);
  }

  emit<Name extends keyof ClientEvents>(name: Name, detail: ClientEvents[Name]): void {
    this.#target.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
