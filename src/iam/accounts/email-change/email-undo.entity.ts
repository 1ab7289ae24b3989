import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';

/** A former address of an account that its owner can restore, by the hash of the mailed token. */
@Entity('email_undos')
@Index('email_undos_account_idx', ['userId'])
@Index('email_undos_expiry_idx', ['expiresAt'])
export class EmailUndoEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly tokenHash!: Buffer;

  @Column({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @Column({ type: 'text' })
  readonly email!: string;

  @Column(BYTEWISE_TEXT)
  readonly emailKey!: string;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}
