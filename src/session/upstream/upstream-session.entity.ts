import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SessionId } from '../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';

/** What the provider of a connection calls the sign-in of a session (ADR 34). */
@Entity('upstream_sessions')
@Index('upstream_sessions_subject_idx', ['connectionId', 'nameIdHash'])
@Index('upstream_sessions_sid_idx', ['connectionId', 'oidcSid'])
export class UpstreamSessionEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly sessionId!: SessionId;

  @Column(BYTEWISE_TEXT)
  readonly connectionId!: string;

  /** Hash of connection and subject, under a key. */
  @Column({ type: 'bytea' })
  readonly nameIdHash!: Buffer;

  /** Hash of the SessionIndex. */
  @Column({ type: 'bytea', nullable: true })
  readonly sessionIndex!: Buffer | null;

  /** Hash of the `sid`. */
  @Column({ type: 'bytea', nullable: true })
  readonly oidcSid!: Buffer | null;

  /** The values, sealed. */
  @Column({ type: 'text' })
  readonly sealed!: string;
}
