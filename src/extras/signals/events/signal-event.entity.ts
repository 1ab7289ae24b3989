import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, CREATED_AT } from '../../../platform/database/index.js';

/** A security event that waits in a stream until its receiver has acknowledged it. */
@Entity('signal_events')
@Index('signal_events_stream_idx', ['streamId', 'id'])
@Index('signal_events_created_idx', ['createdAt'])
export class SignalEventEntity {
  /** `jti` of its token. */
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(BYTEWISE_TEXT)
  readonly streamId!: string;

  /** URI of the type of event. */
  @Column(BYTEWISE_TEXT)
  readonly type!: string;

  /** `sub` by which the client knows the person; null for none. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly subject!: string | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly sessionId!: string | null;

  /** Claims of the event. Never personal data. */
  @Column({ type: 'jsonb' })
  readonly details!: Readonly<Record<string, unknown>>;

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}
