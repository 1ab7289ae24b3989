import type { Request } from 'express';
import type { ErrorReason } from '../flow/sign-in-error.js';

/** The kinds of the specification. Modules add others: {@link ExternalProvider}. */
export const KINDS: readonly Kind[] = ['google_oauth', 'facebook_oauth', 'apple_oauth', 'oidc', 'saml'];
/** How a way to sign in is called in paths, states and tokens (`amr`). */
export type Kind = string;

/**
 * What a provider needs to know of a flow. Everything secret in it is derived from the flow's id.
 */
export interface ProviderFlow {
  readonly redirectUri: string;
  /** What the browser carries to the provider and back: the signed state, or the key to it. */
  readonly state: string;
  /** PKCE (RFC 7636), by S256: the verifier has 43 characters. */
  readonly codeVerifier: string;
  readonly codeChallenge: string;
  readonly nonce: string;
  /**
   * Seconds within which the person must have authenticated at the provider, where the flow asks
   * for it. A provider that declares `provesAuthenticationTime` asks for it and refuses an answer
   * that does not prove it.
   */
  readonly maxAgeSeconds?: number;
}

/** What a provider sends back: the parameters of the callback, each of them once. */
export type CallbackParameters = Readonly<Record<string, string>>;

/**
 * How much an address is worth: proven by the provider that runs its domain, proven by one that
 * does not, or not at all.
 */
export type EmailProof = 'authority' | 'verified' | 'none';

/** Who somebody has proven to be. The key is kind, issuer and subject, never an address. */
export interface ProvenProfile {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailProof: EmailProof;
  /** As the provider tells it, unverified. */
  readonly firstName: string | null;
  /**
   * A proof that is good once, and until when it would be good: the flow takes note of it with the
   * session that it gives.
   */
  readonly once?: { readonly key: string; readonly until: Date };
}

/** What a strategy gets as the options of `authenticate`. */
export interface FlowStep {
  readonly flow: ProviderFlow;
  /** The parameters of the callback; left out at the start of the flow. */
  readonly callback?: CallbackParameters;
}

/**
 * An external identity provider: a strategy of passport's, marked with {@link ExternalProvider}.
 * Its `validate` returns the {@link ProvenProfile}. It throws {@link SignInError} for an answer
 * that proves nothing; any other exception is an internal error.
 */
export interface SignInStrategy {
  /** False if settings are missing: the kind then answers 404. */
  readonly configured: boolean;
  /**
   * The issuer of its profiles, if a setting decides it: identities of another issuer no longer
   * sign in.
   */
  readonly issuer?: string | undefined;
  /**
   * Parameter of the callback that carries a short key to the state, for a protocol without room
   * for the state itself.
   */
  readonly stateKeyParameter?: string;
  /**
   * True if the protocol answers by form only (SAML Profiles 4.1.2): URLs end in logs and
   * histories.
   */
  readonly answersByFormOnly?: boolean;
  /**
   * True if `validate` enforces `maxAgeSeconds` of the flow; a start with it is refused otherwise.
   */
  readonly provesAuthenticationTime?: boolean;
  /** Maximum size of a form that the provider posts; 64 KiB if left out. */
  readonly maxFormBytes?: number;
  /**
   * Reports to the strategy's own `redirect`, `success`, `fail` or `error`, as with passport.
   * Writes nothing at the start.
   */
  authenticate(request: Request, step: FlowStep): void;
}

/** A callback that ends without a sign-in, with the word for it that the returning page gets. */
export class SignInError extends Error {
  constructor(
    readonly reason: ErrorReason,
    cause?: unknown,
  ) {
    super(reason, { cause });
  }
}
