import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SessionId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** A browser or app in which a person need not enter the second factor for a while. */
@Entity('trusted_devices')
@Index('trusted_devices_expiry_idx', ['expiresAt'])
export class TrustedDeviceEntity {
  @PrimaryColumn({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ type: 'bytea' })
  readonly secretHash!: Buffer;

  @Column({ type: 'text', nullable: true })
  readonly userAgent!: string | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column(CREATED_AT)
  readonly lastUsedAt!: Date;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  /** Session in which it was made. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly sessionId!: SessionId | null;
}
