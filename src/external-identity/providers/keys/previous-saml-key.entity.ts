import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, CREATED_AT } from '../../../platform/database/index.js';

/**
 * The key of SAML as the previous release reads it, with the private key sealed. At most one row.
 */
@Entity('saml_keys')
export class SamlKeyEntity {
  @PrimaryColumn({ type: 'boolean', default: true })
  readonly single!: boolean;

  @Column(BYTEWISE_TEXT)
  readonly certificate!: string;

  @Column(BYTEWISE_TEXT)
  readonly sealedPrivateKey!: string;

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}
