import { Injectable } from '@nestjs/common';
import { type TenantId, timeOfId } from '../../kernel/index.js';
import { ChangeFeed, LiveCache } from '../../platform/live/index.js';
import type { Api } from '../apis/api.repository.js';
import type { AgentPolicyEntity } from './agent-policy.entity.js';
import {
  type AgentPolicy,
  AgentPolicyRepository,
  namesOfClient,
  policyIdOf,
} from './agent-policy.repository.js';

const POLICIES_CHANNEL = 'gatehouse_agent_policies_changed';
const DAY_MS = 86_400_000;

/** Policy of who has set none. */
const NO_POLICY: AgentPolicy = { clients: 'off', listed: [], scopes: [], maxDays: null };

/** A grant of a client, and the organization that it is for. */
export interface GrantOfAgent {
  readonly grantId: string;
  readonly tenantId: TenantId | null;
}

/**
 * Decides what clients by metadata document may do: the policy of the organization that a grant is
 * for, or the platform's without one. Cached within the bounds of the {@link LiveCache}, so that a
 * change reaches each replica within a second.
 */
@Injectable()
export class AgentPolicies {
  private readonly policies: LiveCache<AgentPolicyEntity>;

  constructor(
    private readonly stored: AgentPolicyRepository,
    feed: ChangeFeed,
  ) {
    this.policies = new LiveCache(feed, POLICIES_CHANNEL, async (ids) => {
      return new Map((await stored.list(ids)).map((policy) => [policy.id, policy]));
    });
  }

  /** Returns the policy of an organization, or of the platform. */
  async get(tenantId: TenantId | null): Promise<AgentPolicy> {
    return (await this.policies.get(policyIdOf(tenantId))) ?? NO_POLICY;
  }

  async set(tenantId: TenantId | null, policy: AgentPolicy): Promise<void> {
    await this.stored.set(tenantId, policy);
    await this.policies.announce(policyIdOf(tenantId));
  }

  /**
   * Returns the scopes of an API that a client can have.
   * @param grant null before there is one
   * @returns null if the policy does not allow the client, or nothing of the API, or the grant is
   *   older than it allows
   */
  async findReach(
    clientId: string,
    api: Pick<Api, 'id' | 'tenantId' | 'scopes'>,
    grant: GrantOfAgent | null,
  ): Promise<ReadonlySet<string> | null> {
    // The person selects an organization later: that a client may ask is all that is decided here.
    if (grant === null && api.tenantId === null) return this.findAnyReach(clientId, api);
    const policy = await this.get(grant ? grant.tenantId : api.tenantId);
    if (!allowsClient(policy, clientId) || (grant && isTooOld(policy, grant))) return null;
    return namesOf(policy, api.id);
  }

  private async findAnyReach(
    clientId: string,
    { id, scopes }: Pick<Api, 'id' | 'scopes'>,
  ): Promise<ReadonlySet<string> | null> {
    const names = scopes.map(({ name }) => name);
    const asked = ['', ...names].map((name) => `${id}/${name}`);
    return (await this.stored.isAllowedAny(clientId, asked)) ? new Set(names) : null;
  }
}

/** Returns whether a policy allows a client by metadata document. */
export function allowsClient({ clients, listed }: AgentPolicy, clientId: string): boolean {
  if (clients === 'off') return false;
  return clients === 'any' || namesOfClient(clientId).some((name) => listed.includes(name));
}

const isTooOld = ({ maxDays }: AgentPolicy, { grantId }: GrantOfAgent): boolean =>
  maxDays !== null && Date.now() - timeOfId(grantId) > maxDays * DAY_MS;

function namesOf({ scopes }: AgentPolicy, apiId: string): ReadonlySet<string> | null {
  const prefix = `${apiId}/`;
  const allowed = scopes.filter((scope) => scope.startsWith(prefix));
  return allowed.length === 0 ? null : new Set(allowed.map((scope) => scope.slice(prefix.length)));
}
