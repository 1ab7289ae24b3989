import { declareMessages } from '../../platform/messages/index.js';

const messages = declareMessages({
  'operator.exists': 'This person is an operator already. Change what the operator may do instead.',
  'operator.last-admin':
    'The last admin without restrictions stays so. Make another person such an admin first.',
  'scope.operator': 'Operators',
  'scope.operator.read': 'View operators',
  'scope.operator.create': 'Make people operators',
  'operator.scope-not-of-role': 'The role does not have this permission.',
  'operator.scope-of-whole-admins': 'Only admins without restrictions have this permission.',
  'scope.operator.update': 'Change what operators may do',
  'scope.operator.remove': 'Remove operators',
});

declare module '../../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
