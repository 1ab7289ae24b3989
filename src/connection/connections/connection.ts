import type { TenantId } from '../../kernel/index.js';

const CONNECTION_KINDS = ['oidc', 'saml'] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/** State of a connection. `draft`: no test has passed yet. Only an active one signs people in. */
const CONNECTION_STATES = ['draft', 'active', 'disabled'] as const;
export type ConnectionStatus = (typeof CONNECTION_STATES)[number];

/**
 * Returns whether people sign in by a connection, or have been able to: what it accepts is then
 * worth as much as the person who holds most.
 */
export const isInUse = (connection: { status: ConnectionStatus; activatedAt: Date | null }): boolean =>
  connection.status !== 'draft' || connection.activatedAt !== null;

export const CLIENT_AUTHENTICATIONS = ['client_secret', 'private_key_jwt'] as const;
export type ClientAuthentication = (typeof CLIENT_AUTHENTICATIONS)[number];

export const ON_NO_MATCH = ['default', 'refuse'] as const;
export const SYNC_ROLES = ['first-sign-in', 'every-sign-in'] as const;
export const RULE_OPERATORS = ['equals', 'contains', 'matches'] as const;
export type RuleOperator = (typeof RULE_OPERATORS)[number];

/** Names of claims or attributes that hold what the service reads. */
export interface AttributeNames {
  readonly email?: string;
  readonly groups?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly displayName?: string;
}

/** What happens at a sign-in of a person who is not a member, or whose groups have changed. */
export interface Provisioning {
  /** Whether a sign-in makes the person a member. */
  readonly justInTime: boolean;
  /** Ids of roles. One that was deleted since is ignored. */
  readonly defaultRoleIds: readonly string[];
  readonly onNoMatch: (typeof ON_NO_MATCH)[number];
  readonly syncRoles: (typeof SYNC_ROLES)[number];
}

/** A rule `attribute operator value → roles`. */
export interface Rule {
  readonly attribute: string;
  readonly operator: RuleOperator;
  readonly value: string;
  readonly roleIds: readonly string[];
}

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientAuthentication: ClientAuthentication;
  /** Asked for in addition to `openid`, `email` and `profile`. */
  readonly scopes: string[];
  readonly claims: AttributeNames;
  readonly acrValues: string[];
  /** Audiences that an ID token may name besides the client. */
  readonly trustedAudiences: string[];
}

export interface AcceptedCertificate {
  /** Fingerprint in lower case hex. */
  readonly sha256: string;
  /** PEM. */
  readonly certificate: string;
}

/** How browsers bring requests: in the address, or by a form (SAML Bindings sections 3.4, 3.5). */
export const SSO_BINDINGS = ['redirect', 'post'] as const;
export type SsoBinding = (typeof SSO_BINDINGS)[number];

export interface SamlSettings {
  readonly entityId: string;
  readonly ssoUrl: string;
  /** How requests reach the `ssoUrl`. */
  readonly ssoBinding: SsoBinding;
  readonly sloUrl: string | null;
  readonly metadataUrl: string | null;
  /** End of the metadata of the settings (SAML Metadata section 2.3.2); null for none. */
  readonly metadataValidUntil: string | null;
  /** The only certificates that signatures of this provider are verified with. */
  readonly certificates: readonly AcceptedCertificate[];
  readonly signRequests: boolean;
  readonly wantEncryptedAssertions: boolean;
  /**
   * Maximum age of the `AuthnInstant` in seconds; null for no limit, undefined for the setting
   * `EXTERNAL_SAML_MAX_AUTH_AGE`.
   */
  readonly authnInstantMaxAge?: number | null | undefined;
  readonly nameIdFormat: string | null;
  readonly attributes: AttributeNames;
}

interface Common {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly name: string;
  readonly status: ConnectionStatus;
  /** Counts the changes of the settings, so that what is derived from them can be kept by it. */
  readonly settingsVersion: number;
  readonly provisioning: Provisioning;
  /** Whether a second factor at the provider counts as one here. */
  readonly trustsSecondFactor: boolean;
  /** Whether a valid response without a request starts a sign-in. */
  readonly idpInitiated: boolean;
  /** Whether clients get tokens for identity assertions of its issuer (ADR 70). */
  readonly identityAssertions: boolean;
  /** Verified domains that are assigned to it, and for whose addresses alone it is an authority. */
  readonly domains: readonly string[];
  readonly rules: readonly Rule[];
}

export interface OidcConnection extends Common {
  readonly kind: 'oidc';
  readonly settings: OidcSettings;
  /** Unseals the secret; null with `private_key_jwt`. */
  readonly revealClientSecret: () => string | null;
}

export interface SamlConnection extends Common {
  readonly kind: 'saml';
  readonly settings: SamlSettings;
}

/** An organization's own identity provider. */
export type Connection = OidcConnection | SamlConnection;

/** Job that ends the sessions that began by a connection. Handled by the module of sign-ins. */
export const END_SESSIONS = 'connections.end-sessions';

/** Payload of {@link END_SESSIONS}. */
export interface SessionsToEnd {
  readonly connectionId: string;
}
