import { SetMetadata, type CustomDecorator } from '@nestjs/common';
import type { ErrorCode } from '../errors/index.js';

export const PROBLEMS = 'gatehouse:problems';

/**
 * Declares the errors specific to an operation, for the API documentation. Errors that follow from
 * the route (400, 401 with `@Bearer()`, 404 with an id in the path, 413, 415, 429, 500, 503) are
 * added without it.
 */
export function Problems(...codes: ErrorCode[]): CustomDecorator {
  return SetMetadata(PROBLEMS, codes);
}
