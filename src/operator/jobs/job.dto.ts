import { Input, objectListField, Output, toResponse } from '../../platform/api/index.js';
import type { Job } from './job.repository.js';

/** Maximum number of jobs in one response. */
export const MAX_JOBS = 100;

export class JobResponse {
  @Output.text({ max: 18, pattern: '^[1-9]\\d*$', description: 'Number of the queue.', example: '4711' })
  id: string;
  @Output.text({ max: 128, example: 'mail.send' })
  task: string;
  @Output.integer({ min: 0, max: 32_767, description: 'Number of attempts so far.', example: 3 })
  attempts: number;
  @Output.integer({ min: 1, max: 32_767, description: 'The job is given up after these.', example: 25 })
  maxAttempts: number;
  @Output.text({
    nullable: true,
    max: 1_000,
    description: 'Name and code of the last error; null if no attempt has failed.',
    example: 'mail.send failed: Error ECONNREFUSED',
  })
  lastError: string | null;
  @Output.boolean({ description: 'Whether an attempt is running.', example: false })
  running: boolean;
  @Output.time()
  createdAt: string;
  @Output.time({ description: 'Time of the next attempt, unless the job was given up.' })
  runAt: string;

  static from(job: Job): JobResponse {
    return toResponse(JobResponse, { ...job, running: job.isRunning });
  }
}

export class JobsResponse {
  @Output(objectListField(() => JobResponse, MAX_JOBS))
  items: JobResponse[];
}

export class JobsQuery {
  @Input.word(['failed'], { optional: true, description: 'Lists only jobs whose last attempt failed.' })
  state?: 'failed';
}
