import type { webcrypto } from 'node:crypto';
import { Column, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** A key pair that signs, its private half sealed. */
export abstract class KeyPairColumns {
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
