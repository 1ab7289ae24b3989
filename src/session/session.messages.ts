import { declareMessages } from '../platform/messages/index.js';

const messages = declareMessages({
  'session.ended': 'The session has ended already.',
});

type SessionMessages = typeof messages;

declare module '../platform/messages/index.js' {
  interface MessageIds extends SessionMessages {}
}
