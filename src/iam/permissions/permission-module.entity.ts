import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RegisteredPermission } from '../../ability/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';

/** Permissions of another service, under the name by which their scopes begin. */
@Entity('permission_modules')
export class PermissionModuleEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly module!: string;

  /** Names the module in the audit trail, also after another one was registered by its name. */
  @Column(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ type: 'text' })
  readonly title!: string;

  @Column({ type: 'jsonb' })
  readonly permissions!: readonly RegisteredPermission[];

  @Column(CREATED_AT)
  readonly updatedAt!: Date;
}
