import type { AuthenticationNeed } from './authentication.js';
import { createFlowStorage, type FlowStorage } from './flow-storage.js';
import { createPkce, createRandomText } from './pkce.js';
import { StateMismatchError } from './satellite.js';

/** What the return page redeems. */
export interface HostedOutcome {
  readonly code: string;
  readonly codeVerifier: string;
}

/** A sign-in to start on the pages of the service. */
export interface HostedRequest extends AuthenticationNeed {
  /** Page of the app that calls `completeHostedSignIn`: one of the service's `RETURN_URIS`. */
  readonly returnTo: string;
}

interface Flow {
  readonly state: string;
  readonly codeVerifier: string;
  readonly startedAt: number;
}

const KEY = 'gatehouse.hosted-sign-in';
/** Lifetime of a registration: a newcomer continues from the mailed link. */
const LIFETIME_MS = 86_400_000;
/** Maximum of flows that wait in one browser; the newest are kept. */
const MAX_FLOWS = 10;

/**
 * The hosted sign-ins that this browser has started. They are kept for the browser and not for the
 * tab, because a newcomer returns in the tab that the mailed link has opened.
 */
export class HostedFlows {
  readonly #storage: FlowStorage;

  constructor(storage: FlowStorage | undefined) {
    this.#storage = storage ?? createFlowStorage(() => localStorage);
  }

  /**
   * Creates state and verifier, and stores them.
   * @param url of the service
   * @param request what the app asks for
   * @returns address of its sign-in page
   */
  async start(url: string, { returnTo, acr, maxAge }: HostedRequest): Promise<string> {
    const { codeVerifier, codeChallenge } = await createPkce();
    const state = createRandomText();
    this.#write([{ state, codeVerifier, startedAt: Date.now() }, ...this.#read()]);
    const page = new URL('/sign-in', url);
    page.search = new URLSearchParams({
      return_to: returnTo,
      code_challenge: codeChallenge,
      state,
      ...(acr && { acr }),
      ...(maxAge !== undefined && { max_age: String(maxAge) }),
    }).toString();
    return page.href;
  }

  /**
   * Reads the code from the fragment of the return page, once, and only if this browser has started
   * the flow.
   * @throws {StateMismatchError}
   */
  complete(fragment: string): HostedOutcome {
    const { code, state } = Object.fromEntries(new URLSearchParams(fragment));
    const flows = this.#read();
    const flow = flows.find((one) => one.state === state);
    if (!flow || code === undefined) throw new StateMismatchError();
    this.#write(flows.filter((one) => one !== flow));
    return { code, codeVerifier: flow.codeVerifier };
  }

  #read(): Flow[] {
    const flows = JSON.parse(this.#storage.getItem(KEY) ?? '[]') as Flow[];
    return flows.filter(({ startedAt }) => Date.now() - startedAt < LIFETIME_MS);
  }

  #write(flows: readonly Flow[]): void {
    if (flows.length === 0) this.#storage.removeItem(KEY);
    else this.#storage.setItem(KEY, JSON.stringify(flows.slice(0, MAX_FLOWS)));
  }
}
