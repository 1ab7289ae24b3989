import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../platform/database/index.js';
import type { SamlAttributes, SsoBinding } from './connection.js';

/** Settings of a connection by SAML. */
@Entity('saml_connections')
export class SamlConnectionEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly connectionId!: string;

  @Column(BYTEWISE_TEXT)
  readonly entityId!: string;

  @Column({ type: 'text' })
  readonly ssoUrl!: string;

  /** null for `redirect`. */
  @Column({ type: 'text', nullable: true })
  readonly ssoBinding!: SsoBinding | null;

  @Column({ type: 'text', nullable: true })
  readonly sloUrl!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly metadataUrl!: string | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly metadataValidUntil!: Date | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly fetchedAt!: Date | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly fetchFailedAt!: Date | null;

  /** Time of the next refresh; null without a metadata URL. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly nextFetchAt!: Date | null;

  @Column({ type: 'boolean', default: true })
  readonly signRequests!: boolean;

  @Column({ type: 'boolean', default: false })
  readonly wantEncryptedAssertions!: boolean;

  /** Seconds; null for the setting of the deployment, 0 for no limit. */
  @Column({ type: 'int', nullable: true })
  readonly authnInstantMaxAge!: number | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly nameIdFormat!: string | null;

  @Column({ type: 'jsonb', default: () => "'{}'::jsonb" })
  readonly attributes!: SamlAttributes;
}
