import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JobMetrics } from './job-metrics.js';
import { JobPresence } from './job-presence.js';
import { JobQueue } from './job-queue.js';
import { JobWorker } from './job-worker.js';
import { JobRunnerEntity } from './job-runner.entity.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([JobRunnerEntity])],
  providers: [JobMetrics, JobPresence, JobQueue, JobWorker],
  exports: [JobMetrics, JobQueue],
})
export class JobsModule {}
