import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../../platform/database/index.js';

/** An organization. */
@Entity('tenants')
export class TenantEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: TenantId;

  @Column({ type: 'text' })
  readonly name!: string;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly archivedAt!: Date | null;
}
