/** What happens to the sign-in of this tab, whichever tab caused it. */
export interface ClientEvents {
  /** Somebody has signed in, here or in another tab: a page that shows somebody else starts anew. */
  'signed-in': { readonly sessionId: string };
  /** `logout` here or in another tab; `ended` where the service refuses the session: ended elsewhere, too old, or stolen from. */
  'signed-out': { readonly reason: 'logout' | 'ended' };
  /** This tab works in another tenant, or in none: it was selected, or the membership has ended. */
  tenant: { readonly tenantId: string | null };
}

type Listener<Event> = (event: Event) => void;

/** Who listens. A listener that throws does not keep the others from hearing. */
export class Listeners {
  readonly #target = new EventTarget();

  /** Answers what ends the listening. */
  on<Name extends keyof ClientEvents>(name: Name, listener: Listener<ClientEvents[Name]>): () => void {
    const handler = (event: Event) => listener((event as CustomEvent<ClientEvents[Name]>).detail);
    this.#target.addEventListener(name, handler);
    return () => this.#target.removeEventListener(name, handler);
  }

  emit<Name extends keyof ClientEvents>(name: Name, detail: ClientEvents[Name]): void {
    this.#target.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
