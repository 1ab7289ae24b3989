import { Injectable } from '@nestjs/common';
import { ActsInTrail, HELD_ROLES, NamedInTrail, type NamedThing } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import {
  columnsOf,
  Database,
  prepared,
  type RowContext,
  TenantDatabase,
} from '../../platform/database/index.js';
import { CertificateEntity } from '../certificates/certificate.entity.js';
import { firstWarning } from '../certificates/certificate-warnings.js';
import type {
  ConnectionKind,
  ConnectionStatus,
  OidcSettings,
  Provisioning,
  SamlSettings,
} from './connection.js';
import { ConnectionEntity, OidcConnectionEntity, SamlConnectionEntity } from './connection.entity.js';
import { ConnectionSettingsRepository } from './connection-settings.repository.js';
import type { GivenSaml, GivenSettings } from './connection-check.js';
import type { UpdateConnectionDto } from './connection.dto.js';
import type { ListedCertificate } from '../certificates/certificate.repository.js';

/** A connection as its administrators see it. */
export interface ManagedConnection extends ConnectionEntity {
  readonly settings: OidcSettings | Omit<SamlSettings, 'certificates'>;
  readonly certificates: readonly ListedCertificate[];
  /** Ids of the assigned domains, verified or not. */
  readonly domainIds: readonly string[];
}

/** Provisioning of a connection by which only members sign in. */
export const NO_PROVISIONING: Provisioning = {
  justInTime: false,
  defaultRoleIds: [],
  onNoMatch: 'default',
  syncRoles: 'first-sign-in',
};

const COLUMNS = columnsOf(ConnectionEntity, 'c');

/** Suspended members count: they can be restored. So do domains that are not verified yet. */
const REACHING = prepared(`SELECT c.id FROM connections c WHERE c.tenant_id = $1 AND c.id = ANY($2) AND (
    c.provisioning->'defaultRoleIds' ?| $3::text[]
    OR EXISTS (SELECT FROM connection_rules r
      WHERE r.tenant_id = c.tenant_id AND r.connection_id = c.id AND r.role_ids && $3::text[])
    OR EXISTS (SELECT FROM (${HELD_ROLES}) h JOIN accounts a ON a.id = h.user_id
      WHERE h.tenant_id = c.tenant_id AND h.role_id = ANY($3) AND (
        EXISTS (SELECT FROM external_identities i WHERE i.connection_id = c.id AND i.account_id = h.user_id)
        OR EXISTS (SELECT FROM connection_domains cd JOIN tenant_domains d ON d.tenant_id = cd.tenant_id AND d.id = cd.domain_id
          WHERE cd.tenant_id = c.tenant_id AND cd.connection_id = c.id AND d.domain = substring(a.email_key FROM '[^@]*$')))))`);

/** Connection, as a decision needs to know it. */
export interface FoundConnection {
  readonly id: string;
  readonly status: ConnectionStatus;
  readonly activatedAt: Date | null;
  /** Whether a test has passed since the settings last changed. */
  readonly isTested: boolean;
  /** Whether it is the only active one, and the organization requires one. */
  readonly isEnforced: boolean;
}

