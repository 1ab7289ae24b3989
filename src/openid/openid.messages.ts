import { declareMessages } from '../platform/messages/index.js';

const messages = declareMessages({
  'device.wrong-code': 'This code is unknown, used or expired. Check the screen of the device.',
});

type OpenIdMessages = typeof messages;

declare module '../platform/messages/index.js' {
  interface MessageIds extends OpenIdMessages {}
}
