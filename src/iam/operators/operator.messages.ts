import { declareMessages } from '../../platform/messages/index.js';

const messages = declareMessages({
  'operator.exists': 'This person is an operator already. To change the role, remove the operator first.',
  'operator.last-admin': 'The last admin cannot be removed. Make another person an admin first.',
  'scope.operator': 'Operators',
  'scope.operator.read': 'View operators',
  'scope.operator.create': 'Make people operators',
  'scope.operator.remove': 'Remove operators',
});

type OperatorMessages = typeof messages;

declare module '../../platform/messages/index.js' {
  interface MessageIds extends OperatorMessages {}
}
