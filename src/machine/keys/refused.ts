import { AppError } from '../../platform/errors/index.js';

/** Refusal of a key. Its cause is for the log: all refusals look alike to the caller. */
export const refused = (cause: string): AppError =>
  new AppError('unauthenticated', {
    detail: 'The key is not valid, has ended, or is not accepted from this network.',
    cause,
  });
