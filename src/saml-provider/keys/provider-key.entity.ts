import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../platform/database/index.js';

/** A key pair by which this service signs for one app, its private half sealed. */
@Entity('saml_client_keys')
@Index('saml_client_keys_client_idx', ['clientId', 'signsFrom'])
@Index('saml_client_keys_expiry_idx', ['expiresAt'])
export class ProviderKeyEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly kid!: string;

  @Column(BYTEWISE_TEXT)
  readonly clientId!: string;

  /** In PEM. */
  @Column({ type: 'text' })
  readonly certificate!: string;

  @Column({ type: 'text' })
  readonly sealedPrivateKey!: string;

  @Column(TIMESTAMP)
  readonly signsFrom!: Date;

  /** Time from which the key is removed; null for the newest key of a client. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly expiresAt!: Date | null;
}
