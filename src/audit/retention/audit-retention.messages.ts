import { declareMessages } from '../../platform/messages/index.js';

const messages = declareMessages({
  'audit-retention.too-short': 'The service keeps the audit log for at least {min} days.',
});

type AuditRetentionMessages = typeof messages;

declare module '../../platform/messages/index.js' {
  interface MessageIds extends AuditRetentionMessages {}
}
