import { declareMessages } from '../messages/index.js';

/** Texts of every mail. */
const messages = declareMessages({
  'mail.copy-address': 'Or copy this address:',
});

declare module '../messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
