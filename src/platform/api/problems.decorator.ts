import type { CustomDecorator } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ErrorCode } from '../errors/index.js';

/** Metadata of {@link Problems}. */
export const ProblemsMark = Reflector.createDecorator<ErrorCode[]>();

/**
 * Declares the errors specific to an operation, for the API documentation. Errors that follow from
 * the route (400, 401 with `@Bearer()`, 404 with an id in the path, 413, 415, 429, 500, 503) are
 * added without it.
 */
export function Problems(...codes: ErrorCode[]): CustomDecorator {
  return ProblemsMark(codes);
}
