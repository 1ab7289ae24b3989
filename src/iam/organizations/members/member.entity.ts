import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';

/** Membership of an account in a tenant. */
@Entity('members')
@Index('members_user_idx', ['userId', 'tenantId'])
export class MemberEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly userId!: UserId;

  @Column({ ...TIMESTAMP, default: () => 'clock_timestamp()' })
  readonly joinedAt!: Date;
}
