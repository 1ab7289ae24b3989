import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';

/** Stored status. An offer or a partnership whose time is over keeps it until the cleanup. */
export type StoredStatus = 'offered' | 'active' | 'declined' | 'ended';

/** An offer of an organization, the host, to another one, whose people may work in it. */
@Entity('partnerships')
@Index('partnerships_tenant_idx', ['tenantId', 'id'])
export class PartnershipEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  /** The host. */
  @Column(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** The partner; null while the offer is to an address, and for an unknown slug. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly partnerId!: TenantId | null;

  @Column({ type: 'text', default: () => "'offered'::text" })
  readonly status!: StoredStatus;

  /** Address of the offer, until it is accepted; null for an offer to a slug. */
  @Column({ type: 'text', nullable: true })
  readonly email!: string | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly emailKey!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly slug!: string | null;

  @Column({ type: 'text', array: true })
  readonly roleIds!: string[];

  /** Things of the roles, as `thingOf` spells them; null for the whole host. */
  @Column({ type: 'text', array: true, nullable: true })
  readonly things!: string[] | null;

  /** End; null for none. The database's clock decides. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly until!: Date | null;

  @Column({ type: 'integer', nullable: true })
  readonly maxPeople!: number | null;

  @Column({ ...TIMESTAMP, default: () => 'now()' })
  readonly createdAt!: Date;

  @Column(BYTEWISE_TEXT)
  readonly createdBy!: UserId;

  /** When the offer can no longer be accepted; infinity once it is. */
  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly acceptedAt!: Date | null;

  /** When it was declined or left. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly overAt!: Date | null;
}

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
