import { declareMessages } from '../platform/messages/index.js';

const messages = declareMessages({
  'satellite.disabled': 'The satellite is disabled already.',
  'satellite.not-disabled': 'The satellite is not disabled.',
});

type SatelliteMessages = typeof messages;

declare module '../platform/messages/index.js' {
  interface MessageIds extends SatelliteMessages {}
}
