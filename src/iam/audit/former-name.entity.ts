import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';

/** Last name of a deleted thing, for the audit trail. Triggers on its table insert it. */
@Entity('former_names')
@Index('former_names_deleted_idx', ['tenantId', 'deletedAt'])
export class FormerNameEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** `<module>/<collection>/<id>`, as the trail has it. */
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly subject!: string;

  @Column({ type: 'text' })
  readonly name!: string;

  @Column(CREATED_AT)
  readonly deletedAt!: Date;
}
