import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';
import type { ClientAuthentication, OidcClaims } from './connection.js';

/** Settings of a connection by OpenID Connect. */
@Entity('oidc_connections')
@Index('oidc_connections_issuer_idx', ['issuer'])
export class OidcConnectionEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly connectionId!: string;

  @Column(BYTEWISE_TEXT)
  readonly issuer!: string;

  @Column(BYTEWISE_TEXT)
  readonly clientId!: string;

  @Column(BYTEWISE_TEXT)
  readonly clientAuthentication!: ClientAuthentication;

  @Column({ type: 'text', nullable: true })
  readonly sealedClientSecret!: string | null;

  /** Asked for in addition to `openid`, `email` and `profile`. */
  @Column({ ...BYTEWISE_TEXT, array: true, default: () => "'{}'" })
  readonly scopes!: string[];

  @Column({ type: 'jsonb', default: () => "'{}'::jsonb" })
  readonly claims!: OidcClaims;

  @Column({ ...BYTEWISE_TEXT, array: true, default: () => "'{}'" })
  readonly acrValues!: string[];

  /** Audiences that an ID token may name besides the client. */
  @Column({ ...BYTEWISE_TEXT, array: true, default: () => "'{}'" })
  readonly trustedAudiences!: string[];
}
