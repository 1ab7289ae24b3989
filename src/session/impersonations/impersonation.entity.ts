import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SessionId, TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** A session in which an operator acts as a person. It has the id of the session. */
@Entity('impersonations')
@Index('impersonations_account_idx', ['userId'])
@Index('impersonations_tenant_idx', ['tenantId'])
@Index('impersonations_expiry_idx', ['expiresAt'])
export class ImpersonationEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: SessionId;

  @Column({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @Column(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @Column(BYTEWISE_TEXT)
  readonly operatorId!: UserId;

  /** Session in which the operator started it, and with which it ends. */
  @Column(BYTEWISE_TEXT)
  readonly operatorSessionId!: SessionId;

  @Column({ type: 'text' })
  readonly reason!: string;

  /** Number of the case in the ticket system of support; null if the operator gave none. */
  @Column({ type: 'text', nullable: true })
  readonly ticket!: string | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly endedAt!: Date | null;
}
