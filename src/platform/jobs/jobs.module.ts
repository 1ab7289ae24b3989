import { Global, Module } from '@nestjs/common';
import { JobMetrics } from './job-metrics.js';
import { JobPresence } from './job-presence.js';
import { JobQueue } from './job-queue.js';
import { JobWorker } from './job-worker.js';

@Global()
@Module({ providers: [JobMetrics, JobPresence, JobQueue, JobWorker], exports: [JobQueue] })
export class JobsModule {}
