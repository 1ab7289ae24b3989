import type { ErrorReason } from '../flow/sign-in-error.js';

/** The kinds of the specification. Modules add others: {@link ExternalProvider}. */
export const KINDS: readonly Kind[] = ['google_oauth', 'facebook_oauth', 'apple_oauth', 'oidc', 'saml'];
/** How a way to sign in is called in paths, states and tokens (`amr`). */
export type Kind = string;

/** What a provider needs to know of a flow. Everything secret in it is derived from the flow's id. */
export interface ProviderFlow {
  readonly redirectUri: string;
  /** What the browser carries to the provider and back: the signed state, or the key to it. */
  readonly state: string;
  /** PKCE (RFC 7636), by S256: the verifier has 43 characters. */
  readonly codeVerifier: string;
  readonly codeChallenge: string;
  readonly nonce: string;
  /**
   * Seconds within which the person must have authenticated at the provider, where the flow asks for it. A provider that declares
   * `provesAuthenticationTime` asks for it and refuses an answer that does not prove it.
   */
  readonly maxAgeSeconds?: number;
}

/** What a provider sends back: the parameters of the callback, each of them once. */
export type CallbackParameters = Readonly<Record<string, string>>;

/** How much an address is worth: proven by the provider that runs its domain, proven by one that does not, or not at all. */
export type EmailProof = 'authority' | 'verified' | 'none';

/** Who somebody has proven to be. The key is kind, issuer and subject, never an address. */
export interface ProvenProfile {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailProof: EmailProof;
  /** As the provider tells it, unverified. */
  readonly firstName: string | null;
  /** A proof that is good once, and until when it would be good: the flow takes note of it with the session that it gives. */
  readonly once?: { readonly key: string; readonly until: Date };
}

/** One way to sign in elsewhere. */
export interface SignInProvider {
  /** False where its settings are missing: then the kind does not exist. */
  readonly configured: boolean;
  /** The issuer that its profiles name, where settings decide it: identities of another one open nothing any more. */
  readonly issuer?: string | undefined;
  /** The parameter of the callback in which a short key to the state comes back, for a protocol that has no room for the state itself. */
  readonly stateKeyParameter?: string;
  /** True where an answer in an address is none (SAML Profiles 4.1.2): addresses end in logs and histories. */
  readonly answersByFormOnly?: boolean;
  /** True where `complete` enforces `maxAgeSeconds` of the flow; a start with it is refused otherwise. */
  readonly provesAuthenticationTime?: boolean;
  /** Maximum size of a form that the provider posts; 64 KiB if left out. */
  readonly maxFormBytes?: number;
  /** Where the browser has to go. Writes nothing. */
  start(flow: ProviderFlow): Promise<URL>;
  /**
   * Who it is; or where the browser has to go once more first, in the same flow.
   * @throws {SignInError} for an answer that proves nothing; whatever else is thrown counts as a fault of ours
   */
  complete(flow: ProviderFlow, parameters: CallbackParameters): Promise<ProvenProfile | URL>;
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
