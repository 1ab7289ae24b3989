import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { SessionId, TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** A passkey: a discoverable WebAuthn credential. */
@Entity('passkeys')
@Unique('passkeys_credential_key', ['credentialId'])
export class PasskeyEntity {
  @PrimaryColumn({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ type: 'text' })
  readonly name!: string;

  @Column({ type: 'bytea' })
  readonly credentialId!: Buffer;

  /** COSE key (RFC 9052 section 7). */
  @Column({ type: 'bytea' })
  readonly publicKey!: Buffer;

  @Column({ type: 'bigint' })
  readonly signCount!: string;

  /** Whether it can be synced to other devices; it never changes. */
  @Column({ type: 'boolean' })
  readonly backupEligible!: boolean;

  @Column({ type: 'boolean' })
  readonly backedUp!: boolean;

  @Column({ type: 'text', array: true })
  readonly transports!: string[];

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly lastUsedAt!: Date | null;

  /**
   * Organization whose connection had vouched, and nothing else, for the person when it was added:
   * it counts there only, until they confirm it (ADR 49). Null for the person's own.
   */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly assuredBy!: TenantId | null;

  /** Session in which it was added; null for an import. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly sessionId!: SessionId | null;
}

/** Random user handle of an account: passkeys must not hold its id (WebAuthn section 14.6.1). */
@Entity('passkey_users')
@Unique('passkey_users_handle_key', ['handle'])
export class PasskeyUserEntity {
  @PrimaryColumn({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @Column({ type: 'bytea' })
  readonly handle!: Buffer;
}

/** A finished ceremony, which cannot be finished again. */
@Entity('spent_ceremonies')
@Index('spent_ceremonies_expiry_idx', ['expiresAt'])
export class SpentCeremonyEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly flowId!: Buffer;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}
