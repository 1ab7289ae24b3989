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
  readonly #listeners = new Map<keyof ClientEvents, Set<Listener<never>>>();

  /**
   * Adds a listener.
   * @returns a function that removes it
   */
  on<Name extends keyof ClientEvents>(name: Name, listener: Listener<ClientEvents[Name]>): () => void {
    const added: Listener<ClientEvents[Name]> = (event) => listener(event); // the same one may be added twice
    const all = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, all.add(added));
    return () => all.delete(added);
  }

  emit<Name extends keyof ClientEvents>(name: Name, event: ClientEvents[Name]): void {
    const all = (this.#listeners.get(name) ?? new Set()) as Set<Listener<ClientEvents[Name]>>;
    for (const listener of all) {
      try {
        listener(event);
      } catch (error) {
        setTimeout(() => {
          throw error; // reported as an error of the page or process
        });
      }
    }
  }
}
