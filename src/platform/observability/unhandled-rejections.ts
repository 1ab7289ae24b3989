import { Logger } from '@nestjs/common';
import { describeCause } from '../errors/index.js';

/**
 * Logs a rejected promise without a handler. The process goes on, as it serves all organizations:
 * what one of them caused must not end the requests of the others, and a restart would meet the
 * same cause again. The work of the promise has ended, and its transaction was rolled back. An
 * uncaught exception ends the process, as it can leave work half done.
 */
export function logUnhandledRejection(error: unknown): void {
  new Logger('Process').error(
    { cause: describeCause(error) },
    'A promise failed without a handler. The service goes on. Please report this as a fault.',
  );
}
