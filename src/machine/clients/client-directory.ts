import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { ChangeFeed, LiveCache } from '../../platform/live/index.js';
import { type Credential, CredentialRepository } from '../keys/credential.repository.js';

const CLIENTS_CHANNEL = 'gatehouse_machine_clients_changed';

/** Client credentials of a service account. */
interface LiveClient {
  readonly tenantId: TenantId;
  readonly credentials: readonly Credential[];
}

/** Caches client credentials in use, within the bounds of the {@link LiveCache}. */
@Injectable()
export class ClientDirectory {
  private readonly clients: LiveCache<LiveClient>;

  constructor(credentials: CredentialRepository, feed: ChangeFeed) {
    this.clients = new LiveCache(feed, CLIENTS_CHANNEL, async (accountIds) => {
      const found = Map.groupBy(await credentials.listOfClients(accountIds), ({ ownerId }) => ownerId);
      return new Map(
        [...found].flatMap(([id, all]) =>
          all[0] ? [[id, { tenantId: all[0].tenantId, credentials: all }] as const] : [],
        ),
      );
    });
  }

  /** @returns null for an account without credentials */
  find(accountId: string): Promise<LiveClient | null> {
    return this.clients.get(accountId);
  }

  /** Invalidates the credentials of accounts on every replica, after the commit. */
  async announce(...accountIds: string[]): Promise<void> {
    await this.clients.announce(...accountIds);
  }
}
