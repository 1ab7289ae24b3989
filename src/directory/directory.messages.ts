import { declareMessages } from '../platform/messages/index.js';

const messages = declareMessages({
  'directory.exceeds-caller':
    'Groups of the directory give roles that you could not give. Ask a member who can.',
  'directory.exceeds-creator':
    'Groups of the directory give roles that the creator of the link could not give.',
  'directory.tokens-exceed':
    'Revoke these tokens and create new ones first, as their creators cannot give the roles: {tokens}.',
  'directory.token-stopped':
    'The member who created this token has left, is suspended, or could not create it any more. Create a new token of the directory, and enter it at the identity provider.',
  'mail.directory-token-stopped.subject': 'A directory cannot send changes any more',
  'mail.directory-token-stopped.text':
    'A token of a directory of {organization} is refused: the member who created it has left, is suspended, or could not create it any more.',
  'mail.directory-token-stopped.replace':
    'Create a new token on the page of the directory, and enter it at your identity provider. Until then, people whom you deactivate there keep their access here.',
  'scope.directory': 'Directories',
  'scope.directory.read': 'View directories',
  'scope.directory.read.description': 'With the people that they sent, and the log of their calls.',
  'scope.directory.create': 'Create directories',
  'scope.directory.update': 'Change directories and the roles of their groups',
  'scope.directory.delete': 'Delete directories',
  'scope.directory-token': 'Directory tokens',
  'scope.directory-token.create': 'Create tokens of directories',
  'scope.directory-token.revoke': 'Revoke tokens of directories',
});

declare module '../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
