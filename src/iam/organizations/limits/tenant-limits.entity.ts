import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../../platform/database/index.js';

/** Limits that operators have set for one organization; null for the default of the service. */
@Entity('tenant_limits')
export class TenantLimitsEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** Mails a day to addresses outside its verified domains. */
  @Column({ type: 'int', nullable: true })
  readonly mailsPerDay!: number | null;

  @Column({ type: 'int', nullable: true })
  readonly openInvitations!: number | null;
}
