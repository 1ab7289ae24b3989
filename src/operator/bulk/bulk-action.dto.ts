import { ULID_PATTERN } from '../../kernel/index.js';
import { Input, listField, ulidField } from '../../platform/api/index.js';

const MAX_PEOPLE = 1_000;

/** People whom an action is for: one of the fields. */
export class BulkPeopleDto {
  @Input(
    listField({
      min: 1,
      max: MAX_PEOPLE,
      pattern: new RegExp(ULID_PATTERN),
      message: 'must be the id of a person',
      itemMax: 26,
      example: ['01K3V9D7Q8Z4X5N6M7P8R9S0T1'],
      description: 'These people.',
    }),
    { optional: true },
  )
  userIds?: string[];

  @Input(
    ulidField({
      description: 'All members of this organization.',
      example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3',
    }),
    { optional: true },
  )
  tenantId?: string;
}
