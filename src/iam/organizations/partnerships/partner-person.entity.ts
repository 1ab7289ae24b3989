import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';

/** A member of the partner who works in the host, with some of what was offered. */
@Entity('partner_people')
@Index('partner_people_user_idx', ['userId', 'tenantId'])
export class PartnerPersonEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly partnershipId!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly userId!: UserId;

  /** The host. */
  @Column(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @Column({ type: 'text', array: true })
  readonly roleIds!: string[];

  /** null for all that is offered. */
  @Column({ type: 'text', array: true, nullable: true })
  readonly things!: string[] | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly until!: Date | null;

  @Column({ ...TIMESTAMP, default: () => 'now()' })
  readonly createdAt!: Date;

  @Column(BYTEWISE_TEXT)
  readonly createdBy!: UserId;
}
