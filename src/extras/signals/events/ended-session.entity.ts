import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SessionId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../../platform/database/index.js';

/**
 * A session that has ended lately, with the clients that were signed in by it. Apart from the
 * session, which an erasure deletes while its access tokens are still accepted by other services.
 */
@Entity('signal_ended_sessions')
@Index('signal_ended_sessions_ended_idx', ['endedAt'])
export class EndedSessionEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly sessionId!: SessionId;

  @Column({ ...BYTEWISE_TEXT, array: true })
  readonly clientIds!: string[];

  @Column(CREATED_AT)
  readonly endedAt!: Date;
}
