import { declareErrors } from '../../platform/errors/index.js';
import { messages } from './account.messages.js';

/** Errors of registration and credentials. */
const errors = declareErrors({
  'invalid-credentials': {
    status: 401,
    title: 'Invalid Credentials',
    detail: messages['error.invalid-credentials'],
    message: 'error.invalid-credentials',
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
    detail: messages['error.email-not-verified'],
    message: 'error.email-not-verified',
    remedy: 'Open the link in the verification mail, or ask for a new one with resend-verification.',
  },
});

declare module '../../platform/errors/index.js' {
  interface ErrorCodes extends Readonly<typeof errors> {}
}
