import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

const CERTIFICATE_SOURCES = ['manual', 'metadata'] as const;
export type CertificateSource = (typeof CERTIFICATE_SOURCES)[number];

/** A signing certificate of the identity provider of a SAML connection. */
@Entity('connection_certificates')
export class CertificateEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly connectionId!: string;

  /** Fingerprint in lower case hex. */
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly sha256!: string;

  /** PEM. */
  @Column({ type: 'text' })
  readonly certificate!: string;

  @Column(BYTEWISE_TEXT)
  readonly source!: CertificateSource;

  @Column(TIMESTAMP)
  readonly notAfter!: Date;

  @Column(CREATED_AT)
  readonly firstSeen!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly lastUsed!: Date | null;

  /** Time at which it disappeared from the metadata; it verifies nothing any more. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly retiredAt!: Date | null;

  /** Time of the next warning of its end; null after the last one. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly warnAt!: Date | null;
}
