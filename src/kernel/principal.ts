export type UserId = string & { readonly __brand: 'UserId' };
export type TenantId = string & { readonly __brand: 'TenantId' };
export type SessionId = string & { readonly __brand: 'SessionId' };

/** Our own app, in the `client_id` of its tokens. */
export const FIRST_PARTY_CLIENT = 'gatehouse';

/** Why a satellite is refused what the app alone may do. */
export const NOT_FOR_SATELLITES = 'This is for the app that you signed in to, not for a satellite.';

/** Who is calling, as proven by a valid access token of a live session. */
export interface Principal {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly grantId: string;
  /** Which property the token was issued to. */
  readonly clientId: string;
  /** The selected tenant. */
  readonly tenantId: TenantId | null;
  /** The newest proof of who they are: sign-in or step-up (`auth_time`). */
  readonly authTime: Date;
}
