import { Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';

/** A role that a service account holds. */
@Entity('service_account_roles')
@Index('service_account_roles_role_idx', ['tenantId', 'roleId', 'accountId'])
export class ServiceAccountRoleEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly accountId!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly roleId!: string;
}
