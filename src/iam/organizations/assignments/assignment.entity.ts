import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';

/** A role that a member holds on one thing and what is below it. */
@Entity('role_assignments')
@Index('role_assignments_user_idx', ['tenantId', 'userId', 'thing'])
@Index('role_assignments_thing_idx', ['tenantId', 'thing', 'id'])
@Index('role_assignments_holder_idx', ['tenantId', 'thing', 'userId'])
@Index('role_assignments_role_idx', ['tenantId', 'roleId', 'id'])
export class AssignmentEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(BYTEWISE_TEXT)
  readonly userId!: UserId;

  @Column(BYTEWISE_TEXT)
  readonly roleId!: string;

  /** Module, collection and id: `logistics/shipments/01K…`. */
  @Column(BYTEWISE_TEXT)
  readonly thing!: string;

  /** End; null for none. The database's clock decides. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly until!: Date | null;

  /** When the member is next told that the role ends; null for never. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly noticeAt!: Date | null;

  @Column({ ...TIMESTAMP, default: () => 'now()' })
  readonly createdAt!: Date;

  @Column(BYTEWISE_TEXT)
  readonly createdBy!: UserId;
}
