import { declareMessages } from '../../platform/messages/index.js';

const messages = declareMessages({
  'scope.permission': 'Permissions of other services',
  'scope.permission.read': 'View the permissions of other services',
  'scope.permission.register': 'Register permissions of other services',
  'scope.permission.remove': 'Remove permissions of other services',
  'permission.module-declared': 'This name is taken by a module of the service. Choose another one.',
  'permission.not-registered': 'No permissions are registered under this name.',
  'permission.too-many-modules': 'There are {max} modules already. Remove one first.',
  'permission.of-other-module': 'must begin with {module}:',
  'permission.twice': 'is in the list already',
});

declare module '../../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
