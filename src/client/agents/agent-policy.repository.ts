import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { columnsOf, Database, prepared } from '../../platform/database/index.js';
import { AgentPolicyEntity } from './agent-policy.entity.js';

export type AgentPolicy = Omit<AgentPolicyEntity, 'id' | 'tenantId'>;

/** Key of the policy that is for people without a selected organization. */
const PLATFORM = 'platform';

/** Returns the key of the policy of an organization, or of the platform. */
export const policyIdOf = (tenantId: TenantId | null): string => tenantId ?? PLATFORM;

/** Returns what may be listed for a client: its id, or its origin. */
export const namesOfClient = (clientId: string): string[] => [clientId, new URL(clientId).origin];

/** What organizations and the platform allow of clients by metadata document. */
@Injectable()
export class AgentPolicyRepository {
  constructor(private readonly database: Database) {}

  /** Returns policies by their ids; those that were never set are left out. */
  async list(ids: readonly string[]): Promise<AgentPolicyEntity[]> {
    return this.database.rows<AgentPolicyEntity>(
      prepared(`SELECT ${columnsOf(AgentPolicyEntity)} FROM agent_policies WHERE id = ANY($1)`),
      [ids],
    );
  }

  async set(tenantId: TenantId | null, { clients, listed, scopes, maxDays }: AgentPolicy): Promise<void> {
    await this.database.rows(
      `INSERT INTO agent_policies (id, tenant_id, clients, listed, scopes, max_days) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (id) DO UPDATE SET clients = $3, listed = $4, scopes = $5, max_days = $6`,
      [policyIdOf(tenantId), tenantId, clients, listed, scopes, maxDays],
    );
  }

  /** Returns whether a policy names this client, or allows any; null if none does. */
  async findAllowing(clientId: string): Promise<'listed' | 'any' | null> {
    const row = await this.database.row<Pick<AgentPolicy, 'clients'>>(
      `(SELECT clients FROM agent_policies WHERE clients = 'listed' AND listed && $1::text[] LIMIT 1)
       UNION ALL (SELECT clients FROM agent_policies WHERE clients = 'any' ORDER BY id LIMIT 1) LIMIT 1`,
      [namesOfClient(clientId)],
    );
    return row && row.clients !== 'off' ? row.clients : null;
  }

  /** Returns whether any policy allows this client one of the scopes. */
  isAllowedAny(clientId: string, scopes: readonly string[]): Promise<boolean> {
    return this.database.hasRow(
      `(SELECT 1 FROM agent_policies WHERE clients = 'listed' AND listed && $1::text[] AND scopes && $2::text[] LIMIT 1)
       UNION ALL (SELECT 1 FROM agent_policies WHERE clients = 'any' AND scopes && $2::text[] LIMIT 1) LIMIT 1`,
      [namesOfClient(clientId), scopes],
    );
  }
}
