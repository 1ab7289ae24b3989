import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Verifier, type VerifierOptions } from '../verifier/index.js';
import { GatehouseGuard } from './gatehouse.guard.js';

/**
 * Guards all routes of a NestJS application in another process than Gatehouse: each requires an
 * access token unless it is `@Public`.
 */
@Module({})
export class GatehouseModule {
  static forRoot(options: VerifierOptions): DynamicModule {
    return {
      module: GatehouseModule,
      global: true,
      providers: [
        { provide: Verifier, useFactory: () => new Verifier(options) },
        { provide: APP_GUARD, useClass: GatehouseGuard },
      ],
      exports: [Verifier],
    };
  }
}
