import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../platform/database/index.js';

/** Clients whose tokens do not count. */
@Injectable()
export class DisabledClientRepository {
  constructor(private readonly database: Database) {}

  /** Those of the clients that are disabled. */
  async findDisabled(clientIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.rows<{ clientId: string }>(
      prepared('SELECT client_id AS "clientId" FROM disabled_clients WHERE client_id = ANY($1)'),
      [clientIds],
    );
    return new Set(rows.map(({ clientId }) => clientId));
  }

  async insert(clientId: string): Promise<void> {
    const sql = 'INSERT INTO disabled_clients (client_id) VALUES ($1) ON CONFLICT DO NOTHING';
    await this.database.rows(sql, [clientId]);
  }

  async delete(clientId: string): Promise<void> {
    await this.database.rows('DELETE FROM disabled_clients WHERE client_id = $1', [clientId]);
  }
}
