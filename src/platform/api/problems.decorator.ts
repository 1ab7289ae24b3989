import { SetMetadata, type CustomDecorator } from '@nestjs/common';
import type { ErrorCode } from '../errors/index.js';

export const PROBLEMS = 'gatehouse:problems';

/**
 * Names the errors that are this operation's own, for the documentation. Those that follow from the route itself (400, 401 with
 * `@Bearer()`, 404 with an id in the path, 413, 415, 429, 500, 503) are documented without it.
 */
export function Problems(...codes: ErrorCode[]): CustomDecorator {
  return SetMetadata(PROBLEMS, codes);
}
