import { Module, type DynamicModule } from '@nestjs/common';
import { OLD_SHOP, OldShopDirectory, type OldShopSettings } from './old-shop.directory.js';

@Module({})
export class OldShopModule {
  static for(settings: OldShopSettings): DynamicModule {
    return {
      module: OldShopModule,
      providers: [{ provide: OLD_SHOP, useValue: settings }, OldShopDirectory],
    };
  }
}
