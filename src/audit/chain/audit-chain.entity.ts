import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

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

  /** Number of the last entry before the start, removable with all before it; 0 for none. */
  @Column({ type: 'bigint', default: 0 })
  readonly startsAfter!: string;

  /** JWS that says so, as an anchor does; null if the chain starts with its first entry. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly start!: string | null;

  /** Number up to which entries are removed one by one. */
  @Column({ type: 'bigint', default: 0 })
  readonly removed!: string;

  /** Time of the last entry that `audit:verify` found right with all before it; null for none. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly verifiedUntil!: Date | null;

  /** Hash of the last entry. */
  @Column({ type: 'bytea' })
  readonly hash!: Buffer;

  /** Time of the last entry. */
  @Column(CREATED_AT)
  readonly chainedAt!: Date;
}
