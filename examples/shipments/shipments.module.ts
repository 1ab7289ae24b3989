import { Module } from '@nestjs/common';
import { ShipmentController } from './shipment.controller.js';
import { ShipmentPolicy } from './shipment.policy.js';

@Module({ controllers: [ShipmentController], providers: [ShipmentPolicy] })
export class ShipmentsModule {}
