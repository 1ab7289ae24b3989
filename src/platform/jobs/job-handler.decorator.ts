import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const JOB_HANDLER = 'gatehouse:job-handler';

export interface JobHandlerOptions {
  readonly task: string;
  /** Cron expression (UTC) for work that recurs by itself. */
  readonly schedule?: string;
}

/** Marks a method that carries out a queued task; it takes the payload and may be called again after a failure. */
export function JobHandler(options: JobHandlerOptions): CustomDecorator {
  return SetMetadata(JOB_HANDLER, options);
}
