import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SessionId, TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** An authenticator app (RFC 6238). */
@Entity('totp_authenticators')
export class TotpEntity {
  @PrimaryColumn({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ type: 'text' })
  readonly name!: string;

  @Column({ type: 'text' })
  readonly sealedSecret!: string;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  /** Null until the person has entered a code of it: it counts for nothing before. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly confirmedAt!: Date | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly lastUsedAt!: Date | null;

  /** Newest step whose code was accepted: its codes and earlier ones are not accepted again. */
  @Column({ type: 'bigint', default: 0 })
  readonly lastStep!: string;

  /** Wrong codes since the last right one. */
  @Column({ type: 'int', default: 0 })
  readonly failures!: number;

  /** Time from which no code is accepted, after too many wrong ones in a row. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly blockedAt!: Date | null;

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
