import { Injectable } from '@nestjs/common';
import { matchesClientSecret } from '../../platform/crypto/index.js';
import { ChangeFeed, LiveCache } from '../../platform/live/index.js';
import { AgentPolicies, type GrantOfAgent } from '../agents/agent-policies.js';
import { isClientUrl } from '../documents/client-document.js';
import { type Api, ApiRepository, type RegisteredApi } from './api.repository.js';

const APIS_CHANNEL = 'gatehouse_apis_changed';
const REACH_CHANNEL = 'gatehouse_api_reach_changed';

/** Caches APIs and what clients reach of them, within the bounds of the {@link LiveCache}. */
@Injectable()
export class LiveApis {
  private readonly apis: LiveCache<RegisteredApi>;
  private readonly reach: LiveCache<ReadonlySet<string>>;

  constructor(
    apis: ApiRepository,
    private readonly agents: AgentPolicies,
    feed: ChangeFeed,
  ) {
    this.apis = new LiveCache(feed, APIS_CHANNEL, async (names) => {
      const found = await apis.listRegistered(names);
      return new Map(found.flatMap((one) => [one.api.id, one.api.identifier].map((name) => [name, one])));
    });
    this.reach = new LiveCache(feed, REACH_CHANNEL, async (keys) => {
      const found = await apis.listReach(keys.map((key) => key.split(' ') as [string, string]));
      return new Map(found.map(({ clientId, apiId, scopes }) => [`${clientId} ${apiId}`, new Set(scopes)]));
    });
  }

  /** Finds an API by id or identifier. */
  async find(idOrIdentifier: string): Promise<Api | null> {
    return (await this.apis.get(idOrIdentifier))?.api ?? null;
  }

  /** Finds the API that has this secret. Compares in constant time, also for an unknown one. */
  async findProven(id: string, secret: string): Promise<Api | null> {
    const registered = await this.apis.get(id);
    const isProven = matchesClientSecret(secret, registered?.secretHashes ?? [null, null]);
    return isProven && registered ? registered.api : null;
  }

  /**
   * Returns the scopes of an API that a client can have; null for none.
   * @param grant by which a client by metadata document asks: the policy of its organization
   *   decides; null before there is one
   */
  findReach(
    clientId: string,
    api: Pick<Api, 'id' | 'tenantId' | 'scopes'>,
    grant: GrantOfAgent | null,
  ): Promise<ReadonlySet<string> | null> {
    return isClientUrl(clientId)
      ? this.agents.findReach(clientId, api, grant)
      : this.reach.get(`${clientId} ${api.id}`);
  }

  /** Invalidates an API on every replica after the commit of the open transaction. */
  announce({ id, identifier }: Pick<Api, 'id' | 'identifier'>): Promise<void> {
    return this.apis.announce(id, identifier);
  }

  /** Invalidates what a client reaches on every replica after the commit. */
  announceReach(clientId: string, ...apiIds: string[]): Promise<void> {
    return this.reach.announce(...apiIds.map((apiId) => `${clientId} ${apiId}`));
  }
}
