import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, CREATED_AT } from '../../../platform/database/index.js';

/**
 * The key of `private_key_jwt` as the previous release reads it, with the private key sealed. At
 * most one row.
 */
@Entity('oidc_client_keys')
export class OidcKeyEntity {
  @PrimaryColumn({ type: 'boolean', default: true })
  readonly single!: boolean;

  @Column(BYTEWISE_TEXT)
  readonly kid!: string;

  @Column(BYTEWISE_TEXT)
  readonly sealedPrivateKey!: string;

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}
