import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../../platform/database/index.js';

/** Kinds of providers at which this service has keys. */
export const KEY_KINDS = ['saml', 'oidc'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** A key pair of this service at identity providers, its private half sealed. */
@Entity('connection_keys')
export class ConnectionKeyEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly kid!: string;

  @Column(BYTEWISE_TEXT)
  readonly kind!: KeyKind;

  /** In PEM; null for OpenID Connect, whose providers read a JWK. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly certificate!: string | null;

  @Column(BYTEWISE_TEXT)
  readonly sealedPrivateKey!: string;

  @Column(TIMESTAMP)
  readonly signsFrom!: Date;

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}
