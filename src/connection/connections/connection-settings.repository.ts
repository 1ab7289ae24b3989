import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { KeyDerivation, Sealer } from '../../platform/crypto/index.js';
import { Database, prepared, TenantDatabase } from '../../platform/database/index.js';
import type { Connection, OidcSettings, SamlConnection, SamlSettings } from './connection.js';

type StoredOidc = OidcSettings & { readonly sealedClientSecret: string | null };

interface Row extends Omit<SamlConnection, 'kind' | 'settings'> {
  readonly oidc: StoredOidc | null;
  readonly saml: SamlSettings | null;
}

const ROW = `c.tenant_id AS "tenantId", c.id, c.name, c.status, c.settings_version AS "settingsVersion", c.provisioning,
  c.trusts_second_factor AS "trustsSecondFactor", c.idp_initiated AS "idpInitiated", c.identity_assertions AS "identityAssertions",
  CASE WHEN o.connection_id IS NOT NULL THEN json_build_object('issuer', o.issuer, 'clientId', o.client_id,
    'clientAuthentication', o.client_authentication, 'sealedClientSecret', o.sealed_client_secret,
    'scopes', o.scopes, 'claims', o.claims, 'acrValues', o.acr_values, 'trustedAudiences', o.trusted_audiences) END AS oidc,
  CASE WHEN s.connection_id IS NOT NULL THEN json_build_object('entityId', s.entity_id, 'ssoUrl', s.sso_url, 'ssoBinding', coalesce(s.sso_binding, 'redirect'),
    'sloUrl', s.slo_url, 'metadataUrl', s.metadata_url,
    'metadataValidUntil', s.metadata_valid_until, 'signRequests', s.sign_requests,
    'wantEncryptedAssertions', s.want_encrypted_assertions, 'authnInstantMaxAge', s.authn_instant_max_age, 'nameIdFormat', s.name_id_format, 'attributes', s.attributes,
    'certificates', coalesce((SELECT json_agg(json_build_object('sha256', x.sha256, 'certificate', x.certificate) ORDER BY x.first_seen, x.sha256)
      FROM connection_certificates x
      WHERE x.tenant_id = c.tenant_id AND x.connection_id = c.id AND x.retired_at IS NULL), '[]'::json)) END AS saml,
  ARRAY(SELECT d.domain FROM connection_domains a JOIN tenant_domains d ON d.tenant_id = a.tenant_id AND d.id = a.domain_id
    WHERE a.tenant_id = c.tenant_id AND a.connection_id = c.id AND d.status = 'verified' ORDER BY d.domain) AS domains,
  coalesce((SELECT json_agg(json_build_object('attribute', r.attribute, 'operator', r.operator, 'value', r.value, 'roleIds', r.role_ids) ORDER BY r.ordinal)
    FROM connection_rules r WHERE r.tenant_id = c.tenant_id AND r.connection_id = c.id), '[]'::json) AS rules
  FROM connections c
    LEFT JOIN oidc_connections o ON o.tenant_id = c.tenant_id AND o.connection_id = c.id
    LEFT JOIN saml_connections s ON s.tenant_id = c.tenant_id AND s.connection_id = c.id`;

/** Reads connections whole, each by one statement. */
@Injectable()
export class ConnectionSettingsRepository {
  private readonly sealer: Sealer;

  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    keys: KeyDerivation,
  ) {
    this.sealer = new Sealer(keys, 'connection-secret');
  }

  /** Returns the connections with these ids, by id, without those that do not exist. */
  async load(ids: readonly string[]): Promise<ReadonlyMap<string, Connection>> {
    const rows = await this.database.rows<Row>(prepared(`SELECT ${ROW} WHERE c.id = ANY($1)`), [ids]);
    return new Map(rows.map((row) => [row.id, this.toConnection(row)]));
  }

  /** Locks a connection against changes until the transaction ends, and reads it. */
  async findForShare(tenantId: TenantId, id: string): Promise<Connection | null> {
    const sql = 'SELECT 1 FROM connections WHERE tenant_id = $1 AND id = $2 FOR SHARE';
    if (!(await this.tenants.row(tenantId, sql, [id]))) return null;
    return (await this.load([id])).get(id) ?? null;
  }

  /**
   * Finds the active connection to which a verified domain is assigned; the oldest, if there are
   * several.
   */
  async findIdByDomain(domain: string): Promise<string | null> {
    const row = await this.database.row<{ id: string }>(
      prepared(`SELECT c.id FROM tenant_domains d
         JOIN connection_domains a ON a.tenant_id = d.tenant_id AND a.domain_id = d.id
         JOIN connections c ON c.tenant_id = a.tenant_id AND c.id = a.connection_id
       WHERE d.domain = $1 AND d.status = 'verified' AND c.status = 'active' ORDER BY c.id LIMIT 1`),
      [domain],
    );
    return row?.id ?? null;
  }

  async findIdOfTenant(tenantId: TenantId): Promise<string | null> {
    const row = await this.tenants.row<{ id: string }>(
      tenantId,
      "SELECT id FROM connections WHERE tenant_id = $1 AND status = 'active' ORDER BY id LIMIT 1",
      [],
    );
    return row?.id ?? null;
  }

  /**
   * Returns the ids of the connections of these issuers whose identity assertions are trusted, by
   * issuer, in order of id.
   */
  async listTrustedIds(issuers: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.database.rows<{ issuer: string; ids: string[] }>(
      prepared(`SELECT o.issuer, array_agg(c.id ORDER BY c.id) AS ids FROM oidc_connections o
         JOIN connections c ON c.tenant_id = o.tenant_id AND c.id = o.connection_id
       WHERE o.issuer = ANY($1) AND c.identity_assertions AND c.status = 'active' GROUP BY o.issuer`),
      [issuers],
    );
    return new Map(rows.map(({ issuer, ids }) => [issuer, ids]));
  }

  /** Returns the issuers of connections by OpenID Connect. */
  listIssuers(ids: readonly string[]): Promise<string[]> {
    return this.database.values<string>(
      `SELECT o.issuer FROM connections c JOIN oidc_connections o ON o.tenant_id = c.tenant_id AND o.connection_id = c.id
       WHERE c.id = ANY($1)`,
      [ids],
    );
  }

  /** Seals a client secret as {@link load} opens it. */
  sealSecret(clientSecret: string): string {
    return this.sealer.seal(clientSecret);
  }

  private toConnection({ oidc, saml, ...common }: Row): Connection {
    if (saml) {
      const authnInstantMaxAge = ageOf(saml.authnInstantMaxAge);
      return { ...common, kind: 'saml', settings: { ...saml, authnInstantMaxAge } };
    }
    if (!oidc) throw new Error('A connection has no settings.');
    const { sealedClientSecret, ...settings } = oidc;
    const revealClientSecret = () =>
      sealedClientSecret === null ? null : this.sealer.open(sealedClientSecret);
    return { ...common, kind: 'oidc', settings, revealClientSecret };
  }
}

/** @param stored null for the setting of the deployment, 0 for no limit */
const ageOf = (stored: number | null | undefined): number | null | undefined =>
  stored === 0 ? null : (stored ?? undefined);
