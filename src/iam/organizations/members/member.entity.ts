import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';

export const MEMBER_STATUSES = ['active', 'suspended'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

/** What adds members and gives roles. Each source replaces only the roles that it gave. */
export const MEMBER_SOURCES = ['manual', 'connection', 'directory'] as const;
export type MemberSource = (typeof MEMBER_SOURCES)[number];

/** Membership of an account in a tenant. */
@Entity('members')
@Index('members_user_idx', ['userId', 'tenantId'])
@Index('members_name_idx', ['tenantId', 'nameKey', 'userId'])
@Index('members_address_idx', ['tenantId', 'addressKey', 'userId'])
@Index('members_state_idx', ['tenantId', 'status', 'source', 'userId'])
@Index('members_joined_idx', ['tenantId', 'joinedAt', 'userId'])
export class MemberEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly userId!: UserId;

  @Column({ ...TIMESTAMP, default: () => 'clock_timestamp()' })
  readonly joinedAt!: Date;

  /** A suspended member keeps roles, but has no access to the tenant. */
  @Column({ type: 'text', default: () => "'active'::text" })
  readonly status!: MemberStatus;

  /** How the person became a member; by an invitation: `manual`. */
  @Column({ type: 'text', default: () => "'manual'::text" })
  readonly source!: MemberSource;

  /** First name or else address, as lists search it. Triggers copy it from the account (ADR 29). */
  @Column({ ...BYTEWISE_TEXT, default: () => "''::text" })
  readonly nameKey!: string;

  /** Address, as lists search it. */
  @Column({ ...BYTEWISE_TEXT, default: () => "''::text" })
  readonly addressKey!: string;

  /**
   * When a tab last renewed a token for the tenant, to within ten minutes. Not indexed, so that the
   * update touches no index.
   */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly lastActiveAt!: Date | null;

  /** End of the membership; null for none. The database's clock decides. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly until!: Date | null;

  /** When the person is next told that the membership ends; null for never. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly noticeAt!: Date | null;
}

/** A person in a tenant. */
export type Membership = Pick<MemberEntity, 'tenantId' | 'userId'>;

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
