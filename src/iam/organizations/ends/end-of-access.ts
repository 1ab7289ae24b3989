import { AppError } from '../../../platform/errors/index.js';
import '../organization.messages.js';

/**
 * Reads when access is to end.
 * @param until null and undefined stay as they are
 * @param field of the request
 * @throws {AppError} validation-error on the field for a time in the past
 */
export function toEnd<None extends null | undefined>(until: string | None, field = 'until'): Date | None {
  if (typeof until !== 'string') return until;
  const end = new Date(until);
  if (end.getTime() <= Date.now()) throw AppError.violation(field, { id: 'assignment.past' });
  return end;
}
