import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { SessionId, TenantId, UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';

/** The new address of an account that waits for its confirmation, with the hash of the token. */
@Entity('email_changes')
@Unique('email_changes_token_key', ['tokenHash'])
@Index('email_changes_expiry_idx', ['expiresAt'])
export class EmailChangeEntity {
  @PrimaryColumn({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @Column({ type: 'bytea' })
  readonly tokenHash!: Buffer;

  @Column({ type: 'text' })
  readonly email!: string;

  @Column(BYTEWISE_TEXT)
  readonly emailKey!: string;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  /**
   * Session that asked for it, with which it ends. It counts before {@link requestedBy}, which the
   * release before leaves as it was.
   */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly sessionId!: SessionId | null;

  /** Member who requested it, for a worker of {@link requestedIn}; null if its person did. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly requestedBy!: UserId | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly requestedIn!: TenantId | null;
}

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
