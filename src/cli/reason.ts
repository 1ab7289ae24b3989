import { AppError } from '../platform/errors/index.js';

/** Returns what the command line says of the error that a command has thrown. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : 'failed';
  const violations = error.violations?.map(({ propertyPath, message }) => `${propertyPath} ${message}`);
  return violations?.join('\n') ?? error.detail;
}
