import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';

/** A rule by which a group of a directory gives roles. */
@Entity('directory_rules')
export class DirectoryRuleEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly directoryId!: string;

  @PrimaryColumn({ type: 'int' })
  readonly ordinal!: number;

  /** The group, once it was sent with the name: a later name keeps the rule. Null without one. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly groupId!: string | null;

  @Column({ type: 'text' })
  readonly groupName!: string;

  /** The name as `foldName` folds it, to be found among the keys of groups. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly groupNameKey!: string | null;

  /** A role that was deleted since is ignored. */
  @Column({ ...BYTEWISE_TEXT, array: true })
  readonly roleIds!: string[];

  /** Things on which the roles hold, as `thingOf` spells them; null for the whole organization. */
  @Column({ type: 'text', array: true, nullable: true })
  readonly things!: string[] | null;
}
