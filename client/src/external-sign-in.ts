import type { components, paths } from './generated/openapi.js';
import { createFlowStorage, type FlowStorage } from './flow-storage.js';
import { createPkce } from './pkce.js';
import type { SecondFactorNeeded } from './second-factor.js';

/** Kinds of external sign-in. */
export type ExternalKind = paths['/api/iam/auth/external/{kind}/start']['post']['parameters']['path']['kind'];

/**
 * Why an external sign-in failed. `unexpected` is detected by the client: this tab has not started
 * the flow that returned.
 */
export const EXTERNAL_SIGN_IN_FAILURES = [
  'access_denied',
  'provider_unavailable',
  'invalid_response',
  'second_factor_required',
  'account_exists',
  'identity_taken',
  'account_suspended',
  'connection_disabled',
  'domain_not_verified',
  'groups_incomplete',
  'link_refused',
  'not_provisioned',
  'temporarily_unavailable',
  'server_error',
  'unexpected',
] as const;

export type ExternalSignInFailure = (typeof EXTERNAL_SIGN_IN_FAILURES)[number];

/**
 * The external sign-in failed: no sign-in, and no linked identity. The message says what the user
 * can do.
 */
export class ExternalSignInError extends Error {
  override readonly name = 'ExternalSignInError';

  constructor(
    readonly code: ExternalSignInFailure,
    message: string,
    /** What the sign-in still needs, if the code is `second_factor_required`. */
    readonly secondFactor: SecondFactorNeeded | null = null,
  ) {
    super(message);
  }
}

/** Ways to sign in. */
export type SignInOptions = components['schemas']['SignInOptionsResponse'];

/** An external identity of an account. */
export type LinkedIdentity = components['schemas']['IdentityResponse'];

/** Result of a completed flow. */
export type ExternalSignInResult = { readonly signedIn: true } | { readonly linked: LinkedIdentity };

/** What the return page redeems: a code for tokens, or a code that links an identity. */
export type ExternalOutcome =
  { readonly code: string; readonly codeVerifier: string } | { readonly linkCode: string };

interface Flow {
  readonly state: string;
  readonly codeVerifier: string;
}

const KEY = 'gatehouse.external-sign-in';

/**
 * The flow that this tab has started. State and verifier stay in the tab, so that a flow started in
 * another browser cannot be completed in this one.
 */
export class ExternalFlow {
  readonly #storage: FlowStorage;

  constructor(storage: FlowStorage | undefined) {
    this.#storage = storage ?? createFlowStorage(() => sessionStorage);
  }

  /**
   * Creates state and verifier and starts the flow.
   * @param start calls the service with the challenge; returns its state and the provider's
   *   address
   * @returns the provider's address
   */
  async start(
    start: (codeChallenge: string) => Promise<{ state: string; authorizationUrl: string }>,
  ): Promise<string> {
    const { codeVerifier, codeChallenge } = await createPkce();
    const { state, authorizationUrl } = await start(codeChallenge);
    const flow: Flow = { state, codeVerifier };
    this.#storage.setItem(KEY, JSON.stringify(flow));
    return authorizationUrl;
  }

  /**
   * Reads the outcome from the fragment of the return page, once, and only if this tab has started
   * the flow.
   * @throws {ExternalSignInError}
   */
  complete(fragment: string): ExternalOutcome {
    const flow = this.#takeFlow();
    const {
      state,
      code,
      link_code: linkCode,
      error,
      error_description: description,
      challenge,
      methods = '',
    } = Object.fromEntries(new URLSearchParams(fragment));
    if (flow === null || state !== flow.state) throw createUnexpectedError();
    if (error !== undefined) {
      const needed =
        challenge === undefined ? null : { challenge, methods: methods.split(' ').filter(Boolean) };
      throw new ExternalSignInError(error as ExternalSignInFailure, description ?? error, needed);
    }
    if (linkCode !== undefined) return { linkCode };
    if (code === undefined) throw createUnexpectedError();
    return { code, codeVerifier: flow.codeVerifier };
  }

  #takeFlow(): Flow | null {
    const kept = this.#storage.getItem(KEY);
    this.#storage.removeItem(KEY);
    return kept === null ? null : (JSON.parse(kept) as Flow);
  }
}

/**
 * Reads the fragment of this page's address, and removes it from the address and the history before
 * other scripts can read it.
 */
export function takeFragment(): string {
  const { hash, pathname, search } = globalThis.location;
  history.replaceState(history.state, '', `${pathname}${search}`);
  return hash.slice(1);
}

const createUnexpectedError = (): ExternalSignInError =>
  new ExternalSignInError(
    'unexpected',
    'This sign-in was not started here, or has been completed. Start again.',
  );
