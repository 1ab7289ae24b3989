import type { Request } from 'express';
import type { Connection, ReadAttributes } from '../../connection/index.js';

/** The kinds of the specification. Modules add others: {@link ExternalProvider}. */
export const KINDS: readonly Kind[] = ['google_oauth', 'facebook_oauth', 'apple_oauth', 'oidc', 'saml'];
/** Name of a provider's protocol or vendor in paths, states and tokens (`amr`). */
export type Kind = string;

/** Returns the id of the connection that the provider of the environment is. */
export const environmentConnection = (kind: Kind): string => `env:${kind}`;

/** Parameters of a flow for the provider. Its secrets are derived from the flow's id. */
export interface ProviderFlow {
  readonly redirectUri: string;
  /** Value that the browser carries to the provider and back: the signed state, or its key. */
  readonly state: string;
  /** PKCE verifier (RFC 7636) of 43 characters; the challenge is its S256. */
  readonly codeVerifier: string;
  readonly codeChallenge: string;
  readonly nonce: string;
  /**
   * Seconds within which the person must have authenticated at the provider, if the flow asks for
   * it. A strategy that declares `provesAuthenticationTime` requests it and refuses a response that
   * does not prove it.
   */
  readonly maxAgeSeconds?: number;
  /** Connection of an organization; left out for the provider of the environment. */
  readonly connection?: Connection;
  /** Address that the person has entered, at the start of the flow (`login_hint`). */
  readonly loginHint?: string | undefined;
}

/** Parameters of the callback, each of them once. */
export type CallbackParameters = Readonly<Record<string, string>>;

/** Proof of an address: by the authority for its domain, by another provider, or none. */
export type EmailProof = 'authority' | 'verified' | 'none';

/** What a provider calls a sign-in. The subject is that of the profile. */
export interface UpstreamNames {
  /** saml: attributes of the NameID, which a logout request repeats (SAML Core 3.7.3.2). */
  readonly nameId?: {
    readonly format: string | null;
    readonly nameQualifier: string | null;
    readonly spNameQualifier: string | null;
  };
  /** saml: SessionIndex of the assertion. */
  readonly sessionIndex?: string;
  /** oidc: `sid` of the ID token. */
  readonly sid?: string;
}

/** A proven external identity. Its key is connection, issuer and subject, never an address. */
export interface ProvenProfile extends ReadAttributes {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailProof: EmailProof;
  /** Whether the provider says that the person proved two factors. */
  readonly isTwoFactor?: boolean;
  /** Names that the provider sent, unverified. */
  readonly firstName: string | null;
  readonly lastName?: string | null;
  /** Whole name. */
  readonly displayName?: string | null;
  /** What the provider calls the sign-in, for a logout. */
  readonly upstream?: UpstreamNames;
  /** Token by which the grant of the person is revoked when the account is erased. */
  readonly refreshToken?: string;
  /** A single-use proof and its expiry, recorded in the transaction that starts the session. */
  readonly once?: { readonly key: string; readonly until: Date };
  /** Certificates of a connection by SAML that have signed it, in PEM. */
  readonly signers?: readonly string[];
}

/** Options of a strategy's `authenticate`. */
export interface FlowStep {
  readonly flow: ProviderFlow;
  /** The parameters of the callback; left out at the start of the flow. */
  readonly callback?: CallbackParameters;
}

/**
 * An external identity provider: a strategy of passport's, marked with {@link ExternalProvider}.
 * Its `validate` returns the {@link ProvenProfile}. It throws {@link SignInError} for an invalid
 * response; any other exception is an internal error.
 */
