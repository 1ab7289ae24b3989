import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ChangeFeed, LiveCache } from '../../platform/live/index.js';
import { ClientRepository } from './client.repository.js';

const SCOPES_CHANNEL = 'gatehouse_satellite_scopes_changed';

/** Caches the scopes of clients, under the bounds of {@link LiveCache}. */
@Injectable()
export class RegisteredScopes implements OnApplicationBootstrap {
  private readonly logger = new Logger('Satellites');
  private readonly scopes: LiveCache<ReadonlySet<string>>;

  constructor(
    private readonly clients: ClientRepository,
    feed: ChangeFeed,
  ) {
    this.scopes = new LiveCache(feed, SCOPES_CHANNEL, async (clientIds) => {
      const found = await this.clients.findScopes(clientIds);
      return new Map(found.map(({ clientId, scopes }) => [clientId, new Set(scopes)]));
    });
  }

  /**
   * Warns of clients that were registered before scopes were introduced: they hold all scopes of
   * their visitors.
   */
  async onApplicationBootstrap(): Promise<void> {
    const clientIds = await this.clients.findInherited();
    if (clientIds.length > 0)
      this.logger.warn(
        { clientIds },
        'Satellites that were registered before scopes hold every permission of their visitors. Set their scopes.',
      );
  }

  async findScopes(clientId: string, lock: boolean): Promise<ReadonlySet<string> | null> {
    if (!lock) return this.scopes.get(clientId);
    const scopes = await this.clients.findScopesForShare(clientId);
    return scopes && new Set(scopes);
  }

  /** Invalidates the scopes on every replica after the commit of the open transaction. */
  announceChange(clientId: string): Promise<void> {
    return this.scopes.announce(clientId);
  }
}
