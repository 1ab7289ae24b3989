import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../../platform/database/index.js';

/** A registered thing is a part of its parent, which need not be registered. */
@Entity('registered_parents')
@Index('registered_parents_below_idx', ['tenantId', 'parent', 'thing'])
@Index('registered_parents_parent_idx', ['tenantId', 'parent', 'height'])
export class RegisteredParentEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly thing!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly parent!: string;

  /** Levels of registered things below `thing`, so that a move need not read all of them. */
  @Column('integer')
  readonly height!: number;
}
