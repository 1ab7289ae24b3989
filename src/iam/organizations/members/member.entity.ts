import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';

/** Membership of an account in a tenant. */
@Entity('members')
@Index('members_user_idx', ['userId', 'tenantId'])
@Index('members_name_idx', ['tenantId', 'nameKey', 'userId'])
@Index('members_address_idx', ['tenantId', 'addressKey', 'userId'])
@Index('members_joined_idx', ['tenantId', 'joinedAt', 'userId'])
export class MemberEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly userId!: UserId;

  @Column({ ...TIMESTAMP, default: () => 'clock_timestamp()' })
  readonly joinedAt!: Date;

  /** First name or else address, as lists search it. Triggers copy it from the account (ADR 29). */
  @Column({ ...BYTEWISE_TEXT, default: () => "''::text" })
  readonly nameKey!: string;

  /** Address, as lists search it. */
  @Column({ ...BYTEWISE_TEXT, default: () => "''::text" })
  readonly addressKey!: string;
}
