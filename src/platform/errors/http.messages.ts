import { declareMessages } from '../messages/index.js';

/** Details of errors that people see. */
export const messages = declareMessages({
  'error.forbidden': 'This is not allowed.',
  'error.conflict': 'The request contradicts the current state.',
  'error.precondition-failed': 'The resource has changed since the ETag of If-Match was read.',
});

declare module '../messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
