import { Module } from '@nestjs/common';
import { ShipmentController } from './shipment.controller.js';
import { ShipmentPolicy } from './shipment.policy.js';
import { ShipmentRepository } from './shipment.repository.js';
import { ShipmentsController } from './shipments.controller.js';
import { ShipmentsDeletion } from './shipments.deletion.js';

@Module({
  controllers: [ShipmentController, ShipmentsController],
  providers: [ShipmentPolicy, ShipmentRepository, ShipmentsDeletion],
})
export class ShipmentsModule {}
