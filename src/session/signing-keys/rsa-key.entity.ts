import type { webcrypto } from 'node:crypto';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** A key pair that signs ID tokens and access tokens by RS256, its private half sealed. */
@Entity('id_token_keys')
export class RsaKeyEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly kid!: string;

  @Column({ type: 'jsonb' })
  readonly publicJwk!: webcrypto.JsonWebKey;

  @Column({ type: 'text' })
  readonly sealedPrivateKey!: string;

  @Column(TIMESTAMP)
  readonly signsFrom!: Date;

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}
