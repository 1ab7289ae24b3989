import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';
import type {
  AccessTokenAlg,
  AssertionAudience,
  ClientAuthMethod,
  ClientGrantType,
  ClientJwks,
  ClientProtocol,
  ClientSecurity,
  ClientType,
  IdTokenAlg,
  IdTokenClaims,
  SubjectType,
} from './client-traits.js';

/** A registered client. */
@Entity('satellites')
@Unique('satellites_client_unique', ['clientId'])
@Index('satellites_tenant_idx', ['tenantId', 'id'])
export class ClientEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(BYTEWISE_TEXT)
  readonly clientId!: string;

  @Column({ type: 'text' })
  readonly name!: string;

  @Column({ type: 'text', array: true })
  readonly redirectUris!: string[];

  @Column({ type: 'bytea' })
  readonly secretHash!: Buffer;

  @Column({ type: 'bytea', nullable: true })
  readonly previousSecretHash!: Buffer | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly previousSecretUntil!: Date | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly disabledAt!: Date | null;

  /** The organization: only its members can sign in to it; null for any person. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly tenantId!: TenantId | null;

  /** Scopes of its tokens; `*` alone stands for everything that the user holds. */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  readonly scopes!: string[];

  /** True for one that was registered before scopes, until an operator sets its own. */
  @Column({ type: 'boolean', default: false })
  readonly scopesInherited!: boolean;

  /** Protocol by which people sign in to it; OAuth and satellite codes are of `openid`. */
  @Column({ ...BYTEWISE_TEXT, default: () => "'openid'::text" })
  readonly protocol!: ClientProtocol;

  /** Whether satellite codes serve it, in place of OpenID Connect. */
  @Column({ type: 'boolean', default: false })
  readonly satelliteCodes!: boolean;

  /** Whether its server can keep a secret. */
  @Column({ ...BYTEWISE_TEXT, default: () => "'confidential'::text" })
  readonly type!: ClientType;

  /** A client of the operator: its visitors are never asked for consent. */
  @Column({ type: 'boolean', default: false })
  readonly firstParty!: boolean;

  @Column({ type: 'text', array: true, default: () => "'{authorization_code,refresh_token}'" })
  readonly grantTypes!: ClientGrantType[];

  @Column({ ...BYTEWISE_TEXT, default: () => "'client_secret_basic'::text" })
  readonly tokenEndpointAuthMethod!: ClientAuthMethod;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  readonly postLogoutRedirectUris!: string[];

  @Column({ type: 'text', nullable: true })
  readonly backchannelLogoutUri!: string | null;

  /** Whether it must push its authorization requests (RFC 9126 section 6). */
  @Column({ type: 'boolean', default: false })
  readonly requirePar!: boolean;

  @Column({ ...BYTEWISE_TEXT, default: () => "'public'::text" })
  readonly subjectType!: SubjectType;

  /** Sector at the registration: other redirect URIs must not rename its people. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly sector!: string | null;

  /** Key by which sessions are named to the client, where subjects are pairwise. */
  @Column({ type: 'uuid', default: () => 'gen_random_uuid()' })
  readonly sidKey!: string;

  /** Time from which sessions are named by it; null for all. Earlier ones are named by their id. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly sidKeySince!: Date | null;

  /** Keys of `private_key_jwt`, or where they are published. */
  @Column({ type: 'jsonb', nullable: true })
  readonly jwks!: ClientJwks | null;

  @Column({ type: 'text', nullable: true })
  readonly jwksUri!: string | null;

  /** Whether its tokens must be bound to a key (RFC 9449). */
  @Column({ type: 'boolean', default: false })
  readonly requireDpop!: boolean;

  @Column({ ...BYTEWISE_TEXT, default: () => "'RS256'::text" })
  readonly idTokenAlg!: IdTokenAlg;

  @Column({ ...BYTEWISE_TEXT, default: () => "'ES256'::text" })
  readonly accessTokenAlg!: AccessTokenAlg;

  /** Profile that its other properties keep to. */
  @Column({ ...BYTEWISE_TEXT, default: () => "'standard'::text" })
  readonly security!: ClientSecurity;

  /** Whether its codes must be bound by PKCE (RFC 7636). */
  @Column({ type: 'boolean', default: true })
  readonly requirePkce!: boolean;

  /** `none` for a client that was registered before this property. */
  @Column({ ...BYTEWISE_TEXT, default: () => "'none'::text" })
  readonly idTokenClaims!: IdTokenClaims;

  /** Authorization servers for which it gets identity assertions. */
  @Column({ type: 'jsonb', default: () => "'[]'::jsonb" })
  readonly assertionAudiences!: AssertionAudience[];

  /** Scopes that its organization has allowed it for all members, each as in lists of grants. */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  readonly consentedScopes!: string[];

  @Column({ type: 'text', nullable: true })
  readonly logoUri!: string | null;

  /** Copy of the image at `logoUri`. */
  @Column({ type: 'bytea', nullable: true })
  readonly logo!: Buffer | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly logoType!: string | null;

  /** SHA-256 of the copy in hexadecimal digits: its address changes with it. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly logoHash!: string | null;

  /** When its metadata document was fetched; null for a registered client. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly documentFetchedAt!: Date | null;

  /** Time until which the document is used without being fetched again. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly documentExpiresAt!: Date | null;
}

/** A client whose tokens are refused. */
@Entity('disabled_clients')
export class DisabledClientEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly clientId!: string;
}
