import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** State of a subscription. `failing`: one probe a minute. `deleted`: removed by the cleanup. */
export type EndpointStatus = 'active' | 'failing' | 'disabled' | 'deleted';

/** Why a subscription is disabled. */
export const DISABLED_REASONS = ['by-user', 'gone', 'refused-by-receiver', 'failing', 'scope-lost'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const ORDERINGS = ['none', 'subject', 'endpoint'] as const;
export const SIGNINGS = ['hmac', 'ed25519'] as const;

/** A subscription: where the events of an organization are delivered, and which. */
@Entity('webhook_endpoints')
export class EndpointEntity {
  /** The empty text for a subscription of operators. */
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ type: 'text' })
  readonly url!: string;

  @Column({ type: 'text', nullable: true })
  readonly description!: string | null;

  /** Names of types, or beginnings such as `iam.member.*`. */
  @Column({ ...BYTEWISE_TEXT, array: true })
  readonly types!: string[];

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly subjectPrefix!: string | null;

  @Column({ ...BYTEWISE_TEXT, default: () => "'none'::text" })
  readonly ordering!: (typeof ORDERINGS)[number];

  @Column({ type: 'boolean', default: false })
  readonly personalData!: boolean;

  @Column({ ...BYTEWISE_TEXT, default: () => "'hmac'::text" })
  readonly signing!: (typeof SIGNINGS)[number];

  @Column({ ...BYTEWISE_TEXT, default: () => "'active'::text" })
  readonly status!: EndpointStatus;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly reason!: DisabledReason | null;

  /** True while the organization is archived. */
  @Column({ type: 'boolean', default: false })
  readonly paused!: boolean;

  /** Failed attempts in a row. */
  @Column({ type: 'int', default: 0 })
  readonly failures!: number;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly failingSince!: Date | null;

  /** Time of the next probe of a failing subscription. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly probeAt!: Date | null;

  @Column({ type: 'text' })
  readonly sealedSecret!: string;

  @Column({ type: 'text', nullable: true })
  readonly sealedPrevious!: string | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly previousUntil!: Date | null;

  /** Sequence number up to which a replay has come; null without one. */
  @Column({ type: 'bigint', nullable: true })
  readonly recoverAfter!: string | null;

  /** Sequence number of the last event of the replay. */
  @Column({ type: 'bigint', nullable: true })
  readonly recoverUntil!: string | null;

  /** Time of the first event of the replay. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly recoverFrom!: Date | null;

  /** Time of the next step of the replay. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly recoverAt!: Date | null;

  /** Time since which nothing is delivered, as the scopes of the creator must be reviewed. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly reviewAt!: Date | null;

  /** Whose scopes decide what is delivered. */
  @Column(BYTEWISE_TEXT)
  readonly createdBy!: UserId;

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}