export interface SignInStrategy {
  /** False if settings are missing: requests for the kind then get 404. */
  readonly configured: boolean;
  /**
   * Name that a setting gives the provider, in place of that of its decorator. null if the setting
   * is missing: pages then use a general term in their language.
   */
  readonly displayName?: string | null;
  /**
   * Issuer of its profiles, if it depends on settings. Identities of another issuer cannot sign in.
   */
  readonly issuer?: string | undefined;
  /**
   * Domains of the environment for whose addresses it is an authority. Left out if each sign-in
   * says so.
   */
  readonly domains?: readonly string[];
  /**
   * Parameter of the callback that carries a short key to the state, for a protocol without room
   * for the state itself.
   */
  readonly stateKeyParameter?: string;
  /** True if responses are accepted by POST only (SAML Profiles 4.1.2): logs contain URLs. */
  readonly answersByFormOnly?: boolean;
  /**
   * True if `validate` enforces `maxAgeSeconds` of the flow; a start with it is refused otherwise.
   */
  readonly provesAuthenticationTime?: boolean;
  /**
   * Checks a response without a request, of a connection that allows them. It starts a sign-in, and
   * completes none.
   */
  checkUnsolicited?(flow: ProviderFlow, parameters: CallbackParameters): Promise<ProvenProfile>;
  /**
   * Revokes the grant of a person whose account is erased, by the `refreshToken` of a profile.
   * @throws {SignInError} provider_unavailable: it is tried again
   */
  revokeGrant?(refreshToken: string): Promise<void>;
  /** Maximum size of a form that the provider posts; 64 KiB if left out. */
  readonly maxFormBytes?: number;
  /**
   * Reports to the strategy's own `redirect`, `success`, `fail` or `error`, as with passport.
   * Writes nothing at the start.
   */
  authenticate(request: Request, step: FlowStep): void;
}

/** Longest time after which a notice of a provider is accepted. Facebook and Apple send at once. */
export const MAX_NOTICE_AGE_SECONDS = 86_400;
/** Clock skew. */
export const NOTICE_CLOCK_SECONDS = 60;

/** What a provider tells of a person, verified. */
export interface ProviderNotice {
  /**
   * `withdrawn`: the person takes the consent back; `deleted`: what came from the provider is to be
   * deleted, or the account there was; `other`: nothing to do.
   */
  readonly what: 'withdrawn' | 'deleted' | 'other';
  readonly issuer: string;
  readonly subject: string;
  readonly issuedAt: Date;
  /** Text that no other notice of the provider has. */
  readonly key: string;
}

/**
 * Reasons for a failed external sign-in, with what the person can do. Texts of the provider are not
 * passed on.
 */
export const SIGN_IN_ERRORS = {
  access_denied: 'The sign-in was cancelled. Try again, or sign in another way.',
  provider_unavailable: 'The provider is not available. Try again later, or sign in another way.',
  invalid_response: "The provider's response could not be verified. Start again.",
  domain_not_verified:
    'Your organization has not verified the domain of your address. Ask its administrator.',
  not_provisioned: 'You are not a member of this organization. Ask its administrator to add you.',
  groups_incomplete:
    'Your identity provider did not send all your groups, so this organization cannot tell whether you belong to it. Ask its administrator.',
  connection_disabled: 'Your organization has switched this sign-in off. Sign in another way.',
  second_factor_required: 'This account also asks for a second factor.',
  account_exists: 'An account with this address already exists. Sign in to it, then link this provider.',
  identity_taken: 'This identity is linked to another account. Sign in with it, or unlink it there first.',
  account_suspended: 'This account is suspended. Contact the operator of this service.',
  link_refused: 'The session has ended. Sign in again, then link the identity.',
  temporarily_unavailable: 'The sign-in cannot be completed right now. Try again in a minute.',
  server_error: 'Something went wrong on our side. Try again, or sign in another way.',
} as const;

export type ErrorReason = keyof typeof SIGN_IN_ERRORS;

/** The metadata of a connection has expired, and no valid one could be read. */
export class MetadataExpired extends Error {}

/** Failed external sign-in, with the reason that the page that started the flow gets. */
export class SignInError extends Error {
  constructor(
    readonly reason: ErrorReason,
    cause?: unknown,
  ) {
    super(reason, { cause });
  }
}
