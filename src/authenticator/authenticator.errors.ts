import { declareErrors } from '../platform/errors/index.js';
import { messages } from './authenticator.messages.js';

/** Errors of second factors. */
const errors = declareErrors({
  'second-factor-required': {
    status: 403,
    title: 'Second Factor Required',
    detail: 'The password is right. This account also asks for a second factor.',
    remedy:
      'Send one of the listed methods with the challenge to POST /api/v1/iam/auth/second-factor. No session has been started yet.',
    members: {
      challenge: {
        type: 'string',
        pattern: '^[\\w-]+$',
        maxLength: 100,
        description: 'With `second-factor-required`: to be sent with the second factor.',
        examples: ['6pQ0Vw1mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEoXyZ0aBc'],
      },
      expiresInSeconds: {
        type: 'integer',
        format: 'int32',
        minimum: 1,
        maximum: 600,
        description: 'With `second-factor-required`: lifetime of the challenge.',
        examples: [600],
      },
    },
    example: {
      challenge: '6pQ0Vw1mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEoXyZ0aBc',
      methods: ['totp', 'recovery_code'],
      expiresInSeconds: 600,
    },
  },
  'invalid-second-factor': {
    status: 401,
    title: 'Invalid Second Factor',
    detail: messages['error.invalid-second-factor'],
    message: 'error.invalid-second-factor',
    remedy: 'Wait for the next code, or use another method. After five wrong answers, sign in again.',
  },
});

declare module '../platform/errors/index.js' {
  interface ErrorCodes extends Readonly<typeof errors> {}
}
