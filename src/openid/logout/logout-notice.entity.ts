import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SessionId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';

/**
 * A logout token to send to a client. Names no person. Refers to neither client nor session by a
 * foreign key: it outlives the session, and is removed unsent if the client has gone.
 */
@Entity('logout_notices')
@Index('logout_notices_due_idx', ['clientId', 'dueAt'])
@Index('logout_notices_created_idx', ['createdAt'])
export class LogoutNoticeEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly clientId!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly sessionId!: SessionId;

  @Column({ type: 'int', default: 0 })
  readonly attempts!: number;

  /** Time from which on it may be claimed: of the next attempt, or the end of the lease. */
  @Column(CREATED_AT)
  readonly dueAt!: Date;

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}
