import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TRANSACTION_ID } from '../../platform/database/index.js';

/** An event of the audit trail. Append-only: a trigger refuses changes. Ids are surrogates. */
@Entity('audit_events')
@Index('audit_events_account_idx', ['actorId', 'id'])
@Index('audit_events_order_idx', ['xid', 'id'])
export class AuditEventEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  /** Person who did it, or whose account it was done to. */
  @Column({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly actorId!: UserId;

  /** Operator who did it as the person; null if the person did it. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly impersonatorId!: UserId | null;

  /** `<thing>.<what happened>`, such as `member.removed`. */
  @Column({ type: 'text' })
  readonly action!: string;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly tenantId!: TenantId | null;

  /** `<module>/<collection>/<id>` of what it happened to. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly subject!: string | null;

  /** Number of the case at support, for which an operator acted; null for none. */
  @Column({ type: 'text', nullable: true })
  readonly ticket!: string | null;

  /** Transaction that recorded it; 0 for events from before transactions were recorded. */
  @Column(TRANSACTION_ID)
  readonly xid!: string;
}
