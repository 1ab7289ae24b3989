import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../../platform/database/index.js';

/** The longest access for which members of an organization may ask. Without a row, a day. */
@Entity('access_request_policies')
export class AccessRequestPolicyEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** 0: no requests. */
  @Column('integer')
  readonly maxHours!: number;
}
