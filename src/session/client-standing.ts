import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../platform/database/index.js';
import { FIRST_PARTY_CLIENT } from '../platform/http/index.js';
import { ChangeFeed, LiveSet } from '../platform/live/index.js';

const CLIENTS_CHANNEL = 'gatehouse_clients_changed';

/** Which clients' tokens count. A disabled client's are refused, also those it got before; enabled again, they count again. */
@Injectable()
export class ClientStanding {
  private readonly enabled: LiveSet;

  constructor(
    private readonly database: Database,
    feed: ChangeFeed,
  ) {
    this.enabled = new LiveSet(feed, CLIENTS_CHANNEL, async (clientIds) => {
      const sql = prepared('SELECT client_id AS "clientId" FROM disabled_clients WHERE client_id = ANY($1)');
      const rows = await this.database.rows<{ clientId: string }>(sql, [clientIds]);
      const disabled = new Set(rows.map(({ clientId }) => clientId));
      return clientIds.filter((id) => !disabled.has(id));
    });
  }

  async isEnabled(clientId: string): Promise<boolean> {
    return clientId === FIRST_PARTY_CLIENT || (await this.enabled.has(clientId));
  }

  async disable(clientId: string): Promise<void> {
    const sql = 'INSERT INTO disabled_clients (client_id) VALUES ($1) ON CONFLICT DO NOTHING';
    await this.database.rows(sql, [clientId]);
    await this.enabled.announce(clientId);
  }

  /** Nothing to tell: that a client is disabled is never kept in memory. */
  async enable(clientId: string): Promise<void> {
    await this.database.rows('DELETE FROM disabled_clients WHERE client_id = $1', [clientId]);
  }
}
