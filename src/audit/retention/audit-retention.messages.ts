import { declareMessages } from '../../platform/messages/index.js';

const messages = declareMessages({
  'audit-retention.too-short': 'The service keeps the audit log for at least {min} days.',
});

declare module '../../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
