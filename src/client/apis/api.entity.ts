import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { Acr, TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';
import type { AccessTokenAlg } from '../registry/client-traits.js';

/** A permission of an API, as its tokens name it. */
export interface ApiScope {
  /** A scope-token of RFC 6749 section 3.3. */
  readonly name: string;
  /** What the person reads who consents. */
  readonly title: string;
  /** Seconds since the last authentication, at most; left out for any. */
  readonly maxAge?: number;
  /** Strength of the sign-in, at least; left out for any. */
  readonly acr?: Acr;
  /** Keys of roles in the selected organization, of which one must be held; left out for any. */
  readonly roles?: readonly string[];
}

/** An API that accepts access tokens of this service. */
@Entity('apis')
@Unique('apis_identifier_unique', ['identifier'])
@Index('apis_tenant_idx', ['tenantId', 'id'])
export class ApiEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  /** Organization that it belongs to; null for one of the platform. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly tenantId!: TenantId | null;

  /** Audience of its tokens (RFC 8707). */
  @Column(BYTEWISE_TEXT)
  readonly identifier!: string;

  @Column({ type: 'text' })
  readonly name!: string;

  @Column({ type: 'jsonb', default: () => "'[]'::jsonb" })
  readonly scopes!: ApiScope[];

  @Column({ type: 'int' })
  readonly accessTokenSeconds!: number;

  @Column(BYTEWISE_TEXT)
  readonly accessTokenAlg!: AccessTokenAlg;

  /** Of the secret by which it asks for the state of tokens; null without one. */
  @Column({ type: 'bytea', nullable: true })
  readonly secretHash!: Buffer | null;

  @Column({ type: 'bytea', nullable: true })
  readonly previousSecretHash!: Buffer | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly previousSecretUntil!: Date | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}

/** Scopes of an API that a client can have: a registered client, or a service account. */
@Entity('api_clients')
@Index('api_clients_client_idx', ['clientId'])
export class ApiClientEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly apiId!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly clientId!: string;

  @Column({ type: 'text', array: true })
  readonly scopes!: string[];
}
