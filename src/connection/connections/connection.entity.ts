import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';
import type {
  AttributeNames,
  ClientAuthentication,
  ConnectionKind,
  ConnectionStatus,
  Provisioning,
  SsoBinding,
} from './connection.js';

/** A connection of an organization to its own identity provider. */
@Entity('connections')
@Unique('connections_id_unique', ['id'])
export class ConnectionEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** Unique by itself: paths of the callback name only the connection. */
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(BYTEWISE_TEXT)
  readonly kind!: ConnectionKind;

  @Column({ type: 'text' })
  readonly name!: string;

  @Column({ ...BYTEWISE_TEXT, default: () => "'draft'::text" })
  readonly status!: ConnectionStatus;

  /** Counts the changes of the settings. A test is for one version. */
  @Column({ type: 'int', default: 1 })
  readonly settingsVersion!: number;

  /** Version of the settings whose test has passed. */
  @Column({ type: 'int', nullable: true })
  readonly testedVersion!: number | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly testedAt!: Date | null;

  /** Person who ran the test; null for a set-up link. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly testedBy!: UserId | null;

  /** Time of the last activation; null if people have never been able to sign in by it. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly activatedAt!: Date | null;

  @Column({ type: 'jsonb' })
  readonly provisioning!: Provisioning;

  @Column({ type: 'boolean', default: false })
  readonly trustsSecondFactor!: boolean;

  @Column({ type: 'boolean', default: false })
  readonly idpInitiated!: boolean;

  @Column({ type: 'boolean', default: false })
  readonly identityAssertions!: boolean;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly lastSignInAt!: Date | null;

  /** Code of the last refused sign-in; null after one that succeeded. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly lastError!: string | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly lastErrorAt!: Date | null;

  /** Time of the last sign-in whose groups were not whole. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly groupsIncompleteAt!: Date | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}

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
  readonly claims!: AttributeNames;

  @Column({ ...BYTEWISE_TEXT, array: true, default: () => "'{}'" })
  readonly acrValues!: string[];

  /** Audiences that an ID token may name besides the client. */
  @Column({ ...BYTEWISE_TEXT, array: true, default: () => "'{}'" })
  readonly trustedAudiences!: string[];
}

/** Settings of a connection by SAML. */
@Entity('saml_connections')
export class SamlConnectionEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly connectionId!: string;

  @Column(BYTEWISE_TEXT)
  readonly entityId!: string;

  @Column({ type: 'text' })
  readonly ssoUrl!: string;

  /** null for `redirect`. */
  @Column({ type: 'text', nullable: true })
  readonly ssoBinding!: SsoBinding | null;

  @Column({ type: 'text', nullable: true })
  readonly sloUrl!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly metadataUrl!: string | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly metadataValidUntil!: Date | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly fetchedAt!: Date | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly fetchFailedAt!: Date | null;

  /** Time of the next refresh; null without a metadata URL. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly nextFetchAt!: Date | null;

  @Column({ type: 'boolean', default: true })
  readonly signRequests!: boolean;

  @Column({ type: 'boolean', default: false })
  readonly wantEncryptedAssertions!: boolean;

  /** Seconds; null for the setting of the deployment, 0 for no limit. */
  @Column({ type: 'int', nullable: true })
  readonly authnInstantMaxAge!: number | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly nameIdFormat!: string | null;

  @Column({ type: 'jsonb', default: () => "'{}'::jsonb" })
  readonly attributes!: AttributeNames;
}
