import { ROLE_KEYS } from '../../iam/index.js';
import { Input, Output, PartialType, toResponse } from '../../platform/api/index.js';
import { ACCOUNT_ID, ACCOUNT_NAME, ACCOUNT_STATUS, CONTACT, DESCRIPTION } from '../machine.declarations.js';
import type { ServiceAccount } from './service-account.repository.js';
import type { ServiceAccountStatus } from './service-account.entity.js';

export class ServiceAccountResponse {
  @Output(ACCOUNT_ID)
  id: string;
  @Output(ACCOUNT_NAME)
  name: string;
  @Output(DESCRIPTION, { nullable: true })
  description: string | null;
  @Output(CONTACT, { nullable: true })
  contact: string | null;
  @Output(ACCOUNT_STATUS)
  status: string;
  @Output(ROLE_KEYS)
  roles: string[];
  @Output.time()
  createdAt: string;
  @Output.time({ nullable: true, description: 'Last use of one of its credentials, to the hour.' })
  lastUsedAt: string | null;

  static from(account: ServiceAccount): ServiceAccountResponse {
    return toResponse(ServiceAccountResponse, account);
  }
}

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
  @Input.text({
    optional: true,
    max: 100,
    description: 'Any part of the name, without regard to case and accents.',
    example: 'ware',
  })
  query?: string;

  @Input(ACCOUNT_STATUS, { optional: true })
  status?: ServiceAccountStatus;
}
