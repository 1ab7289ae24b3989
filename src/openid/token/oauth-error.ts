/** Error codes of OAuth and OpenID Connect that this service answers with. */
type OAuthErrorCode =
  // RFC 6749 sections 4.1.2.1 and 5.2
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  // RFC 8628 section 3.5
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  // RFC 8707 section 2
  | 'invalid_target'
  // RFC 9449 sections 5 and 8
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'
  // OpenID Connect Core section 3.1.2.6
  | 'login_required'
  | 'consent_required'
  | 'invalid_request_uri'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported';

/** Refusal of an endpoint of OAuth. */
export class OAuthError extends Error {
  constructor(
    readonly code: OAuthErrorCode,
    readonly description: string,
  ) {
    super(description);
  }

  get status(): number {
    return this.code === 'invalid_client' ? 401 : 400;
  }
}

export const invalidGrant = (what: 'code' | 'refresh token'): OAuthError =>
  new OAuthError(
    'invalid_grant',
    `The ${what} is unknown, used, expired or revoked, or not for this client.`,
  );

export const notAdmitted = (): OAuthError =>
  new OAuthError(
    'invalid_grant',
    'The organization of the client is archived, or does not accept the sign-in of the person.',
  );
