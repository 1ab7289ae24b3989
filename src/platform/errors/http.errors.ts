import { declareErrors } from './catalogue.js';
import { messages } from './http.messages.js';

/** Errors of HTTP itself, and of each request: those that the platform throws. */
const errors = declareErrors({
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
  forbidden: {
    status: 403,
    title: 'Forbidden',
    detail: messages['error.forbidden'],
    message: 'error.forbidden',
    remedy:
      'See the detail of the problem. If a scope is missing, ask an administrator of the organization for it.',
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
    detail: messages['error.conflict'],
    message: 'error.conflict',
    remedy: 'Read the current state, then decide whether to repeat the request.',
  },
  'precondition-failed': {
    status: 412,
    title: 'Precondition Failed',
    detail: messages['error.precondition-failed'],
    message: 'error.precondition-failed',
    remedy: 'Read the resource again, apply the change to what it is now, and send its new ETag.',
  },
  'payload-too-large': {
    status: 413,
    title: 'Payload Too Large',
    detail: 'The body is too large.',
    remedy: 'Send a smaller body: the detail of the problem has the limit.',
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
});

declare module './error-codes.js' {
  interface ErrorCodes extends Readonly<typeof errors> {}
}
