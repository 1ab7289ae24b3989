import { Injectable } from '@nestjs/common';
import { FIRST_PARTY_CLIENT } from '../../kernel/index.js';
import { ChangeFeed, LiveSet } from '../../platform/live/index.js';
import { DisabledClientRepository } from './disabled-client.repository.js';

const CLIENTS_CHANNEL = 'gatehouse_clients_changed';

/**
 * Tells enabled clients from disabled ones. The tokens of a disabled client are refused, earlier
 * ones too; they are accepted again after the client is enabled.
 */
@Injectable()
export class ClientStatus {
  private readonly enabled: LiveSet;

  constructor(
    private readonly clients: DisabledClientRepository,
    feed: ChangeFeed,
  ) {
    this.enabled = new LiveSet(feed, CLIENTS_CHANNEL, async (clientIds) => {
      const disabled = await clients.findDisabled(clientIds);
      return clientIds.filter((id) => !disabled.has(id));
    });
  }

  /**
   * Checks the client under the bounds of {@link LiveSet}; the first-party client is always
   * enabled.
   */
  async isEnabled(clientId: string): Promise<boolean> {
    return clientId === FIRST_PARTY_CLIENT || (await this.enabled.has(clientId));
  }

  /** Disables the client in the open transaction and notifies all replicas after the commit. */
  async disable(clientId: string): Promise<void> {
    await this.clients.insert(clientId);
    await this.enabled.announce(clientId);
  }

  /** Enables the client. Needs no notification: replicas do not cache that a client is disabled. */
  async enable(clientId: string): Promise<void> {
    await this.clients.delete(clientId);
  }
}
