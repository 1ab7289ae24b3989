export { LoggingModule } from './logging.module.js';
export { MetricsController } from './metrics.controller.js';
