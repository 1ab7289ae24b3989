import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';
import type { MemberSource } from './member-source.js';

/** A role that a member holds. */
@Entity('member_roles')
@Index('member_roles_role_idx', ['tenantId', 'roleId', 'userId'])
export class MemberRoleEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly userId!: UserId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly roleId!: string;

  /** What gave the role. A role from two sources is held as long as one of them gives it. */
  @PrimaryColumn({ ...BYTEWISE_TEXT, default: () => "'manual'::text" })
  readonly source!: MemberSource;

  /** End of the role; null for none. The database's clock decides. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly until!: Date | null;

  /** When the member is next told that the role ends; null for never. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly noticeAt!: Date | null;
}
