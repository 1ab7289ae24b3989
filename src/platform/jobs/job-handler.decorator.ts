import { Reflector } from '@nestjs/core';

export interface JobHandlerOptions {
  readonly task: string;
  /** Cron expression (UTC) of a recurring task. */
  readonly schedule?: string;
}

/**
 * Marks a method that runs a queued task. It receives the payload and an `AbortSignal`, and may be
 * called again after a failure. The signal aborts some seconds after shutdown begins: requests to
 * other servers must stop then.
 */
export const JobHandler = Reflector.createDecorator<JobHandlerOptions>();
