import { ROLE_KEYS } from '../../iam/index.js';
import { Output, timeField } from '../../platform/api/index.js';
import { ACCOUNT_ID, ACCOUNT_NAME, ACCOUNT_STATUS, CONTACT, DESCRIPTION } from '../machine.fields.js';
import type { ServiceAccount } from './service-account.repository.js';

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
  @Output(timeField())
  createdAt: string;
  @Output(timeField({ description: 'Last use of one of its credentials, to the hour.' }), { nullable: true })
  lastUsedAt: string | null;

  static from(account: ServiceAccount): ServiceAccountResponse {
    const { id, name, description, contact, status, roles, createdAt, lastUsedAt } = account;
    return {
      id,
      name,
      description,
      contact,
      status,
      roles,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    };
  }
}
