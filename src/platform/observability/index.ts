export { nameRoute } from './route-of.js';
export { Metrics, type Count, type Timing } from './metrics.js';
export { ObservabilityModule } from './observability.module.js';
export { RequestLog } from './request-log.js';
export { ServiceLogger } from './service-logger.js';
export { Tracing } from './tracing.js';
