import { declareMessages } from '../../src/platform/messages/index.js';

const messages = declareMessages(
  {
    'shipment.dispatched': 'The shipment has been dispatched already.',
    'shipment.not-dispatched': 'Only a dispatched shipment can be delivered.',
  },
  {
    de: {
      'shipment.dispatched': 'Die Sendung ist bereits verschickt.',
      'shipment.not-dispatched': 'Nur eine verschickte Sendung kann zugestellt werden.',
    },
  },
);

type ShipmentMessages = typeof messages;

declare module '../../src/platform/messages/index.js' {
  interface MessageIds extends ShipmentMessages {}
}
