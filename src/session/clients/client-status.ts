import { Injectable } from '@nestjs/common';
import { FIRST_PARTY_CLIENT } from '../../kernel/index.js';
import { ChangeFeed, LiveSet } from '../../platform/live/index.js';
import { DisabledClientRepository } from './disabled-client.repository.js';

const CLIENTS_CHANNEL = 'gatehouse_clients_changed';

/** Which clients' tokens count. A disabled client's are refused, also those it got before; enabled again, they count again. */
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

  async isEnabled(clientId: string): Promise<boolean> {
    return clientId === FIRST_PARTY_CLIENT || (await this.enabled.has(clientId));
  }

  async disable(clientId: string): Promise<void> {
    await this.clients.insert(clientId);
    await this.enabled.announce(clientId);
  }

  /** Nothing to tell: that a client is disabled is never kept in memory. */
  async enable(clientId: string): Promise<void> {
    await this.clients.delete(clientId);
  }
}
