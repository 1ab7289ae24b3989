import { Global, Module } from '@nestjs/common';
import { type Settings, SETTINGS } from '../config/index.js';
import { LoggingModule } from './logging.module.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';
import { RequestLog } from './request-log.js';
import { ServiceLogger } from './service-logger.js';
import { Tracing } from './tracing.js';

/**
 * Loads OpenTelemetry only if it is configured: it takes longer to load than the rest of this
 * module.
 */
const tracing = {
  provide: Tracing,
  inject: [SETTINGS],
  useFactory: async ({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_TRACES_SAMPLER_ARG: ratio,
  }: Settings): Promise<Tracing> => {
    if (endpoint === undefined) return new Tracing();
    const { OpenTelemetry } = await import('./open-telemetry.js');
    return new OpenTelemetry(endpoint, ratio);
  },
};

@Global()
@Module({
  imports: [LoggingModule],
  controllers: [MetricsController],
  providers: [Metrics, RequestLog, ServiceLogger, tracing],
  exports: [Metrics, RequestLog, ServiceLogger, Tracing],
})
export class ObservabilityModule {}
