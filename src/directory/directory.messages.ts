import { declareMessages } from '../platform/messages/index.js';

const messages = declareMessages({
  'directory.exceeds-caller':
    'Groups of the directory give roles that you could not give. Ask a member who can.',
  'directory.exceeds-creator':
    'Groups of the directory give roles that the creator of the link could not give.',
  'directory.tokens-exceed':
    'Revoke these tokens and create new ones first, as their creators cannot give the roles: {tokens}.',
  'scope.directory': 'Directories',
  'scope.directory.read': 'View directories',
  'scope.directory.read.description': 'With the people that they sent, and the log of their calls.',
  'scope.directory.create': 'Create directories',
  'scope.directory.update': 'Change directories and the roles of their groups',
  'scope.directory.delete': 'Delete directories',
  'scope.directory-token': 'Tokens of directories',
  'scope.directory-token.create': 'Create tokens of directories',
  'scope.directory-token.revoke': 'Revoke tokens of directories',
});

type DirectoryMessages = typeof messages;

declare module '../platform/messages/index.js' {
  interface MessageIds extends DirectoryMessages {}
}
