import { declareMessages } from 'gatehouse/messages';

const messages = declareMessages(
  {
    'shipment.dispatched': 'The shipment has been dispatched already.',
    'shipment.not-dispatched': 'Only a dispatched shipment can be delivered.',
    'shipment.group': 'Shipments',
    'shipment.read': 'View shipments',
    'shipment.create': 'Plan shipments',
    'shipment.dispatch': 'Dispatch shipments',
    'shipment.dispatch.description': 'Hand planned shipments to the carrier.',
    'shipment.deliver': 'Mark shipments as delivered',
  },
  {
    de: {
      'shipment.dispatched': 'Die Sendung ist bereits verschickt.',
      'shipment.not-dispatched': 'Nur eine verschickte Sendung kann zugestellt werden.',
      'shipment.group': 'Sendungen',
      'shipment.read': 'Sendungen ansehen',
      'shipment.create': 'Sendungen planen',
      'shipment.dispatch': 'Sendungen verschicken',
      'shipment.dispatch.description': 'Geplante Sendungen dem Transporteur übergeben.',
      'shipment.deliver': 'Sendungen als zugestellt melden',
    },
  },
);

declare module 'gatehouse/messages' {
  interface MessageIds extends Readonly<typeof messages> {}
}
