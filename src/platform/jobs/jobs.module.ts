import { Global, Module } from '@nestjs/common';
import { JobPresence } from './job-presence.js';
import { JobQueue } from './job-queue.js';
import { JobWorker } from './job-worker.js';

@Global()
@Module({ providers: [JobQueue, JobPresence, JobWorker], exports: [JobQueue] })
export class JobsModule {}
