import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';
import type { RuleOperator } from '../connections/connection.js';

/** A rule by which an attribute of a sign-in gives roles. */
@Entity('connection_rules')
export class RuleEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly connectionId!: string;

  @PrimaryColumn({ type: 'int' })
  readonly ordinal!: number;

  @Column({ type: 'text' })
  readonly attribute!: string;

  @Column(BYTEWISE_TEXT)
  readonly operator!: RuleOperator;

  @Column({ type: 'text' })
  readonly value!: string;

  /** A role that was deleted since is ignored. */
  @Column({ ...BYTEWISE_TEXT, array: true })
  readonly roleIds!: string[];
}
