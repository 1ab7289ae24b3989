import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SessionId, TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../platform/database/index.js';

/**
 * A one-time code by which a further client joins a session, by its hash (ADR 12, ADR 31). The
 * table is named for satellites, which had codes first.
 */
@Entity('satellite_codes')
@Index('satellite_codes_client_idx', ['clientId'])
@Index('satellite_codes_expiry_idx', ['expiresAt'])
@Index('satellite_codes_session_idx', ['sessionId'])
export class SessionCodeEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly codeHash!: Buffer;

  /** Null for the first-party client, which is not registered. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly clientId!: string | null;

  @Column(BYTEWISE_TEXT)
  readonly sessionId!: SessionId;

  @Column({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly tenantId!: TenantId | null;

  @Column({ type: 'text' })
  readonly redirectUri!: string;

  @Column(BYTEWISE_TEXT)
  readonly codeChallenge!: string;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly consumedAt!: Date | null;
}
