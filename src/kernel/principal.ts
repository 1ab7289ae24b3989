import type { Acr } from './acr.js';

export type UserId = string & { readonly __brand: 'UserId' };
export type TenantId = string & { readonly __brand: 'TenantId' };
export type SessionId = string & { readonly __brand: 'SessionId' };

/** How a sign-in opens an organization that requires its own connection. */
export type Voucher = 'by-connection' | 'in-emergency';

/** `client_id` of the first-party client in its access tokens. */
export const FIRST_PARTY_CLIENT = 'gatehouse';

/** Detail of the 403 for a satellite that calls a route of the first-party client. */
export const NOT_FOR_SATELLITES = 'This is for the app that you signed in to, not for a satellite.';

/** Detail of the 403 for a machine that calls a route of people. */
export const NOT_FOR_MACHINES = 'This is for people. A service account cannot do it.';

/** Detail of the 403 for a person who calls a route of machines. */
export const NOT_FOR_PEOPLE = 'This is for service accounts.';

/** What every authenticated caller has. */
interface AnyPrincipal {
  /** The person, or the service account: who did it, in the audit trail. */
  readonly userId: UserId;
  /** Client that the token was issued to (`client_id`). A service account is its own client. */
  readonly clientId: string;
  /** Selected tenant; null if none is selected. */
  readonly tenantId: TenantId | null;
  /** Thumbprint of the key that the token is bound to (RFC 9449 section 6); left out if to none. */
  readonly jkt?: string;
}

/** Person: the claims of a valid access token whose session is active. */
export interface PersonPrincipal extends AnyPrincipal {
  readonly kind: 'person';
  readonly sessionId: SessionId;
  readonly grantId: string;
  /** Time of the last authentication, by sign-in or step-up (`auth_time`). */
  readonly authTime: Date;
  /** Time of the last proof of two factors or by passkey; null for a sign-in by one factor. */
  readonly aal2Time: Date | null;
  /** Time of the last proof by passkey with user verification; null without one. */
  readonly phrTime: Date | null;
  /** Whether a trusted device stood in for the second factor at the sign-in. */
  readonly trustedDevice: boolean;
  /** Organizations whose connections have vouched for the person at a sign-in of the session. */
  readonly assuredBy?: readonly TenantId[];
  /**
   * Whether the connection that has vouched proved two factors, and its organization trusts it for
   * them: they count there alone. Left out for false.
   */
  readonly assuredFactor?: boolean;
  /**
   * Whether a connection has vouched for the person and nothing of their own has: the session
   * belongs to the connection's organization until they prove it (ADR 49). Left out for false.
   */
  readonly ownProofMissing?: boolean;
  /** Identifier by which the client knows the person; left out if that is `userId`. */
  readonly subject?: string;
  /** Scopes of a token of OpenID Connect, which restrict it; left out of all other tokens. */
  readonly grantedScopes?: ReadonlySet<string>;
  /** Operator who acts as the person (`act`, RFC 8693 section 4.1); left out for the person. */
  readonly actorId?: UserId;
  /** Shared station at which the person signed in (ADR 56); left out for every other sign-in. */
  readonly stationId?: string;
  /** Partnership by which the person is in the tenant (ADR 67); left out for a member of it. */
  readonly via?: string;
}

/**
 * Program: a service account, or a person's key. It has no session and no sign-in, and acts in one
 * tenant.
 */
export interface MachinePrincipal extends AnyPrincipal {
  readonly kind: 'machine';
  /** Whose roles it has: those of the service account or the person `userId`. */
  readonly owner: 'service-account' | 'person';
  readonly tenantId: TenantId;
  /** Key or other credential of the request. */
  readonly credentialId: string;
  /** Strength of the sign-in by which a person made the key; left out of service accounts. */
  readonly acr?: Acr;
  /** What in that sign-in stands for the organization's connection; left out if nothing does. */
  readonly voucher?: Voucher;
  /** Scopes of the credential, which restrict the roles; null for all that the roles give. */
  readonly scopes: ReadonlySet<string> | null;
}

/** Program that operates the platform: a service account that belongs to no tenant. */
export interface PlatformPrincipal extends AnyPrincipal {
  readonly kind: 'machine';
  readonly owner: 'platform';
  readonly tenantId: null;
  /** Key of the request. */
  readonly credentialId: string;
  /** Scopes of the key, which restrict the role; null for all that the role gives. */
  readonly scopes: ReadonlySet<string> | null;
}

/** Authenticated caller. */
export type Principal = PersonPrincipal | MachinePrincipal | PlatformPrincipal;

/** @returns the partnership by which a caller is in the tenant; null for all others */
export const partnershipOf = (caller: Principal): string | null =>
  (caller.kind === 'person' && caller.via) || null;
