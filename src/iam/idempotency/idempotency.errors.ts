import { declareErrors } from '../../platform/errors/index.js';

const errors = declareErrors({
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency Key Reused',
    detail: 'This Idempotency-Key was used for another request.',
    remedy:
      'Send a new Idempotency-Key with each new request, and the same key only to repeat the same request.',
  },
});

declare module '../../platform/errors/index.js' {
  interface ErrorCodes extends Readonly<typeof errors> {}
}
