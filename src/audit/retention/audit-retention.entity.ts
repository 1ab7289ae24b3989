import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';

/** For how long an organization keeps its audit trail, where it has said so. */
@Entity('audit_retentions')
@Index('audit_retentions_days_idx', ['days'])
export class AuditRetentionEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @Column({ type: 'int' })
  readonly days!: number;
}
