import { Module, type DynamicModule } from '@nestjs/common';
import {
  CARRIER_PORTAL,
  CarrierPortalProvider,
  type CarrierPortalSettings,
} from './carrier-portal.provider.js';

@Module({})
export class CarrierPortalModule {
  static for(settings: CarrierPortalSettings): DynamicModule {
    return {
      module: CarrierPortalModule,
      providers: [{ provide: CARRIER_PORTAL, useValue: settings }, CarrierPortalProvider],
    };
  }
}
