import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SessionId, TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../platform/database/index.js';

/** A one-time code for a satellite, by its hash (ADR 12). */
@Entity('satellite_codes')
@Index('satellite_codes_client_idx', ['clientId'])
@Index('satellite_codes_expiry_idx', ['expiresAt'])
@Index('satellite_codes_session_idx', ['sessionId'])
export class SatelliteCodeEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly codeHash!: Buffer;

  @Column(BYTEWISE_TEXT)
  readonly clientId!: string;

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
