import type { ImportReport } from '../../iam/index.js';
import { integerField, objectListField, Output, textField } from '../../platform/api/index.js';

const MAX_LINES = 1_048_576;
const MAX_ERRORS = 10_000;
const countOf = (description: string) =>
  integerField({ min: 0, max: MAX_LINES, description, example: 1_200 });

export class ImportErrorResponse {
  @Output(integerField({ min: 1, max: MAX_LINES, description: 'Line of the request.', example: 17 }))
  line: number;
  @Output(textField({ max: 500, example: 'the address has an account already' }))
  reason: string;
}

/** What an import has done. */
export class ImportResponse {
  @Output(countOf('Accounts that were created, or with `dryRun` would be.'))
  imported: number;
  @Output(countOf('Lines whose person was imported before.'))
  unchanged: number;
  @Output(countOf('Lines that failed.'))
  failed: number;
  @Output(objectListField(() => ImportErrorResponse, MAX_ERRORS), {
    description: 'The first 10,000 lines that failed.',
  })
  errors: ImportErrorResponse[];

  static from({ imported, unchanged, failed, errors }: ImportReport): ImportResponse {
    return { imported, unchanged, failed, errors: errors.map(({ line, reason }) => ({ line, reason })) };
  }
}