/** Connections of organizations, each with the settings of its protocol. */
@Injectable()
export class ConnectionRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly rows: ConnectionSettingsRepository,
  ) {}

  /** Loads rows as {@link TenantDatabase.loadByIds} does, for a decision. */
  loadByIds(ids: readonly string[], context: RowContext): Promise<ReadonlyMap<string, FoundConnection>> {
    const sql = `SELECT c.id, c.status, c.activated_at AS "activatedAt",
        c.tested_version IS NOT DISTINCT FROM c.settings_version AS "isTested",
        c.status = 'active' AND t.sign_in_policy->>'sso' IS NOT DISTINCT FROM 'required' AND NOT EXISTS (
          SELECT FROM connections o WHERE o.tenant_id = $1 AND o.status = 'active' AND o.id <> c.id) AS "isEnforced"
      FROM connections c JOIN tenants t ON t.id = c.tenant_id WHERE c.tenant_id = $1 AND c.id = ANY($2)`;
    return this.tenants.loadByIds(sql, ids, context);
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  async list(tenantId: TenantId, { limit, after }: Page): Promise<ManagedConnection[]> {
    return this.complete(
      tenantId,
      await this.tenants.rows<ConnectionEntity>(
        tenantId,
        `SELECT ${COLUMNS} FROM connections c WHERE c.tenant_id = $1 AND c.id > $2 ORDER BY c.id LIMIT $3`,
        [after ?? '', limit + 1],
      ),
    );
  }

  async find(tenantId: TenantId, id: string): Promise<ManagedConnection | null> {
    const sql = `SELECT ${COLUMNS} FROM connections c WHERE c.tenant_id = $1 AND c.id = $2`;
    const row = await this.tenants.row<ConnectionEntity>(tenantId, sql, [id]);
    return row && ((await this.complete(tenantId, [row]))[0] ?? null);
  }

  /** Locks a connection against changes and deletion, and reads it. */
  async findForShare(tenantId: TenantId, id: string): Promise<ManagedConnection | null> {
    const sql = 'SELECT 1 FROM connections WHERE tenant_id = $1 AND id = $2 FOR SHARE';
    return (await this.tenants.row(tenantId, sql, [id])) && this.find(tenantId, id);
  }

  async findActiveIds(tenantId: TenantId): Promise<string[]> {
    const sql = "SELECT id FROM connections WHERE tenant_id = $1 AND status = 'active' ORDER BY id LIMIT 2";
    return this.tenants.values<string>(tenantId, sql);
  }

  /**
   * Returns those of the connections that give one of these roles, or by which a person may sign
   * in who has one: with an identity at the connection, or with an address of its domains, which a
   * sign-in can link.
   */
  async findReaching(
    tenantId: TenantId,
    ids: readonly string[],
    roleIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    return new Set(await this.tenants.values<string>(tenantId, REACHING, [ids, roleIds]));
  }

  /** Counts the connections, and waits for transactions that add one. */
  async countForUpdate(tenantId: TenantId): Promise<number> {
    await this.database.lockNameForUpdate(`connections ${tenantId}`);
    return this.tenants.of(ConnectionEntity).count(tenantId);
  }

  async insert(tenantId: TenantId, id: string, kind: ConnectionKind, name: string): Promise<void> {
    await this.tenants
      .of(ConnectionEntity)
      .insert(tenantId, { id, kind, name, provisioning: NO_PROVISIONING });
  }

  async rename(tenantId: TenantId, id: string, name: string): Promise<void> {
    await this.tenants.of(ConnectionEntity).update(tenantId, { id }, { name });
  }

  /** Writes the settings of a new connection. */
  async insertSettings(tenantId: TenantId, connectionId: string, given: GivenSettings): Promise<void> {
    if (given.kind === 'oidc') {
      const row = { connectionId, ...given.settings, ...this.sealed(given.clientSecret) };
      await this.tenants.of(OidcConnectionEntity).insert(tenantId, row);
      return;
    }
    const row = { connectionId, ...storedOf(given.settings), ...fetchOf(given) };
    await this.tenants.of(SamlConnectionEntity).insert(tenantId, row);
    await this.insertCertificates(tenantId, connectionId, given);
  }

  /** Replaces the settings. A new version has not been tested: the connection is a draft. */
  async updateSettings(tenantId: TenantId, connectionId: string, given: GivenSettings): Promise<void> {
    if (given.kind === 'oidc') {
      const changes = { ...given.settings, ...this.sealed(given.clientSecret) };
      await this.tenants.of(OidcConnectionEntity).update(tenantId, { connectionId }, changes);
    } else {
      const changes = { ...storedOf(given.settings), ...fetchOf(given) };
      await this.tenants.of(SamlConnectionEntity).update(tenantId, { connectionId }, changes);
      if (given.certificates) {
        await this.tenants.of(CertificateEntity).delete(tenantId, { connectionId });
        await this.insertCertificates(tenantId, connectionId, given);
      }
    }
    await this.tenants.rows(
      tenantId,
      `UPDATE connections SET settings_version = settings_version + 1, status = 'draft'
       WHERE tenant_id = $1 AND id = $2`,
      [connectionId],
    );
  }

  async setProvisioning(tenantId: TenantId, id: string, provisioning: Provisioning): Promise<void> {
    await this.tenants.rows(
      tenantId,
      'UPDATE connections SET provisioning = $3::jsonb WHERE tenant_id = $1 AND id = $2',
      [id, JSON.stringify(provisioning)],
    );
  }

  /** Sets those that are given. */
  async setSwitches(
    tenantId: TenantId,
    id: string,
    switches: Pick<UpdateConnectionDto, 'idpInitiated' | 'trustsSecondFactor' | 'identityAssertions'>,
  ): Promise<void> {
    const given = Object.entries(switches).filter(([, value]) => value !== undefined);
    if (given.length > 0)
      await this.tenants.of(ConnectionEntity).update(tenantId, { id }, Object.fromEntries(given));
  }

  async activate(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants
      .of(ConnectionEntity)
      .update(tenantId, { id }, { status: 'active', activatedAt: () => 'now()' });
  }

  async disable(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.of(ConnectionEntity).update(tenantId, { id }, { status: 'disabled' });
  }

  /** @returns the ids that are domains of the organization; locks them against deletion */
  async findDomainsForShare(tenantId: TenantId, ids: readonly string[]): Promise<string[]> {
    const sql =
      'SELECT id FROM tenant_domains WHERE tenant_id = $1 AND id = ANY($2) ORDER BY id FOR KEY SHARE';
    return this.tenants.values<string>(tenantId, sql, [ids]);
  }

  /** Assigns these domains to the connection, and no others. */
  async assignDomains(tenantId: TenantId, id: string, domainIds: readonly string[]): Promise<void> {
    await this.tenants.rows(
      tenantId,
      'DELETE FROM connection_domains WHERE tenant_id = $1 AND connection_id = $2 AND domain_id <> ALL($3)',
      [id, domainIds],
    );
    await this.tenants.rows(
      tenantId,
      `INSERT INTO connection_domains (tenant_id, connection_id, domain_id)
       SELECT $1, $2, domain_id FROM unnest($3::text[]) AS domain_id ON CONFLICT DO NOTHING`,
      [id, domainIds],
    );
  }

  /** Deletes a connection with what belongs to it. */
  async delete(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.of(ConnectionEntity).delete(tenantId, { id });
  }

  private async complete(
    tenantId: TenantId,
    rows: readonly ConnectionEntity[],
  ): Promise<ManagedConnection[]> {
    const ids = rows.map(({ id }) => id);
    const loaded = await this.rows.load(ids);
    const domains = await this.tenants.rows<{ id: string; domainId: string }>(
      tenantId,
      `SELECT connection_id AS id, domain_id AS "domainId" FROM connection_domains
       WHERE tenant_id = $1 AND connection_id = ANY($2) ORDER BY domain_id`,
      [ids],
    );
    const certificates = await this.tenants.rows<ListedCertificate & { id: string }>(
      tenantId,
      `SELECT connection_id AS id, sha256, not_after AS "notAfter", last_used AS "lastUsed" FROM connection_certificates
       WHERE tenant_id = $1 AND connection_id = ANY($2) AND retired_at IS NULL ORDER BY first_seen, sha256`,
      [ids],
    );
    return rows.flatMap((row) => {
      const settings = loaded.get(row.id)?.settings;
      if (!settings) return [];
      const isOwn = ({ id }: { readonly id: string }) => id === row.id;
      return [
        {
          ...row,
          settings,
          certificates: certificates.filter(isOwn),
          domainIds: domains.filter(isOwn).map(({ domainId }) => domainId),
        },
      ];
    });
  }

  private async insertCertificates(
    tenantId: TenantId,
    connectionId: string,
    { certificates = [], metadata }: GivenSaml,
  ): Promise<void> {
    const source = metadata ? 'metadata' : 'manual';
    const distinct = new Map(certificates.map((one) => [one.sha256, one]));
    for (const certificate of distinct.values())
      await this.tenants.of(CertificateEntity).insert(tenantId, {
        connectionId,
        source,
        ...certificate,
        warnAt: firstWarning(certificate.notAfter),
      });
  }

  private sealed(clientSecret: string | null | undefined): { readonly sealedClientSecret?: string | null } {
    if (clientSecret === undefined) return {};
    return { sealedClientSecret: clientSecret === null ? null : this.rows.sealSecret(clientSecret) };
  }

  /** Returns the names of those that exist. */
  @NamedInTrail({ collection: 'iam/connections', scope: 'iam:connection:read' })
  @ActsInTrail('connection')
  findNamed(tenantIds: readonly TenantId[], ids: readonly string[]): Promise<NamedThing[]> {
    return this.tenants.listNames('connections', tenantIds, ids);
  }
}

/** Returns settings as their table has them, where 0 is no limit and null the deployment's. */
const storedOf = ({ authnInstantMaxAge, ...settings }: GivenSaml['settings']) => ({
  ...settings,
  authnInstantMaxAge: authnInstantMaxAge === null ? 0 : (authnInstantMaxAge ?? null),
});

/** What is kept of metadata: that at a URL is read again after a day. */
function fetchOf({ settings, metadata, certificates }: GivenSaml) {
  const isByUrl = settings.metadataUrl !== null;
  if (isByUrl && metadata === null) return {};
  return {
    // Certificates that do not change are still the metadata's, and end with it.
    ...(certificates && { metadataValidUntil: metadata?.validUntil ?? null }),
    fetchedAt: isByUrl ? () => 'now()' : null,
    nextFetchAt: isByUrl ? () => "now() + interval '1 day'" : null,
  };
}
