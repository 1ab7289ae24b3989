import { declareMessages } from '../platform/messages/index.js';

/** Texts that the server writes into pages of the portal, in place of those of its index.html. */
const messages = declareMessages({
  'portal.description': 'Your account, your organizations and your sessions.',
  'portal.no-script':
    'This page needs JavaScript. Please allow it for this address, then load the page again.',
});

declare module '../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
