import { Injectable } from '@nestjs/common';
import { NamedInTrail, type NamedThing } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { Database, prepared, TenantDatabase } from '../../platform/database/index.js';
import type { Client } from '../../client/index.js';

/** A client by metadata document that acts in the name of members. */
export interface Agent extends Pick<Client, 'id' | 'clientId' | 'name' | 'logoHash'> {
  /** Members in whose name it can act now. */
  readonly people: number;
  readonly lastUsedAt: Date;
  /** That these members have allowed it. */
  readonly scopes: string[];
}

/** SQL of the present grants of agents of the tenant `$1`. */
const GRANTS = `grants WHERE tenant_id = $1 AND strpos(client_id, '://') > 0 AND ended_at IS NULL AND idle_expires_at > now()`;

/** Clients by metadata document that have grants of members. */
@Injectable()
export class AgentRepository {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly database: Database,
  ) {}

  /** @returns a page in order of registration, and one row more if there is a next page */
  list(tenantId: TenantId, { after, limit }: Page): Promise<Agent[]> {
    return this.tenants.rows<Agent>(
      tenantId,
      `SELECT s.id, s.client_id AS "clientId", s.name, s.logo_hash AS "logoHash", a.people, a.last_used_at AS "lastUsedAt",
         ARRAY(SELECT DISTINCT unnest(granted_scopes) FROM ${GRANTS} AND client_id = s.client_id ORDER BY 1) AS scopes
       FROM (SELECT client_id, count(DISTINCT account_id)::int AS people, max(last_used_at) AS last_used_at FROM ${GRANTS} GROUP BY client_id) a
         JOIN satellites s ON s.client_id = a.client_id
       WHERE s.id > $2 ORDER BY s.id LIMIT $3`,
      [after ?? '', limit + 1],
    );
  }

  /** Returns the client id of an agent that has grants of members; null without one. */
  findClientId(tenantId: TenantId, id: string): Promise<string | null> {
    return this.tenants.value(
      tenantId,
      `SELECT s.client_id FROM satellites s
       WHERE s.id = $2 AND EXISTS (SELECT 1 FROM ${GRANTS} AND client_id = s.client_id)`,
      [id],
    );
  }

  /** Names agents in the audit trail, also ended ones. They belong to no organization. */
  @NamedInTrail({ collection: 'iam/agents', scope: 'iam:client:read' })
  findNamed(tenantIds: readonly TenantId[], ids: readonly string[]): Promise<NamedThing[]> {
    const sql =
      prepared(`SELECT asked.tenant_id AS "tenantId", s.id, s.name FROM unnest($1::text[], $2::text[]) AS asked (tenant_id, id)
       JOIN satellites s ON s.id = asked.id AND strpos(s.client_id, '://') > 0`);
    return this.database.rows(sql, [tenantIds, ids]);
  }
}
