import type { JWK } from 'jose';
import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { SessionId, TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/**
 * State of a station. `pending`: no device has registered yet; `locked`: too many wrong PINs, until
 * an administrator activates it again.
 */
export const STATION_STATUSES = ['pending', 'active', 'locked', 'disabled'] as const;
export type StationStatus = (typeof STATION_STATUSES)[number];

/** A shared device of an organization, at which one person at a time is signed in. */
@Entity('stations')
@Unique('stations_id_unique', ['id'])
@Unique('stations_registration_unique', ['registrationHash'])
export class StationEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** Unique without its tenant: proofs name the station only. */
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ type: 'text' })
  readonly name!: string;

  @Column({ type: 'text', nullable: true })
  readonly place!: string | null;

  @Column({ ...BYTEWISE_TEXT, default: () => "'pending'::text" })
  readonly status!: StationStatus;

  @Column({ type: 'int' })
  readonly idleSeconds!: number;

  @Column({ type: 'int' })
  readonly shiftSeconds!: number;

  /** Networks (CIDR) from which it is accepted; empty for any. */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  readonly networks!: string[];

  /** Of the code by which the device registers; null once it has. */
  @Column({ type: 'bytea', nullable: true })
  readonly registrationHash!: Buffer | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly registrationExpiresAt!: Date | null;

  /** Public key of the device; null until it has registered. */
  @Column({ type: 'jsonb', nullable: true })
  readonly jwk!: JWK | null;

  /** Thumbprint of the key (RFC 7638). */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly jkt!: string | null;

  /** Times of attempts within the window that were no sign-ins. */
  @Column({ ...TIMESTAMP, array: true, default: () => "'{}'::timestamp with time zone[]" })
  readonly failedAt!: Date[];

  /** Last session that began here, and its person; null after it was ended from outside. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly sessionId!: SessionId | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly userId!: UserId | null;

  @Column(BYTEWISE_TEXT)
  readonly createdBy!: UserId;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  /** Last proof of its key, to the minute. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly lastSeenAt!: Date | null;
}
