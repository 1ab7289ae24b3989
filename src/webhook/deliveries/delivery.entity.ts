import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

export const DELIVERY_STATES = ['waiting', 'due', 'claimed', 'delivered', 'dead'] as const;

/** Delivery of one event to one subscription (ADR 40). */
@Entity('webhook_deliveries')
@Unique('webhook_deliveries_event_key', ['tenantId', 'endpointId', 'eventId'])
@Index('webhook_deliveries_list_idx', ['tenantId', 'endpointId', 'id'])
@Index('webhook_deliveries_created_idx', ['createdAt'])
export class DeliveryEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(BYTEWISE_TEXT)
  readonly endpointId!: string;

  @Column(BYTEWISE_TEXT)
  readonly eventId!: string;

  @Column(BYTEWISE_TEXT)
  readonly type!: string;

  /** Of the event; 0 for a test. */
  @Column({ type: 'bigint' })
  readonly sequence!: string;

  @Column({ type: 'boolean', default: false })
  readonly isTest!: boolean;

  /** Deliveries of the same key follow each other; null without an order. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly orderKey!: string | null;

  /** `waiting`: for an earlier one of the same key. `dead`: given up. */
  @Column(BYTEWISE_TEXT)
  readonly state!: (typeof DELIVERY_STATES)[number];

  @Column({ type: 'int', default: 0 })
  readonly attempts!: number;

  @Column({ ...TIMESTAMP, default: () => 'now()' })
  readonly dueAt!: Date;

  /** Time at which a claim ends; then another replica may claim it. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly leaseUntil!: Date | null;

  @Column({ type: 'int', nullable: true })
  readonly lastStatus!: number | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly lastError!: string | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly finishedAt!: Date | null;
}

/** One request of a delivery, and what was answered. Kept for 14 days. */
@Entity('webhook_attempts')
@Index('webhook_attempts_at_idx', ['at'])
export class AttemptEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly deliveryId!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(TIMESTAMP)
  readonly at!: Date;

  /** Null without a response. */
  @Column({ type: 'int', nullable: true })
  readonly status!: number | null;

  @Column({ type: 'int' })
  readonly ms!: number;

  /** Reason of the failure; null for a success. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly error!: string | null;

  /** Beginning of the response. */
  @Column({ type: 'text', nullable: true })
  readonly excerpt!: string | null;
}
