import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const JOB_HANDLER = 'gatehouse:job-handler';

export interface JobHandlerOptions {
  readonly task: string;
  /** Cron expression (UTC) for work that recurs by itself. */
  readonly schedule?: string;
}

/**
 * Marks a method that carries out a queued task. It takes the payload and an `AbortSignal`, and may be called again after a failure. The
 * signal aborts some seconds after the process was told to end: what waits for a server of others has to stop then.
 */
export function JobHandler(options: JobHandlerOptions): CustomDecorator {
  return SetMetadata(JOB_HANDLER, options);
}
