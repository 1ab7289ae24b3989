import { Injectable } from '@nestjs/common';
import type { TenantId } from '../kernel/index.js';
import { MAX_COUNTED } from '../platform/api/index.js';
import { Database, prepared, TenantDatabase } from '../platform/database/index.js';
import { notEnded } from '../iam/index.js';
import { type PlatformFiguresResponse, SOON_DAYS, type TenantFiguresResponse } from './overview.dto.js';

/** Errors of a connection that concern all of its people, not the one who signed in. */
const CONNECTION_ERRORS = [
  'invalid_response',
  'metadata_expired',
  'metadata_not_refreshed',
  'provider_unavailable',
];

const upTo = (rows: string): string =>
  `(SELECT count(*)::int FROM (${rows} LIMIT ${MAX_COUNTED}) AS counted)`;
const ofTenant = (table: string, condition = 'true'): string =>
  upTo(`SELECT 1 FROM ${table} x WHERE x.tenant_id = $1 AND ${condition}`);
const soon = (column: string): string =>
  `x.${column} > statement_timestamp() AND x.${column} < statement_timestamp() + interval '${SOON_DAYS} days'`;
const ACTIVE = `x.status = 'active' AND ${notEnded('x')}`;

const TENANT_FIGURES = prepared(`SELECT
  ${ofTenant('members', ACTIVE)} AS members,
  (SELECT count(*)::int FROM (SELECT user_id FROM members x WHERE x.tenant_id = $1 AND ${ACTIVE} LIMIT ${MAX_COUNTED}) AS m
    WHERE EXISTS (SELECT FROM passkeys p WHERE p.account_id = m.user_id AND (p.assured_by IS NULL OR p.assured_by = $1))
      OR EXISTS (SELECT FROM totp_authenticators a WHERE a.account_id = m.user_id AND a.confirmed_at IS NOT NULL AND (a.assured_by IS NULL OR a.assured_by = $1)))
    AS "membersWithSecondFactor",
  ${ofTenant('members', "x.status = 'suspended'")} AS "suspendedMembers",
  (SELECT count(*)::int FROM (SELECT * FROM invitations WHERE tenant_id = $1 ORDER BY id DESC LIMIT ${MAX_COUNTED}) AS i
    WHERE i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()) AS "openInvitations",
  ${ofTenant('access_requests', "x.status = 'pending' AND x.expires_at > statement_timestamp()")} AS "waitingAccessRequests",
  ${ofTenant('service_accounts')} AS "serviceAccounts",
  ${ofTenant('tenant_domains', "x.status = 'verified'")} AS "verifiedDomains",
  ${ofTenant('tenant_domains', "(x.status = 'lapsed' OR x.missing_since IS NOT NULL)")} AS "domainsWithoutRecord",
  ${ofTenant('connections')} AS connections,
  ${ofTenant('connections', "x.status = 'active'")} AS "activeConnections",
  ${ofTenant('connections', `x.status = 'active' AND x.last_error IN ('${CONNECTION_ERRORS.join("','")}')`)} AS "failingConnections",
  ${ofTenant('directories')} AS directories,
  ${ofTenant('directories', "x.status = 'active'")} AS "activeDirectories",
  ${ofTenant('webhook_endpoints', "x.status <> 'deleted'")} AS webhooks,
  ${ofTenant('webhook_endpoints', "x.status = 'failing'")} AS "failingWebhooks",
  ${ofTenant('webhook_endpoints', "x.status = 'disabled'")} AS "disabledWebhooks",
  ${ofTenant('webhook_endpoints', "x.status = 'disabled' AND x.reason <> 'by-user'")} AS "stoppedWebhooks",
  (SELECT coalesce(t.sign_in_policy->>'secondFactor', 'optional') <> 'optional' FROM tenants t WHERE t.id = $1) AS "requiresSecondFactor",
  ${ofTenant('members', soon('until'))} + ${ofTenant('member_roles', soon('until'))} + ${ofTenant('role_assignments', soon('until'))} AS "endingAccess",
  ${ofTenant('machine_credentials', soon('expires_at'))} AS "endingKeys",
  ${ofTenant('directory_tokens', soon('expires_at'))} AS "endingDirectoryTokens",
  ${ofTenant('connection_certificates', `x.retired_at IS NULL AND ${soon('not_after')}`)} AS "endingCertificates"`);

/** Rows of a table, exactly for few, and else as the last ANALYZE has estimated them. */
const about = (table: string, condition = 'true'): string =>
  `(SELECT CASE WHEN n < ${MAX_COUNTED} THEN n ELSE greatest(n, (SELECT reltuples FROM pg_class WHERE oid = '${table}'::regclass)) END::float8
    FROM ${upTo(`SELECT 1 FROM ${table} WHERE ${condition}`)} AS c (n))`;

const PLATFORM_FIGURES = prepared(`SELECT
  ${about('accounts', 'erased_at IS NULL')} AS people,
  ${about('tenants')} AS organizations,
  (SELECT count(*)::int FROM job_runners WHERE seen_at > now() - interval '20 seconds') AS replicas,
  ${upTo('SELECT 1 FROM graphile_worker.jobs WHERE locked_at IS NULL AND run_at <= now() AND attempts < max_attempts')} AS "waitingJobs",
  ${upTo('SELECT 1 FROM graphile_worker.jobs WHERE last_error IS NOT NULL')} AS "failedJobs",
  ${upTo("SELECT 1 FROM webhook_endpoints WHERE status = 'failing'")} AS "failingWebhooks"`);

/** Reads figures of the present: of an organization by the indexes that begin with it. */
@Injectable()
export class OverviewRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  async getOfTenant(tenantId: TenantId): Promise<TenantFiguresResponse> {
    const [figures] = await this.tenants.rows<TenantFiguresResponse>(tenantId, TENANT_FIGURES);
    if (!figures) throw new Error('The statement returned no row.');
    return figures;
  }

  getOfPlatform(): Promise<PlatformFiguresResponse> {
    return this.database.getRow<PlatformFiguresResponse>(PLATFORM_FIGURES);
  }
}
