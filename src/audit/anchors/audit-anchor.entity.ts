import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';

/** Signed statement of the hash that an entry of a chain has. Append-only. */
@Entity('audit_anchors')
export class AuditAnchorEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** Number of the entry. */
  @PrimaryColumn({ type: 'bigint' })
  readonly sequence!: string;

  /** In the compact form (RFC 7515 section 3.1). */
  @Column(BYTEWISE_TEXT)
  readonly jws!: string;

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}
