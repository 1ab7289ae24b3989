/** Row of the error catalogue: the problem details of a code. */
interface CatalogueRow {
  readonly status: number;
  readonly title: string;
  /** What happened, for people; the default `detail`. */
  readonly detail: string;
  /** What to do next; shown on the page that `type` links to. */
  readonly remedy: string;
}

/** Error catalogue (API-6): every problem type, by the last segment of `type`. */
export const ERROR_CATALOGUE = {
  'validation-error': {
    status: 400,
    title: 'Validation Error',
    detail: 'The request is not valid. See violations.',
    remedy: 'Correct each field listed in violations, then send the request again.',
  },
  unauthenticated: {
    status: 401,
    title: 'Unauthenticated',
    detail: 'This request requires a valid access token.',
    remedy:
      'Send "Authorization: Bearer <access token>". If the token has expired, refresh it; if the session has ended, sign in again.',
  },
  'invalid-credentials': {
    status: 401,
    title: 'Invalid Credentials',
    detail: 'The e-mail address or the password is wrong.',
    remedy:
      'Check both and try again. After several failures, wait half a minute first. If you forgot the password, reset it.',
  },
  'insufficient-user-authentication': {
    status: 401,
    title: 'Insufficient User Authentication',
    detail: 'Your last sign-in is too long ago for this. Confirm that it is you, then try again.',
    remedy:
      'Confirm with POST /api/v1/iam/auth/step-up by one of the listed methods, or sign in again. Then repeat the request with the new token.',
  },
  'invalid-refresh-token': {
    status: 401,
    title: 'Invalid Refresh Token',
    detail: 'The refresh token is not valid, or its session has ended.',
    remedy: 'Sign in again.',
  },
  'invalid-client': {
    status: 401,
    title: 'Invalid Client',
    detail: 'The client id or secret is missing or wrong, or the token belongs to another client.',
    remedy:
      "Send the client id and secret of the satellite's registration, from its server, and check that the satellite is enabled.",
  },
  'email-not-verified': {
    status: 403,
    title: 'E-mail Not Verified',
    detail: 'The e-mail address has not been verified yet.',
    remedy: 'Open the link in the verification mail, or ask for a new one with resend-verification.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    detail: 'This is not allowed.',
    remedy:
      'See the detail of the problem. If a scope is missing, ask an administrator of the tenant for it.',
  },
  'not-a-member': {
    status: 403,
    title: 'Not a Member',
    detail: 'You are not a member of this tenant.',
    remedy: 'Choose one of the tenants that /api/v1/iam/me/tenants lists.',
  },
  'not-found': {
    status: 404,
    title: 'Not Found',
    detail: 'The resource does not exist.',
    remedy: 'Check the path and the id. The API documentation at /api/docs lists every path.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method Not Allowed',
    detail: 'This path does not support the method.',
    remedy: 'Use one of the methods listed in the Allow header.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request Timeout',
    detail: 'The request took too long to arrive.',
    remedy: 'Send it again, over a better connection or in fewer pieces.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    detail: 'The request contradicts the current state.',
    remedy: 'Read the current state, then decide whether to repeat the request.',
  },
  'payload-too-large': {
    status: 413,
    title: 'Payload Too Large',
    detail: 'The body is larger than 64 KiB.',
    remedy: 'Send a smaller body.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported Media Type',
    detail: 'The body must be JSON in UTF-8, without content encoding.',
    remedy: 'Send the body as JSON with "Content-Type: application/json".',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too Many Requests',
    detail: 'The rate limit is exceeded.',
    remedy: 'Wait as many seconds as Retry-After says, then try again.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Request Header Fields Too Large',
    detail: 'The header fields of the request are too large.',
    remedy: 'Send fewer or shorter header fields.',
  },
  internal: {
    status: 500,
    title: 'Internal Error',
    detail: 'An unexpected error occurred.',
    remedy: 'Try again later. If the error persists, report the instance id: the log holds the cause.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    detail: 'The service is temporarily unavailable.',
    remedy: 'Wait as many seconds as Retry-After says, then try again. Sessions are not affected.',
  },
} as const satisfies Record<string, CatalogueRow>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
