import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** State of a domain. `lapsed`: its record was missing for a week; it proves nothing. */
const DOMAIN_STATES = ['pending', 'verified', 'lapsed'] as const;
export type DomainStatus = (typeof DOMAIN_STATES)[number];

/** A domain that an organization has verified or wants to. At most one verifies it at a time. */
@Entity('tenant_domains')
@Unique('tenant_domains_domain_unique', ['tenantId', 'domain'])
export class DomainEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  /** A-label in lower case. */
  @Column(BYTEWISE_TEXT)
  readonly domain!: string;

  /** Value of the record. Published in the DNS, and so no secret. */
  @Column(BYTEWISE_TEXT)
  readonly token!: string;

  @Column({ ...BYTEWISE_TEXT, default: () => "'pending'::text" })
  readonly status!: DomainStatus;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly verifiedAt!: Date | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly checkedAt!: Date | null;

  /** Time since which the record of a verified domain has been missing. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly missingSince!: Date | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}

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
