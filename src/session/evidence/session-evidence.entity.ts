import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Acr, SessionId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';
import type { ProvenBy } from './evidence.js';

/** The newest proof of one kind in a session (ADR 34). */
@Entity('session_evidence')
export class SessionEvidenceEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly sessionId!: SessionId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly method!: ProvenBy;

  /** Connection of an external sign-in; empty for all other proofs. */
  @PrimaryColumn({ ...BYTEWISE_TEXT, default: () => "''::text" })
  readonly connectionId!: string;

  /** Strength that the proof gave the session. */
  @Column(BYTEWISE_TEXT)
  readonly acr!: Acr;

  @Column(CREATED_AT)
  readonly provenAt!: Date;
}
