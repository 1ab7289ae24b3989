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
