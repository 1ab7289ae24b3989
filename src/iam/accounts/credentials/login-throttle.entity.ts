import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';

/**
 * Failed sign-ins at an address, from one network or from all of them together (ADR 5). Address and
 * network are keyed hashes.
 */
@Entity('login_throttles')
@Index('login_throttles_expiry_idx', ['expiresAt'])
export class LoginThrottleEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly accountKey!: Buffer;

  @PrimaryColumn({ type: 'bytea' })
  readonly networkKey!: Buffer;

  @Column({ type: 'int' })
  readonly failures!: number;

  @Column(TIMESTAMP)
  readonly blockedUntil!: Date;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly trustedUntil!: Date | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly accountId!: UserId | null;

  @Column({ type: 'int', default: 0 })
  readonly seriesFailures!: number;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly seriesBeganAt!: Date | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly seriesFailedAt!: Date | null;
}
