import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { TenantId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../../platform/database/index.js';

/** A role of a tenant. */
@Entity('roles')
@Unique('roles_key_unique', ['tenantId', 'key'])
export class RoleEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(BYTEWISE_TEXT)
  readonly key!: string;

  @Column({ type: 'text' })
  readonly name!: string;

  /** Empty for a built-in role, whose scopes are in the code. */
  @Column({ type: 'text', array: true })
  readonly scopes!: readonly string[];

  @Column({ type: 'boolean' })
  readonly builtIn!: boolean;

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}
