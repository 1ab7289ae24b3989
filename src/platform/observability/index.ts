export { type Count, Metrics, type Timing } from './metrics.js';
export { ObservabilityModule } from './observability.module.js';
export { RequestLog } from './request-log.js';
export { nameRoute } from './route-of.js';
export { ServiceLogger } from './service-logger.js';
export { Tracing } from './tracing.js';
export { logUnhandledRejection } from './unhandled-rejections.js';
