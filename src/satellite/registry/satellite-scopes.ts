import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ClientScopes } from '../../ability/index.js';
import { ChangeFeed, LiveCache } from '../../platform/live/index.js';
import { SatelliteRepository } from './satellite.repository.js';

const SCOPES_CHANNEL = 'gatehouse_satellite_scopes_changed';

/** Caches the scopes of satellites, under the bounds of {@link LiveCache}. */
@Injectable()
export class SatelliteScopes extends ClientScopes implements OnApplicationBootstrap {
  private readonly logger = new Logger('Satellites');
  private readonly scopes: LiveCache<ReadonlySet<string>>;

  constructor(
    private readonly satellites: SatelliteRepository,
    feed: ChangeFeed,
  ) {
    super();
    this.scopes = new LiveCache(feed, SCOPES_CHANNEL, async (clientIds) => {
      const found = await this.satellites.findScopes(clientIds);
      return new Map(found.map(({ clientId, scopes }) => [clientId, new Set(scopes)]));
    });
  }

  /**
   * Warns of satellites that were registered before scopes were introduced: they hold all scopes of
   * their visitors.
   */
  async onApplicationBootstrap(): Promise<void> {
    const clientIds = await this.satellites.findInherited();
    if (clientIds.length > 0)
      this.logger.warn(
        { clientIds },
        'Satellites that were registered before scopes hold every permission of their visitors. Set their scopes.',
      );
  }

  async findScopes(clientId: string, lock: boolean): Promise<ReadonlySet<string> | null> {
    if (!lock) return this.scopes.get(clientId);
    const scopes = await this.satellites.findScopesForShare(clientId);
    return scopes && new Set(scopes);
  }

  /** Invalidates the scopes on every replica after the commit of the open transaction. */
  announceChange(clientId: string): Promise<void> {
    return this.scopes.announce(clientId);
  }
}
