import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, SEARCH_TEXT, TIMESTAMP } from '../../platform/database/index.js';

/** A person's account. Erasure empties it and leaves the id (`erasedAt`). */
@Entity('accounts')
@Unique('accounts_email_key_unique', ['emailKey'])
export class AccountEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: UserId;

  /** Null if the account has external identities only, and no address that was verified here. */
  @Column({ type: 'text', nullable: true })
  readonly email!: string | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly emailKey!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly passwordHash!: string | null;

  @Column({ type: 'int', default: 1 })
  readonly passwordVersion!: number;

  @Column({ type: 'text', nullable: true })
  readonly firstName!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly lastName!: string | null;

  /** Shown in place of first and last name: `nameOf`. */
  @Column({ type: 'text', nullable: true })
  readonly displayName!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly company!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly country!: string | null;

  @Column({ type: 'boolean', default: false })
  readonly marketingOptIn!: boolean;

  /** Language of the person (BCP 47); null if it is not known. */
  @Column({ type: 'text', nullable: true })
  readonly locale!: string | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly erasedAt!: Date | null;

  /** Time since which sign-ins are refused; null for an active account. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly suspendedAt!: Date | null;

  /** Pseudonym of the person's id in the system from which the account was imported. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly importKey!: string | null;

  /** Names and address. */
  @Column(SEARCH_TEXT)
  readonly searchText!: never;
}
