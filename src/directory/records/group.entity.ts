import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT_MS } from '../../platform/database/index.js';

/** A group as a directory sent it. */
@Entity('directory_groups')
@Unique('directory_groups_external_unique', ['tenantId', 'directoryId', 'externalId'])
@Index('directory_groups_display_idx', ['tenantId', 'directoryId', 'displayNameKey'])
export class DirectoryGroupEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly directoryId!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly externalId!: string | null;

  /** `displayName` in lower case. */
  @Column(BYTEWISE_TEXT)
  readonly displayNameKey!: string;

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
