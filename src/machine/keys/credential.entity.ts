import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { Acr, SessionId, TenantId, UserId, Voucher } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** Whose credential it is. */
export type CredentialOwner = 'service-account' | 'person';

/** `key`: an API key. The others authenticate a client at the token endpoint. */
export type CredentialKind = 'key' | 'secret' | 'jwk' | 'jwks-uri';

/** A credential of a service account, or a key by which a person's programs call the API. */
@Entity('machine_credentials')
@Unique('machine_credentials_lookup_unique', ['lookup'])
export class CredentialEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** Service account or person. */
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly ownerId!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(BYTEWISE_TEXT)
  readonly ownerKind!: CredentialOwner;

  @Column(BYTEWISE_TEXT)
  readonly kind!: CredentialKind;

  /** Public part of a key or secret, by which it is looked up; null for a public key. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly lookup!: string | null;

  @Column({ type: 'text' })
  readonly name!: string;

  /** HMAC-SHA-256 of a key or secret. */
  @Column({ type: 'bytea', nullable: true })
  readonly secretHash!: Buffer | null;

  /** JSON Web Key (RFC 7517). */
  @Column({ type: 'jsonb', nullable: true })
  readonly publicKey!: Record<string, unknown> | null;

  @Column({ type: 'text', nullable: true })
  readonly jwksUri!: string | null;

  /** Restricts the roles of the owner; null for all that they give. */
  @Column({ ...BYTEWISE_TEXT, array: true, nullable: true })
  readonly scopes!: string[] | null;

  /** Networks (CIDR) from which it is accepted; empty for any. */
  @Column({ ...BYTEWISE_TEXT, array: true, default: () => "'{}'" })
  readonly networks!: string[];

  /** Strength of the sign-in by which a person made the key; null for a service account. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly acr!: Acr | null;

  /** What in that sign-in stood for the connection of the organization; null if nothing did. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly voucher!: Voucher | null;

  @Column(BYTEWISE_TEXT)
  readonly createdBy!: UserId;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly expiresAt!: Date | null;

  /** Time of the event about its expiry; null after it. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly warnAt!: Date | null;

  /** Written at most once a minute. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly lastUsedAt!: Date | null;

  /** Session in which a person made it. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly sessionId!: SessionId | null;
}
