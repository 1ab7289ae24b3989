import { ROLE_KEYS } from '../../../iam/index.js';
import { Input, PartialType, textField } from '../../../platform/api/index.js';
import { ACCOUNT_NAME, ACCOUNT_STATUS, CONTACT, DESCRIPTION } from '../../machine.fields.js';
import type { ServiceAccountStatus } from '../service-account.entity.js';

export class CreateServiceAccountDto {
  @Input(ACCOUNT_NAME)
  name: string;

  @Input(DESCRIPTION, { optional: true, nullable: true })
  description?: string | null;

  @Input(CONTACT, { optional: true, nullable: true })
  contact?: string | null;

  @Input(ROLE_KEYS)
  roles: string[];
}

export class UpdateServiceAccountDto extends PartialType(CreateServiceAccountDto) {}

/** Query of the list, in addition to the page's. */
export class ServiceAccountsQuery {
  @Input(
    textField({
      max: 100,
      description: 'Any part of the name, without regard to case and accents.',
      example: 'ware',
    }),
    { optional: true },
  )
  query?: string;

  @Input(ACCOUNT_STATUS, { optional: true })
  status?: ServiceAccountStatus;
}
