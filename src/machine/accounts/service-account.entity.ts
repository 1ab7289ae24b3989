import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** State of a service account. `disabled`: its credentials are refused. */
export const SERVICE_ACCOUNT_STATUSES = ['active', 'disabled'] as const;
export type ServiceAccountStatus = (typeof SERVICE_ACCOUNT_STATUSES)[number];

/** A member of an organization that is no person. */
@Entity('service_accounts')
@Unique('service_accounts_id_unique', ['id'])
export class ServiceAccountEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** Unique by itself: tokens and caches name only the account. */
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ type: 'text' })
  readonly name!: string;

  @Column({ type: 'text', nullable: true })
  readonly description!: string | null;

  /** Whom to ask about it. */
  @Column({ type: 'text', nullable: true })
  readonly contact!: string | null;

  @Column({ ...BYTEWISE_TEXT, default: () => "'active'::text" })
  readonly status!: ServiceAccountStatus;

  @Column(BYTEWISE_TEXT)
  readonly createdBy!: UserId;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  /** Written at most once an hour; each key has the minute. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly lastUsedAt!: Date | null;
}

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
