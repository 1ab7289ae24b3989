import { Global, Module } from '@nestjs/common';
import { LoggingModule } from './logging.module.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';
import { RequestLog } from './request-log.js';
import { ServiceLogger } from './service-logger.js';

@Global()
@Module({
  imports: [LoggingModule],
  controllers: [MetricsController],
  providers: [Metrics, RequestLog, ServiceLogger],
  exports: [Metrics, RequestLog, ServiceLogger],
})
export class ObservabilityModule {}
