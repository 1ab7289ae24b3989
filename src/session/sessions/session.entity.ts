import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Acr, SessionId, TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';
import type { ProvenBy } from '../evidence/evidence.js';

/** A session: one sign-in of an account in one browser or app. */
@Entity('sessions')
@Index('sessions_account_idx', ['userId', 'id'])
@Index('sessions_expiry_idx', ['expiresAt'])
export class SessionEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: SessionId;

  @Column({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @Column({ type: 'text', array: true })
  readonly amr!: string[];

  @Column({ type: 'text', nullable: true })
  readonly ipAddress!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly userAgent!: string | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly endedAt!: Date | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly confirmedAt!: Date | null;

  /** Time of the last proof of two factors, or by passkey; null without one. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly aal2At!: Date | null;

  /** Time of the last proof by passkey; null without one. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly phrAt!: Date | null;

  @Column({ type: 'boolean', default: false })
  readonly trustedDevice!: boolean;

  /** Organizations whose connections have vouched for the person. */
  @Column({ ...BYTEWISE_TEXT, array: true, name: 'vouched_by', default: () => "'{}'" })
  readonly assuredBy!: TenantId[];

  /** Whether the connection that vouched proved two factors, and its organization trusts it. */
  @Column({ type: 'boolean', name: 'vouched_factor', default: false })
  readonly assuredFactor!: boolean;

  /**
   * Whether the person has proven who they are by something of their own. A session for which a
   * connection has vouched belongs to the connection's organization until then (ADR 49).
   */
  @Column({ type: 'boolean', default: false })
  readonly ownProof!: boolean;
}

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
