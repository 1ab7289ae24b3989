import type { components, paths } from './generated/openapi.js';
import { newPkce } from './pkce.js';

/** The ways to sign in elsewhere. */
export type ExternalKind = paths['/api/iam/auth/external/{kind}/start']['post']['parameters']['path']['kind'];

/** Why a sign-in elsewhere came to nothing. `unexpected` is found here: this tab has not begun what came back. */
export const EXTERNAL_SIGN_IN_FAILURES = [
  'access_denied',
  'provider_unavailable',
  'invalid_response',
  'account_exists',
  'identity_taken',
  'account_suspended',
  'link_refused',
  'temporarily_unavailable',
  'server_error',
  'unexpected',
] as const;

export type ExternalSignInFailure = (typeof EXTERNAL_SIGN_IN_FAILURES)[number];

/** Nobody was signed in and nothing was linked. The message says what the person can do. */
export class ExternalSignInError extends Error {
  override readonly name = 'ExternalSignInError';

  constructor(
    readonly code: ExternalSignInFailure,
    message: string,
  ) {
    super(message);
  }
}

/** An external identity of an account. */
export type LinkedIdentity = components['schemas']['IdentityResponse'];

/** What has been completed. */
export type ExternalSignInResult = { readonly signedIn: true } | { readonly linked: LinkedIdentity };

/** What the returning page redeems: a code for tokens, or for the identity that is to be linked. */
export type ExternalOutcome =
  { readonly code: string; readonly codeVerifier: string } | { readonly linkCode: string };

/** Where a tab keeps what it has begun: `sessionStorage` is one. */
export type FlowStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface Flow {
  readonly state: string;
  readonly codeVerifier: string;
}

const KEY = 'gatehouse.external-sign-in';

/** The flow that this tab has begun: state and verifier stay here, so that what another browser began is of no use in this one. */
export class ExternalFlow {
  readonly #storage: FlowStorage;

  constructor(storage: FlowStorage | undefined) {
    this.#storage = storage ?? tabStorage();
  }

  /** @param start asks the service, by the challenge; answers its state and the provider's address */
  async begin(
    start: (codeChallenge: string) => Promise<{ state: string; authorizationUrl: string }>,
  ): Promise<string> {
    const { codeVerifier, codeChallenge } = await newPkce();
    const { state, authorizationUrl } = await start(codeChallenge);
    const flow: Flow = { state, codeVerifier };
    this.#storage.setItem(KEY, JSON.stringify(flow));
    return authorizationUrl;
  }

  /**
   * What the returning page has in its fragment, once it is known to be the answer to what was begun here. Good once.
   * @throws {ExternalSignInError}
   */
  end(fragment: string): ExternalOutcome {
    const flow = this.#take();
    const {
      state,
      code,
      link_code: linkCode,
      error,
      error_description: why,
    } = Object.fromEntries(new URLSearchParams(fragment));
    if (flow === null || state !== flow.state) throw unexpected();
    if (error !== undefined) throw new ExternalSignInError(error as ExternalSignInFailure, why ?? error);
    if (linkCode !== undefined) return { linkCode };
    if (code === undefined) throw unexpected();
    return { code, codeVerifier: flow.codeVerifier };
  }

  #take(): Flow | null {
    const kept = this.#storage.getItem(KEY);
    this.#storage.removeItem(KEY);
    return kept === null ? null : (JSON.parse(kept) as Flow);
  }
}

/** The fragment of this page's address, which is taken out of the address and of the history before anybody else reads it. */
export function takeFragment(): string {
  const { hash, pathname, search } = globalThis.location;
  history.replaceState(history.state, '', `${pathname}${search}`);
  return hash.slice(1);
}

const unexpected = (): ExternalSignInError =>
  new ExternalSignInError(
    'unexpected',
    'This sign-in was not begun here, or has been completed. Start again.',
  );

/** Node has a `sessionStorage` as well, which is everybody's in the process. */
function tabStorage(): FlowStorage {
  if (typeof document !== 'undefined') return sessionStorage;
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}
