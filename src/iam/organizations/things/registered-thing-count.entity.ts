import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../../platform/database/index.js';

/** Number of things that an organization has registered. Its row is the lock of their changes. */
@Entity('registered_thing_counts')
export class RegisteredThingCountEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @Column('integer')
  readonly things!: number;
}
