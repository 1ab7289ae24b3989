import { Module, type DynamicModule } from '@nestjs/common';
import {
  CARRIER_PORTAL,
  CarrierPortalStrategy,
  type CarrierPortalSettings,
} from './carrier-portal.strategy.js';

@Module({})
export class CarrierPortalModule {
  static for(settings: CarrierPortalSettings): DynamicModule {
    return {
      module: CarrierPortalModule,
      providers: [{ provide: CARRIER_PORTAL, useValue: settings }, CarrierPortalStrategy],
    };
  }
}
