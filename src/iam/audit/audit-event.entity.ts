import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';

/** An event of the audit trail. Append-only: a trigger refuses changes. Ids are surrogates. */
@Entity('audit_events')
@Index('audit_events_account_idx', ['actorId', 'id'])
export class AuditEventEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly actorId!: UserId;

  @Column({ type: 'text' })
  readonly action!: string;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly tenantId!: TenantId | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly subject!: string | null;
}
