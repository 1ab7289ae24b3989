import { declareMessages } from '../platform/messages/index.js';

const messages = declareMessages({
  'satellite.disabled': 'The satellite is disabled already.',
  'satellite.not-disabled': 'The satellite is not disabled.',
  'satellite.public': 'This client has no secret.',
  'client.exceeds-caller':
    'The app has permissions that you do not hold yourself. Ask a member who holds them.',
  'scope.satellite': 'Satellites',
  'scope.satellite.read': 'View satellites',
  'scope.satellite.create': 'Register satellites',
  'scope.satellite.update': 'Change satellites',
  'scope.satellite.rotate-secret': 'Rotate secrets of satellites',
  'scope.satellite.disable': 'Disable satellites',
  'scope.satellite.enable': 'Enable satellites',
  'scope.client': 'Apps',
  'scope.client.read': 'View the apps that members sign in to',
  'scope.client.create': 'Register apps for members',
  'scope.client.update': 'Change apps of members',
  'scope.client.rotate-secret': 'Rotate secrets of apps',
  'scope.client.delete': 'Delete apps of members',
  'scope.api': 'APIs',
  'scope.api.read': 'View APIs that accept tokens',
  'scope.api.create': 'Register APIs',
  'scope.api.update': 'Change APIs and their credentials',
  'scope.api.delete': 'Delete APIs',
  'satellite.client-id-taken': 'A satellite with the client id {clientId} already exists.',
});

declare module '../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
