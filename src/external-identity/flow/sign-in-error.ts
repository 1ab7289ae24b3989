/**
 * Why an external sign-in failed: a closed list, with what the person can do. Nothing of
 * the provider's own words is passed on.
 */
export const SIGN_IN_ERRORS = {
  access_denied: 'The sign-in was cancelled. Try again, or sign in another way.',
  provider_unavailable: 'The provider does not answer right now. Try again later, or sign in another way.',
  invalid_response: "The provider's answer could not be verified. Start again.",
  account_exists:
    'There is an account with this address already. Sign in to it, then link this provider under "my identities".',
  identity_taken:
    'This identity belongs to another account already. Sign in with it, or unlink it there first.',
  account_suspended: 'This account has been suspended. Ask whoever runs this service.',
  link_refused: 'To link an identity, sign in again and start anew.',
  temporarily_unavailable: 'The sign-in cannot be finished right now. Try again in a moment.',
  server_error: 'Something went wrong on our side. Try again, or sign in another way.',
} as const;

export type ErrorReason = keyof typeof SIGN_IN_ERRORS;
