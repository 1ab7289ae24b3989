import { Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';

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
