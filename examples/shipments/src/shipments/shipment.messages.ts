import { declareMessages } from 'gatehouse/messages';

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

declare module 'gatehouse/messages' {
  interface MessageIds extends ShipmentMessages {}
}
