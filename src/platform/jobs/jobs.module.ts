import { Global, Module } from '@nestjs/common';
import { JobMetrics } from './job-metrics.js';
import { JobQueue } from './job-queue.js';
import { JobWorker } from './job-worker.js';

@Global()
@Module({ providers: [JobMetrics, JobQueue, JobWorker], exports: [JobQueue] })
export class JobsModule {}
