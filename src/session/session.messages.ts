import { declareMessages } from '../platform/messages/index.js';

const messages = declareMessages({
  'session.ended': 'The session has ended already.',
  'scope.session': 'Sessions',
  'scope.session.end': 'End own sessions',
});

type SessionMessages = typeof messages;

declare module '../platform/messages/index.js' {
  interface MessageIds extends SessionMessages {}
}
