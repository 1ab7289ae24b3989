export type UserId = string & { readonly __brand: 'UserId' };
export type TenantId = string & { readonly __brand: 'TenantId' };
export type SessionId = string & { readonly __brand: 'SessionId' };

/** `client_id` of the first-party client in its access tokens. */
export const FIRST_PARTY_CLIENT = 'gatehouse';

/** Detail of the 403 for a satellite that calls a route of the first-party client. */
export const NOT_FOR_SATELLITES = 'This is for the app that you signed in to, not for a satellite.';

/** Authenticated caller: the claims of a valid access token whose session is active. */
export interface Principal {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly grantId: string;
  /** Client that the token was issued to (`client_id`). */
  readonly clientId: string;
  /** Selected tenant; null if none is selected. */
  readonly tenantId: TenantId | null;
  /** Time of the last authentication, by sign-in or step-up (`auth_time`). */
  readonly authTime: Date;
  /** Time of the last proof of two factors or by passkey; null for a sign-in by one factor. */
  readonly aal2Time: Date | null;
  /** Time of the last proof by passkey with user verification; null without one. */
  readonly phrTime: Date | null;
  /** Whether a trusted device stood in for the second factor at the sign-in. */
  readonly trustedDevice: boolean;
}
