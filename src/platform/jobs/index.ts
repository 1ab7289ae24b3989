export { JobHandler } from './job-handler.decorator.js';
export { JOB_OUTCOMES, JobMetrics } from './job-metrics.js';
export { JobQueue } from './job-queue.js';
export { JobsModule } from './jobs.module.js';
