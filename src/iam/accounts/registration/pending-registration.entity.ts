import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';

/** A registration that waits for its verification, by the hash of the mailed token (ADR 2). */
@Entity('pending_registrations')
@Index('pending_registrations_expiry_idx', ['expiresAt'])
export class PendingRegistrationEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly tokenHash!: Buffer;

  @Column({ type: 'text' })
  readonly email!: string;

  @Column(BYTEWISE_TEXT)
  readonly emailKey!: string;

  @Column({ type: 'text' })
  readonly passwordHash!: string;

  @Column({ type: 'text' })
  readonly firstName!: string;

  @Column({ type: 'text', nullable: true })
  readonly lastName!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly displayName!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly company!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly country!: string | null;

  @Column({ type: 'boolean' })
  readonly marketingOptIn!: boolean;

  /** Language that the request asked for (BCP 47); null if it named none. */
  @Column({ type: 'text', nullable: true })
  readonly locale!: string | null;

  @Column({ ...TIMESTAMP, default: () => 'clock_timestamp()' })
  readonly createdAt!: Date;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  /** Keyed hash of the network of the request; null for a decoy. */
  @Column({ type: 'bytea', nullable: true })
  readonly networkKey!: Buffer | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly registeredAt!: Date | null;

  @Column({ type: 'int', default: 0 })
  readonly failedTries!: number;
}
