import { FIRST_NAME, LAST_NAME, ROLE_KEYS } from '../../../iam/index.js';
import { emailField, Input, PartialType, textField, integerField } from '../../../platform/api/index.js';
import { UNTIL, WORKER_NUMBER, WORKER_STATUS } from '../../frontline.fields.js';

export class CreateWorkerDto {
  @Input(WORKER_NUMBER)
  number: string;

  @Input(FIRST_NAME)
  firstName: string;

  @Input(LAST_NAME, { optional: true, nullable: true })
  lastName?: string | null;

  @Input(ROLE_KEYS)
  roles: string[];

  @Input(UNTIL, { optional: true, nullable: true })
  until?: string | null;
}

export class UpdateWorkerDto extends PartialType(CreateWorkerDto) {
  @Input(
    emailField({
      description: 'Address of the person. It is theirs once they have confirmed it by a mailed link.',
    }),
    { optional: true },
  )
  email?: string;
}

export class IssueBadgeDto {
  @Input(
    integerField({ min: 1, max: 395, description: 'Days until the badge ends. Default: 365.', example: 365 }),
    { optional: true },
  )
  expiresInDays?: number;
}

/** Query of the list, in addition to the page's. */
export class WorkersQuery {
  @Input(
    textField({
      max: 100,
      description: 'Any part of the number or the name, without regard to case and accents.',
      example: '47',
    }),
    { optional: true },
  )
  query?: string;

  @Input(WORKER_STATUS, { optional: true })
  status?: 'active' | 'suspended';
}
