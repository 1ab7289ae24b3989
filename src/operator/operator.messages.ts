import { declareMessages } from '../platform/messages/index.js';

const messages = declareMessages({
  'bulk-action.running': 'Another action of yours is running. Start this one when it has ended.',
  'person.operator': 'This person is an operator. Remove the operator first.',
  'person.exceeds-caller':
    'This operator holds permissions that you do not hold yourself. Ask an operator who holds them.',
  'person.suspended': 'The account is suspended. Restore it first.',
  'person.not-suspended': 'The account is not suspended.',
  'person.no-address': 'This person has no address to which a mail could go.',
  'person.no-password': 'This person has no password.',
  'person.erasure-requested': 'You have asked for this erasure. Another operator has to confirm it.',
  'person.appointed-lately':
    'You were appointed too lately to be one of two: a day must pass, and the request must be later.',
  'person.no-erasure': 'No erasure of this person waits.',
  'person.no-reset': 'No reset of the second factors of this person waits.',
  'mail.not-resendable': 'This mail cannot be sent again: it waits, has expired or was withdrawn.',
  'mail.link-void': 'The link or code of this mail was used or replaced. A new mail has to be asked for.',
  'mail.resent-enough': 'Five mails of this kind went to this person within an hour. Wait.',
  'job.running': 'The job is running. Wait for the end of this attempt.',
  'job.not-failed': 'The job has not failed. It runs when its time has come.',
  'impersonation.ended': 'The impersonation has ended already.',
  'scope.impersonation': 'Acting as a person',
  'scope.impersonation.start': 'Act as a person',
  'scope.impersonation.end': 'End acting as a person',
  'scope.import': 'Import',
  'scope.import.create': 'Import people of another system',
  'scope.job': 'Jobs',
  'scope.job.read': 'View queued jobs',
  'scope.job.retry': 'Run failed jobs again',
  'scope.operated-tenant': 'Organizations of the platform',
  'scope.operated-tenant.read': 'Find organizations, and see them',
  'scope.operated-tenant.export': 'Export what is kept about organizations',
  'scope.operated-tenant.limit': 'Change limits of organizations',
  'scope.operated-tenant.archive': 'Archive organizations',
  'scope.operated-tenant.restore': 'Restore archived organizations',
  'scope.platform-decision': 'Questions about access',
  'scope.platform-decision.read': 'Ask what anyone may do',
  'scope.platform-audit': 'Audit trail of the platform',
  'scope.platform-audit.read': 'View the audit trail of the platform',
  'scope.person': 'People',
  'scope.person.read': 'Find people, and see their accounts',
  'scope.person.suspend': 'Suspend accounts',
  'scope.person.restore': 'Restore suspended accounts',
  'scope.person.end-sessions': 'End sessions of people',
  'scope.person.send-password-reset': 'Send people the link to reset their password',
  'scope.person.require-new-password': 'Require new passwords',
  'scope.person.reset-authenticators': 'Reset second factors of people',
  'scope.person.export': 'Start exports of data, which people alone can read',
  'scope.person.erase': 'Erase accounts',
  'scope.person.keep': 'Withdraw requests to erase accounts',
  'scope.person.keep-authenticators': 'Cancel resets of second factors',
  'scope.person.resend-mail': 'Send mails to people again',
});

type OperatorMessages = typeof messages;

declare module '../platform/messages/index.js' {
  interface MessageIds extends OperatorMessages {}
}
