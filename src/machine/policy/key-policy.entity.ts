import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';

/** What an organization asks of the keys that act in it. Without a row, nothing. */
@Entity('key_policies')
export class KeyPolicyEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** Whether members may have their own keys. */
  @Column({ type: 'boolean' })
  readonly personalKeys!: boolean;

  /** Longest lifetime of a new key; null for any, and for keys without an expiry. */
  @Column({ type: 'integer', nullable: true })
  readonly maxLifetimeDays!: number | null;
}
