import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TRANSACTION_ID } from '../database/index.js';

/** An emitted event, as its command wrote it (ADR 39). Partitioned by month. */
@Entity('events')
@Index('events_order_idx', ['xid', 'seq'])
export class EventEntity {
  @PrimaryColumn(CREATED_AT)
  readonly createdAt!: Date;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  /** Orders the events of one transaction. */
  @Column({ type: 'bigint', default: () => "nextval('events_seq'::regclass)" })
  readonly seq!: string;

  /** Transaction of the command. */
  @Column(TRANSACTION_ID)
  readonly xid!: string;

  @Column(BYTEWISE_TEXT)
  readonly type!: string;

  /** Organizations that it concerns. */
  @Column({ ...BYTEWISE_TEXT, array: true })
  readonly tenantIds!: TenantId[];

  /** `<module>/<collection>/<id>` of what it happened to. */
  @Column(BYTEWISE_TEXT)
  readonly subject!: string;

  /** Person who caused it; null for the service itself. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly actorId!: UserId | null;

  /** Ids and changed fields: no personal data. */
  @Column({ type: 'jsonb' })
  readonly data!: Readonly<Record<string, unknown>>;
}
