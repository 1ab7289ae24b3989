import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';

/** A mailed link to set a new password, by the hash of its token (PW-6). */
@Entity('password_resets')
@Index('password_resets_account_idx', ['accountId'])
@Index('password_resets_expiry_idx', ['expiresAt'])
export class PasswordResetEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly tokenHash!: Buffer;

  @Column(BYTEWISE_TEXT)
  readonly accountId!: UserId;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}
