import { declareMessages } from '../../platform/messages/index.js';

const messages = declareMessages({
  'scope.audit': 'Audit log',
  'scope.audit.read': 'View the audit log',
  'scope.audit.read.description': 'See who has changed what in the organization.',
});

declare module '../../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
