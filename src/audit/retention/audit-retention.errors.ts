import { declareErrors } from '../../platform/errors/index.js';

/** Errors of the retention of the audit trail. */
const errors = declareErrors({
  'retention-too-short': {
    status: 422,
    title: 'Retention Too Short',
    detail: 'The service keeps the audit trail for longer.',
    remedy: 'Set at least the `minDays` that the retention of the organization names, or null.',
  },
});

declare module '../../platform/errors/index.js' {
  interface ErrorCodes extends Readonly<typeof errors> {}
}
