import { QueryFailedError } from 'typeorm';

/** Returns whether a statement failed because a row with the same key exists (SQLSTATE 23505). */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof QueryFailedError && (error.driverError as { code?: string }).code === '23505';
}
