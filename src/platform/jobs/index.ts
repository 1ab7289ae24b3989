export { JobHandler } from './job-handler.decorator.js';
export { JobQueue } from './job-queue.js';
export { JobsModule } from './jobs.module.js';
