import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT_MS, SEARCH_TEXT } from '../../platform/database/index.js';

/** State of a record. `pending`: no account is known to be this person. */
export type RecordState = 'pending' | 'linked' | 'refused';

/**
 * Why a record waits or is refused. `unverified-domain`: invited, because the organization has not
 * verified the domain of the address. `number-invalid`, `number-taken`: the person has no address,
 * and cannot be a worker by this number, or keeps the number before. `invitation-waits`: a limit of
 * the organization or the address leaves the invitation for later. `linked-otherwise`: another
 * record of the directory is this person. `account-suspended`: by an operator; `…-by-organization`:
 * by another organization.
 */
export const REASONS = [
  'no-address',
  'number-invalid',
  'number-taken',
  'unverified-domain',
  'invitation-waits',
  'linked-otherwise',
  'account-suspended',
  'account-suspended-by-organization',
  'inactive',
] as const;
export type RecordReason = (typeof REASONS)[number];

/** What users and groups of a directory have in common. */
export abstract class RecordColumns {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly directoryId!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly externalId!: string | null;

  /** What the directory sent, so that it reads back equal. */
  @Column({ type: 'jsonb' })
  readonly attributes!: Record<string, unknown>;

  /** Counts the changes; its text is the ETag. */
  @Column({ type: 'int', default: 1 })
  readonly version!: number;

  @Column(CREATED_AT_MS)
  readonly createdAt!: Date;

  @Column(CREATED_AT_MS)
  readonly updatedAt!: Date;
}

/** A person as a directory sent them. The membership is derived from it. */
@Entity('directory_users')
@Unique('directory_users_name_unique', ['tenantId', 'directoryId', 'userNameKey'])
@Index('directory_users_external_idx', ['tenantId', 'directoryId', 'externalId'])
@Index('directory_users_email_idx', ['tenantId', 'directoryId', 'emailKey'])
@Index('directory_users_display_idx', ['tenantId', 'directoryId', 'displayNameKey'])
@Index('directory_users_state_idx', ['tenantId', 'directoryId', 'state', 'id'])
export class DirectoryUserEntity extends RecordColumns {
  /** `userName` in lower case. */
  @Column(BYTEWISE_TEXT)
  readonly userNameKey!: string;

  @Column({ type: 'boolean', default: true })
  readonly active!: boolean;

  /** The primary address, or a `userName` that is one, in its canonical form. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly emailKey!: string | null;

  /** `displayName` in lower case. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly displayNameKey!: string | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly accountId!: UserId | null;

  @Column({ ...BYTEWISE_TEXT, default: () => "'pending'::text" })
  readonly state!: RecordState;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly reason!: RecordReason | null;

  /** Whether this directory made the account. */
  @Column({ type: 'boolean', default: false })
  readonly madeAccount!: boolean;

  /** Not read: `directory_suspensions` has it. The baseline of 1.0.0 is without it. */
  @Column({ type: 'boolean', default: false })
  readonly suspendedAccount!: boolean;

  /** Not read, as `suspendedAccount`. */
  @Column({ type: 'boolean', default: false })
  readonly suspendedMember!: boolean;

  /** Names and address. */
  @Column(SEARCH_TEXT)
  readonly searchText!: never;
}

/** A group as a directory sent it. */
@Entity('directory_groups')
@Unique('directory_groups_external_unique', ['tenantId', 'directoryId', 'externalId'])
@Index('directory_groups_display_idx', ['tenantId', 'directoryId', 'displayNameKey'])
export class DirectoryGroupEntity extends RecordColumns {
  /** `displayName` in lower case. */
  @Column(BYTEWISE_TEXT)
  readonly displayNameKey!: string;
}

/** A person in a group of the same directory. */
@Entity('directory_group_members')
@Index('directory_group_members_user_idx', ['tenantId', 'directoryId', 'userId'])
export class DirectoryGroupMemberEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly directoryId!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly groupId!: string;

  /** Id of the record, not of an account. */
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly userId!: string;
}
