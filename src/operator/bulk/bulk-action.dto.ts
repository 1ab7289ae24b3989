import { Input, objectListField, Output, toResponse } from '../../platform/api/index.js';
import { countField, OPERATOR_NAME } from '../operator.fields.js';
import { BULK_KINDS, BULK_STATES, type BulkKind, type BulkState } from './bulk-action.entity.js';
import type { BulkAction } from './bulk-action.repository.js';
import { ULID_PATTERN } from '../../kernel/index.js';

export class StartedBulkActionResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
}

/** An action for many people, with its progress. */
export class BulkActionResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @Output.word(BULK_KINDS)
  kind: BulkKind;
  @Output.word(BULK_STATES, {
    description: '`stopped`: the operator lost the permission before the action had ended.',
  })
  state: BulkState;
  @Output.ulid({
    nullable: true,
    description: 'Organization whose members it is for; null for selected people.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3',
  })
  tenantId: string | null;
  @Output.text({
    nullable: true,
    max: 200,
    description: 'Name of the organization as it is now; null for selected people, or if it is gone.',
    example: 'Lovelace Logistics',
  })
  tenantName: string | null;
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  operatorId: string;
  @Output(OPERATOR_NAME, { nullable: true })
  operatorName: string | null;
  @Output(countField('People when it was started.', 1_200))
  total: number;
  @Output(countField('People for whom it was done.', 800))
  done: number;
  @Output(countField('People who are gone or operators, or who have no mail to send again.', 40))
  skipped: number;
  @Output(countField('People for whom it failed; the log of the service says why.', 0))
  failed: number;
  @Output.time()
  createdAt: string;
  @Output.time({ description: 'Time of the last person, or of the end.' })
  updatedAt: string;

  static from(action: BulkAction): BulkActionResponse {
    return toResponse(BulkActionResponse, action);
  }
}

/** Number of actions in the list. */
export const MAX_LISTED = 50;

export class BulkActionsResponse {
  @Output(objectListField(() => BulkActionResponse, MAX_LISTED))
  items: BulkActionResponse[];
}

const MAX_PEOPLE = 1_000;

/** People whom an action is for: one of the fields. */
export class BulkPeopleDto {
  @Input.list({
    optional: true,
    min: 1,
    max: MAX_PEOPLE,
    pattern: new RegExp(ULID_PATTERN),
    message: 'must be the id of a person',
    itemMax: 26,
    example: ['01K3V9D7Q8Z4X5N6M7P8R9S0T1'],
    description: 'These people.',
  })
  userIds?: string[];

  @Input.ulid({
    optional: true,
    description: 'All members of this organization.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3',
  })
  tenantId?: string;
}
