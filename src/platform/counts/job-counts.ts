import { Injectable } from '@nestjs/common';
import { JobMetrics, JOB_OUTCOMES } from '../jobs/index.js';
import { Counts } from './counts.js';

/** Counts the attempts of jobs. The queue is below the counts, which have jobs themselves. */
@Injectable()
export class JobCounts {
  constructor(counts: Counts, jobs: JobMetrics) {
    const ends = counts.tally({ name: 'job', values: JOB_OUTCOMES });
    jobs.listen((outcome) => ends.count(outcome));
  }
}
