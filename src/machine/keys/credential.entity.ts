import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { Acr, SessionId, TenantId, UserId, Voucher } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** Kind of key, as its text says, by whose it is. */
export const KIND_OF_OWNER = { 'service-account': 'sa', person: 'me' } as const;

/** Whose credential it is. */
export type CredentialOwner = keyof typeof KIND_OF_OWNER;

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

/**
 * Why a key was ended: by a member or program of the organization, by an operator of the service,
 * or because it was reported as found in public.
 */
export const KEY_END_REASONS = ['revoked', 'operator', 'leaked'] as const;
export type KeyEndReason = (typeof KEY_END_REASONS)[number];

/** A revoked key of a service account, without its hash. */
@Entity('ended_keys')
@Index('ended_keys_ended_idx', ['endedAt'])
export class EndedKeyEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly accountId!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  /** Public part of the key. */
  @Column(BYTEWISE_TEXT)
  readonly lookup!: string;

  @Column({ type: 'text' })
  readonly name!: string;

  @Column({ ...BYTEWISE_TEXT, array: true })
  readonly networks!: string[];

  @Column(TIMESTAMP)
  readonly createdAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly lastUsedAt!: Date | null;

  @Column(CREATED_AT)
  readonly endedAt!: Date;

  /** Person or service account of the organization; null for an operator or a report. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly endedBy!: string | null;

  @Column(BYTEWISE_TEXT)
  readonly reason!: KeyEndReason;
}

/** Assertion that has authenticated a client, so that it cannot do so again. */
@Entity('used_assertions')
@Index('used_assertions_expiry_idx', ['expiresAt'])
export class UsedAssertionEntity {
  /** SHA-256 of the client and the `jti` of the assertion. */
  @PrimaryColumn({ type: 'bytea' })
  readonly assertionHash!: Buffer;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}
