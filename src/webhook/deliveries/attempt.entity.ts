import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../platform/database/index.js';

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
