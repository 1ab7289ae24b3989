import { declareMessages } from '../platform/messages/index.js';

const messages = declareMessages({
  'scope.overview': 'Overview',
  'scope.overview.read': 'View the overview',
  'scope.overview.read.description':
    'See how many people sign in and how, refusals, deliveries and what ends soon.',
  'scope.platform-overview': 'Overview of the platform',
  'scope.platform-overview.read': 'View the overview of the platform',
});

declare module '../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
