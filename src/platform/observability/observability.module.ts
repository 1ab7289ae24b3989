import { Global, Module } from '@nestjs/common';
import { LoggingModule } from './logging.module.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';
import { ServiceLogger } from './service-logger.js';

@Global()
@Module({
  imports: [LoggingModule],
  controllers: [MetricsController],
  providers: [Metrics, ServiceLogger],
  exports: [Metrics, ServiceLogger],
})
export class ObservabilityModule {}
