import { Injectable } from '@nestjs/common';
import { AgentPolicies, type AgentPolicy, allowsClient, LiveApis } from '../../client/index.js';
import { AuditTrail } from '../../iam/index.js';
import { isUlid, type TenantId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { isPlainUrl } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { GrantRevocation } from '../../session/index.js';
import { type Agent, AgentRepository } from './agent.repository.js';

const FIELDS = ['clients', 'listed', 'scopes', 'maxDays'] as const;

/**
 * Manages what clients by metadata document may do, for an organization or, with null, for people
 * without one. The caller has checked the permission before.
 */
@Injectable()
export class AgentService {
  constructor(
    private readonly database: Database,
    private readonly policies: AgentPolicies,
    private readonly agents: AgentRepository,
    private readonly apis: LiveApis,
    private readonly grants: GrantRevocation,
    private readonly audit: AuditTrail,
  ) {}

  getPolicy(tenantId: TenantId | null): Promise<AgentPolicy> {
    return this.policies.get(tenantId);
  }

  /**
   * Replaces a policy. Ends the grants of clients that it does not allow any more; scopes that it
   * leaves out are refused at once.
   * @param actorId null for the command line
   * @throws {AppError} validation-error for an address in another spelling, or an unknown scope
   */
  async setPolicy(
    tenantId: TenantId | null,
    actorId: UserId | null,
    policy: AgentPolicy,
  ): Promise<AgentPolicy> {
    await this.requireKnown(tenantId, policy);
    await this.database.transaction(async () => {
      const before = await this.policies.get(tenantId);
      await this.policies.set(tenantId, policy);
      const changed = FIELDS.filter((field) => String(before[field]) !== String(policy[field]));
      await this.record(tenantId, actorId, changed);
      for (const clientId of await this.grants.listAgents(tenantId))
        if (!allowsClient(policy, clientId)) await this.grants.endGrantsOfAgent(tenantId, clientId);
    });
    return policy;
  }

  /**
   * Lists the agents that can act in the name of members now.
   * @returns one more than `page.limit` if there are more
   */
  list(tenantId: TenantId, page: Page): Promise<Agent[]> {
    return this.agents.list(tenantId, page);
  }

  /**
   * Ends what an agent may do in the name of each member of an organization. It can ask them again.
   * @throws {AppError} not-found
   */
  async end(tenantId: TenantId, actorId: UserId | null, id: string): Promise<void> {
    await this.database.transaction(async () => {
      const clientId = await this.agents.findClientId(tenantId, id);
      if (clientId === null) throw new AppError('not-found');
      await this.grants.endGrantsOfAgent(tenantId, clientId);
      if (actorId === null) return;
      await this.audit.record({ actorId, tenantId, action: 'agent.ended', subject: `iam/agents/${id}` });
    });
  }

  private async requireKnown(tenantId: TenantId | null, { listed, scopes }: AgentPolicy): Promise<void> {
    const known = await Promise.all(scopes.map((scope) => this.isKnown(tenantId, scope)));
    const violations = [
      ...listed.flatMap((name, n) => (isListable(name) ? [] : [fault(`listed[${n}]`, LISTABLE)])),
      ...known.flatMap((isKnown, n) => (isKnown ? [] : [fault(`scopes[${n}]`, SCOPE)])),
    ];
    if (violations.length > 0) throw new AppError('validation-error', { violations });
  }

  /** Returns whether a scope is one of an API of the platform, or of the organization. */
  private async isKnown(tenantId: TenantId | null, scope: string): Promise<boolean> {
    const [apiId = '', name = ''] = scope.split(/\/(.*)/s);
    const api = isUlid(apiId) ? await this.apis.find(apiId) : null;
    if (!api || (api.tenantId !== null && api.tenantId !== tenantId)) return false;
    return name === '' || api.scopes.some((one) => one.name === name);
  }

  private async record(
    tenantId: TenantId | null,
    actorId: UserId | null,
    changed: readonly string[],
  ): Promise<void> {
    if (actorId === null) return;
    await this.audit.record(
      tenantId === null
        ? { actorId, action: 'platform-agent-policy.changed', subject: 'iam/agent-policy', changed }
        : {
            actorId,
            tenantId,
            action: 'agent-policy.changed',
            subject: `iam/agent-policies/${tenantId}`,
            changed,
          },
    );
  }
}

const LISTABLE = 'must be a client id, or its origin without a slash, in canonical form';
const SCOPE = 'must be <id of the API>/<scope>, of an API that exists';

const fault = (propertyPath: string, message: string): Violation => ({ propertyPath, message });

/** Returns whether a policy can list it: a client id, which has a path, or an origin. */
const isListable = (name: string): boolean =>
  isPlainUrl(name) && (new URL(name).pathname !== '/' || new URL(name).origin === name);
