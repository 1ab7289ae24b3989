import { Injectable } from '@nestjs/common';
import { matchesClientSecret } from '../../platform/crypto/index.js';
import { ChangeFeed, LiveCache } from '../../platform/live/index.js';
import { type Client, ClientRepository, type RegisteredClient } from './client.repository.js';
import { sectorOf } from './client-traits.js';

const CLIENTS_CHANNEL = 'gatehouse_satellites_changed';

/** Credentials by which the server of a client authenticates. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

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

  /** @returns null if it is not registered, or disabled */
  async findEnabled(clientId: string): Promise<Client | null> {
    const registered = await this.find(clientId);
    return registered?.client.disabledAt === null ? registered.client : null;
  }

  /**
   * Finds the client that has this secret. Compares in constant time, also for an unknown client.
   * @returns null if the secret is wrong, or the client is not registered, or disabled
   */
  async findProven({ clientId, clientSecret }: ClientCredentials): Promise<Client | null> {
    const registered = await this.find(clientId);
    const isProven = matchesClientSecret(clientSecret, registered?.secretHashes ?? [null, null]);
    return isProven && registered?.client.disabledAt === null ? registered.client : null;
  }

  /** Returns whose clients share the identifiers of people with this one. */
  async getSector({ clientId, redirectUris }: Client): Promise<string> {
    const registered = await this.find(clientId);
    return sectorOf({ sector: registered?.sector ?? null, clientId, redirectUris });
  }

  /** Invalidates a registration on every replica after the commit of the open transaction. */
  announce(clientId: string): Promise<void> {
    return this.clients.announce(clientId);
  }
}
