import { Module } from '@nestjs/common';
import { ShipmentController } from './shipment.controller.js';
import { ShipmentPolicy } from './shipment.policy.js';
import { ShipmentsController } from './shipments.controller.js';

@Module({ controllers: [ShipmentController, ShipmentsController], providers: [ShipmentPolicy] })
export class ShipmentsModule {}
