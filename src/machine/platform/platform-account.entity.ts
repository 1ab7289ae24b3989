import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { OperatorRole, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** A program that operates the platform. It belongs to no organization. */
@Entity('platform_accounts')
export class PlatformAccountEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: UserId;

  @Column({ type: 'text' })
  readonly name!: string;

  /** What it holds: the scopes of an operator with this role that are open to programs. */
  @Column({ type: 'text' })
  readonly role!: OperatorRole;

  @Column({ ...BYTEWISE_TEXT, default: () => "'active'::text" })
  readonly status!: 'active' | 'disabled';

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}

/** API key of a service account of the platform. It always expires. */
@Entity('platform_keys')
@Unique('platform_keys_lookup_unique', ['lookup'])
@Index('platform_keys_account_idx', ['accountId', 'id'])
@Index('platform_keys_expiry_idx', ['expiresAt'])
export class PlatformKeyEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(BYTEWISE_TEXT)
  readonly accountId!: UserId;

  /** Public part, by which it is looked up. */
  @Column(BYTEWISE_TEXT)
  readonly lookup!: string;

  @Column({ type: 'text' })
  readonly name!: string;

  /** HMAC-SHA-256 of the key. */
  @Column({ type: 'bytea' })
  readonly secretHash!: Buffer;

  /** Restricts the role of the account; null for all that it gives. */
  @Column({ ...BYTEWISE_TEXT, array: true, nullable: true })
  readonly scopes!: string[] | null;

  /** Networks (CIDR) from which it is accepted; empty for any. */
  @Column({ ...BYTEWISE_TEXT, array: true, default: () => "'{}'" })
  readonly networks!: string[];

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  /** When the operators are warned of the expiry; null once they are. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly warnAt!: Date | null;

  /** Written at most once a minute. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly lastUsedAt!: Date | null;
}
