import { Injectable } from '@nestjs/common';
import { ChangeFeed, LiveCache } from '../../platform/live/index.js';
import { type RegisteredClient, ClientRepository } from './client.repository.js';

const CLIENTS_CHANNEL = 'gatehouse_satellites_changed';

/**
 * Caches the registrations of clients that use the endpoints of OAuth, with the hashes of their
 * secrets, within the bounds of the {@link LiveCache}.
 */
@Injectable()
export class LiveClients {
  private readonly clients: LiveCache<RegisteredClient>;

  constructor(clients: ClientRepository, feed: ChangeFeed) {
    this.clients = new LiveCache(feed, CLIENTS_CHANNEL, async (clientIds) => {
      const found = await clients.listRegistered(clientIds);
      return new Map(found.map((registered) => [registered.client.clientId, registered]));
    });
  }

  /** @returns null for an unknown client id; the registration also of a disabled client */
  find(clientId: string): Promise<RegisteredClient | null> {
    return this.clients.get(clientId);
  }

  /** Invalidates a registration on every replica after the commit of the open transaction. */
  announce(clientId: string): Promise<void> {
    return this.clients.announce(clientId);
  }
}
