import { declareErrors } from '../../platform/errors/index.js';

/** Errors of registration and credentials. */
const errors = declareErrors({
  'invalid-credentials': {
    status: 401,
    title: 'Invalid Credentials',
    detail: 'The email address or the password is wrong.',
    remedy:
      'Check both and try again. After several failures, wait half a minute first. If you forgot the password, reset it.',
    members: {
      credentialKnown: {
        type: 'boolean',
        description:
          'With `invalid-credentials` of a passkey: whether the service knows it. If not, the browser can remove it (`signalUnknownCredential`).',
        examples: [false],
      },
    },
  },
  'email-not-verified': {
    status: 403,
    title: 'Email Not Verified',
    detail: 'The email address has not been verified yet.',
    remedy: 'Open the link in the verification mail, or ask for a new one with resend-verification.',
  },
});

type AccountErrors = typeof errors;

declare module '../../platform/errors/index.js' {
  interface ErrorCodes extends AccountErrors {}
}
