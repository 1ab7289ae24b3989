import type { webcrypto } from 'node:crypto';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** A key pair that signs, its private half sealed. */
abstract class KeyPairColumns {
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

/** A key pair that signs access tokens. */
@Entity('signing_keys')
export class SigningKeyEntity extends KeyPairColumns {}

/** A key pair that signs ID tokens and access tokens by RS256. */
@Entity('id_token_keys')
export class RsaKeyEntity extends KeyPairColumns {}
