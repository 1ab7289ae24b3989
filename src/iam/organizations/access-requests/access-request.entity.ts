import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';

export const REQUEST_STATUSES = ['pending', 'approved', 'denied', 'withdrawn', 'expired'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** A member asks for a role for some hours, in the organization or on one thing. */
@Entity('access_requests')
@Index('access_requests_user_idx', ['tenantId', 'userId', 'id'])
@Index('access_requests_status_idx', ['tenantId', 'status', 'id'])
@Index('access_requests_role_idx', ['tenantId', 'roleId'])
@Index('access_requests_expires_at_idx', ['expiresAt'])
export class AccessRequestEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(BYTEWISE_TEXT)
  readonly userId!: UserId;

  @Column(BYTEWISE_TEXT)
  readonly roleId!: string;

  /** As `thingOf` spells it; null for the whole organization. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly thing!: string | null;

  @Column('integer')
  readonly hours!: number;

  @Column('text')
  readonly reason!: string;

  @Column({ ...BYTEWISE_TEXT, default: () => "'pending'::text" })
  readonly status!: RequestStatus;

  @Column({ ...TIMESTAMP, default: () => 'now()' })
  readonly createdAt!: Date;

  /** When a request that waits expires. */
  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly decidedAt!: Date | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly decidedBy!: UserId | null;

  /** End of the access that was given. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly until!: Date | null;
}

/** The longest access for which members of an organization may ask. Without a row, a day. */
@Entity('access_request_policies')
export class AccessRequestPolicyEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** 0: no requests. */
  @Column('integer')
  readonly maxHours!: number;
}
