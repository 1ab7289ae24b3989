import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';

/** Which tokens of another issuer stand for a service account. */
@Entity('trust_rules')
@Index('trust_rules_account_idx', ['accountId', 'issuer'])
@Index('trust_rules_issuer_idx', ['issuer', 'id'])
export class TrustRuleEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly accountId!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(BYTEWISE_TEXT)
  readonly issuer!: string;

  @Column(BYTEWISE_TEXT)
  readonly audience!: string;

  /** Exact value or glob by claim. */
  @Column({ type: 'jsonb' })
  readonly conditions!: Record<string, string>;

  @Column(BYTEWISE_TEXT)
  readonly createdBy!: UserId;

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}
