import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** A member of an organization who signs in at shared stations by number and PIN. */
@Entity('workers')
@Unique('workers_number_unique', ['tenantId', 'numberKey'])
@Unique('workers_badge_unique', ['badgeLookup'])
export class WorkerEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly userId!: UserId;

  /** Number of the person in the organization, as it was entered. */
  @Column({ type: 'text' })
  readonly number!: string;

  /** The number in lower case, by which it is unique and found. */
  @Column(BYTEWISE_TEXT)
  readonly numberKey!: string;

  /** When sign-ins at stations end; null for never. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly until!: Date | null;

  @Column({ type: 'text', nullable: true })
  readonly pinHash!: string | null;

  /** Of a temporary PIN, which is replaced at its first use; null for one that the person chose. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly pinExpiresAt!: Date | null;

  /** Member who has set a temporary PIN; null for one that the person has chosen. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly pinSetBy!: UserId | null;

  /** Attempts since the last right one; with too many, the PIN is locked until a reset. */
  @Column({ type: 'int', default: 0 })
  readonly pinFailures!: number;

  /** Public part of the badge. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly badgeLookup!: string | null;

  @Column({ type: 'bytea', nullable: true })
  readonly badgeHash!: Buffer | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly badgeExpiresAt!: Date | null;

  /** Member who asked for a reset of the PIN that a second member has to confirm. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly resetBy!: UserId | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly resetUntil!: Date | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly lastSignInAt!: Date | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}
