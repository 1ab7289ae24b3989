import { Output, ulidField } from 'gatehouse/api';
import { EventType } from 'gatehouse/events';

/** Data of the event. */
@EventType('logistics.shipment.dispatched', {
  description: 'A shipment was handed to the carrier.',
  readScope: 'logistics:shipment:read',
})
export class ShipmentDispatched {
  @Output(ulidField({ description: 'The shipment.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' }))
  shipmentId: string;
}
