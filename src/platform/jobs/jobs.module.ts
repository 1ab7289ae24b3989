import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { JobQueue } from './job-queue.js';
import { JobWorker } from './job-worker.js';

@Global()
@Module({ imports: [DiscoveryModule], providers: [JobQueue, JobWorker], exports: [JobQueue] })
export class JobsModule {}
