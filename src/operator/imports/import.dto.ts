import type { ImportReport } from '../../iam/index.js';
import { integerField, objectListField, Output, toResponse } from '../../platform/api/index.js';
import { countField, OPERATOR_NAME } from '../operator.fields.js';
import type { ImportRun } from './import-run.repository.js';
import { MAX_FILE_NAME, MAX_LISTED } from './import-runs.service.js';

const MAX_LINES = 1_048_576;
const MAX_ERRORS = 10_000;
const countOf = (description: string) =>
  integerField({ min: 0, max: MAX_LINES, description, example: 1_200 });

export class ImportErrorResponse {
  @Output.integer({ min: 1, max: MAX_LINES, description: 'Line of the request.', example: 17 })
  line: number;
  @Output.text({ max: 500, example: 'the address has an account already' })
  reason: string;
}

/** What an import has done. */
export class ImportResponse {
  @Output(countOf('Accounts that were created, or with `dryRun` would be.'))
  imported: number;
  @Output(countOf('People who were invited, or with `dryRun` would be. Left out without `invite`.'), {
    required: false,
  })
  invited?: number;
  @Output(
    countOf('Lines whose person was imported before; with `invite` also who is a member or invited already.'),
  )
  unchanged: number;
  @Output(countOf('Lines that failed.'))
  failed: number;
  @Output(objectListField(() => ImportErrorResponse, MAX_ERRORS), {
    description: 'The first 10,000 lines that failed.',
  })
  errors: ImportErrorResponse[];

  static from(report: ImportReport): ImportResponse {
    return toResponse(ImportResponse, report);
  }
}

/** An import of a file. */
export class ImportRunResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @Output.text({ max: MAX_FILE_NAME, example: 'people.csv' })
  fileName: string;
  @Output.ulid({
    nullable: true,
    description: 'null for the command line.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
  })
  operatorId: string | null;
  @Output(OPERATOR_NAME, { nullable: true })
  operatorName: string | null;
  @Output(countField('Accounts that were created.', 1_200))
  imported: number;
  @Output(countField('People who were invited.', 1_200))
  invited: number;
  @Output(countField('Lines whose person was imported before.', 1_200))
  unchanged: number;
  @Output(countField('Lines that failed.', 1_200))
  failed: number;
  @Output.time()
  createdAt: string;
  @Output.time({ description: 'Time of the last part.' })
  updatedAt: string;

  static from(run: ImportRun): ImportRunResponse {
    return toResponse(ImportRunResponse, run);
  }
}

export class ImportRunsResponse {
  @Output(objectListField(() => ImportRunResponse, MAX_LISTED))
  items: ImportRunResponse[];
}
