import { Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';

/** A domain that is assigned to a connection. */
@Entity('connection_domains')
@Index('connection_domains_domain_idx', ['tenantId', 'domainId'])
export class ConnectionDomainEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly connectionId!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly domainId!: string;
}
