import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';

/** End of the chain of an organization, or of the platform. */
@Entity('audit_chains')
export class AuditChainEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** Number of the last entry. */
  @Column({ type: 'bigint' })
  readonly last!: string;

  /** Number of the entry that the newest anchor is of; 0 for none. */
  @Column({ type: 'bigint', default: 0 })
  readonly anchored!: string;

  /** Hash of the last entry. */
  @Column({ type: 'bytea' })
  readonly hash!: Buffer;

  /** Time of the last entry. */
  @Column(CREATED_AT)
  readonly chainedAt!: Date;
}
