import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';

/** What gives roles on things. A directory replaces only those that its rules gave. */
export const ASSIGNMENT_SOURCES = ['manual', 'directory'] as const;
export type AssignmentSource = (typeof ASSIGNMENT_SOURCES)[number];

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

  /** Who assigned it; of a directory, its id. */
  @Column(BYTEWISE_TEXT)
  readonly createdBy!: UserId;

  @Column({ ...BYTEWISE_TEXT, default: () => "'manual'::text" })
  readonly source!: AssignmentSource;
}
