import { ACRS } from '../kernel/index.js';
import { declareErrors } from '../platform/errors/index.js';

/** Error of a sign-in that is too old or too weak (RFC 9470, ADR 22, ADR 34). */
const errors = declareErrors({
  'insufficient-user-authentication': {
    status: 401,
    title: 'Insufficient User Authentication',
    detail: 'Your last sign-in is too long ago for this. Confirm that it is you, then try again.',
    remedy:
      'Confirm with POST /api/v1/iam/auth/step-up by one of the listed methods, or sign in again. Then repeat the request with the new token. With `enrol`, add an authenticator first. With `own_proof` in `missing`, only an organization has vouched for the person: without methods, set a password by the mail of request-password-reset and sign in by it.',
    members: {
      acr: {
        type: 'string',
        enum: [...ACRS],
        description:
          'With `insufficient-user-authentication`: strength that is needed: `aal1`, one factor; `aal2`, two; `phr`, a passkey.',
        examples: ['aal2'],
      },
      connectionId: {
        type: 'string',
        maxLength: 26,
        pattern: '^[0-9A-Z]{26}$',
        description:
          'With the method `connection`: connection of the organization to sign in by, with `start` of an external sign-in.',
        examples: ['01K3V9D7Q8Z4X5N6M7P8R9S0T1'],
      },
      enrol: {
        type: 'boolean',
        description:
          'With `insufficient-user-authentication`: true if this user has no authenticator of the needed strength yet.',
        examples: [true],
      },
      maxAge: {
        type: 'integer',
        format: 'int32',
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'With `insufficient-user-authentication`: maximum age of the sign-in, in seconds.',
        examples: [600],
      },
      missing: {
        type: 'array',
        maxItems: 10,
        items: { type: 'string', maxLength: 50, pattern: '^[a-z_]+$' },
        description:
          'With `insufficient-user-authentication`: `own_proof` if only the connection of an organization has vouched for the person, who confirms by one of `methods`. Values may be added.',
        examples: [['own_proof']],
      },
      methods: {
        type: 'array',
        maxItems: 10,
        items: { type: 'string', pattern: '^[a-z_]+$', maxLength: 50 },
        description:
          'With `insufficient-user-authentication`: methods by which this user can confirm with `step-up`. Empty if only a new external sign-in can. Methods may be added.',
        examples: [['password']],
      },
    },
    example: { code: 'authentication_insufficient', acr: 'aal1', maxAge: 600, methods: ['password'] },
  },
});

declare module '../platform/errors/index.js' {
  interface ErrorCodes extends Readonly<typeof errors> {}
}
