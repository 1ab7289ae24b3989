import { declareMessages } from '../platform/messages/index.js';

const messages = declareMessages({
  'service-account.exceeds-caller':
    'The service account holds permissions that you do not hold yourself. Ask a member who holds them.',
  'service-account.disabled-already': 'The service account is disabled already.',
  'service-account.not-disabled': 'The service account is not disabled.',
  'personal-key.forbidden': 'This organization does not allow keys of members. Ask for a service account.',
  'scope.key-policy': 'Key policy',
  'scope.key-policy.read': 'View the key policy',
  'scope.key-policy.update': 'Change the key policy',
  'scope.key-policy.update.description':
    'Limit the lifetime of keys, and whether members have keys of their own.',
  'scope.service-account': 'Service accounts',
  'scope.service-account.read': 'View service accounts',
  'scope.service-account.create': 'Create service accounts',
  'scope.service-account.create.description':
    'Add members that are programs, with roles up to the permissions that one holds oneself.',
  'scope.service-account.update': 'Change service accounts',
  'scope.service-account.delete': 'Delete service accounts',
  'scope.service-account.disable': 'Disable service accounts',
  'scope.service-account.disable.description': 'Refuse their keys without deleting them.',
  'scope.service-account.enable': 'Enable service accounts',
  'mail.platform-key-expiring.subject': 'A key of the platform expires',
  'mail.platform-key-expiring.text':
    'The key “{name}” of a service account of the platform expires on {date}.',
  'mail.platform-key-expiring.replace':
    'Create a new one for the program that uses it, then revoke this one.',
  'mail.leaked-key.subject': 'A key was found in public',
  'mail.leaked-key.text': 'The key “{name}” was reported as found in public. It has been revoked.',
  'mail.leaked-key.replace':
    'Create a new one for the program that used it, and find out who may have read it.',
  'scope.trust-rule': 'Workloads',
  'scope.trust-rule.read': 'View trusted workloads',
  'scope.trust-rule.create': 'Trust workloads',
  'scope.trust-rule.delete': 'End the trust in workloads',
  'scope.api-key': 'API keys',
  'scope.api-key.read': 'View keys',
  'scope.api-key.create': 'Create keys',
  'scope.api-key.create.description': 'A key acts with the roles of its service account.',
  'scope.api-key.revoke': 'Revoke keys',
});

declare module '../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
