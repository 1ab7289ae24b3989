import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';

/**
 * What directories of an organization have suspended, and may restore. It outlives the record and
 * the directory: a person may be sent again by another one.
 */
@Entity('directory_suspensions')
@Index('directory_suspensions_account_idx', ['accountId'])
@Index('directory_suspensions_number_idx', ['tenantId', 'numberKey'])
export class DirectorySuspensionEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly accountId!: UserId;

  /** The account, or the membership. */
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly kind!: 'account' | 'member';

  /** Number of a suspended worker, by which directories know the person again. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly numberKey!: string | null;
}
