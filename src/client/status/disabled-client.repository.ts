import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../platform/database/index.js';
import { DisabledClientEntity } from '../registry/client.entity.js';

/** Clients whose tokens are refused. */
@Injectable()
export class DisabledClientRepository {
  constructor(private readonly database: Database) {}

  /** Returns those of the clients that are disabled. */
  async findDisabled(clientIds: readonly string[]): Promise<ReadonlySet<string>> {
    const sql = prepared('SELECT client_id FROM disabled_clients WHERE client_id = ANY($1)');
    return new Set(await this.database.values<string>(sql, [clientIds]));
  }

  /** Changes nothing if the client is disabled already. */
  async insert(clientId: string): Promise<void> {
    const insert = this.database.repository(DisabledClientEntity).createQueryBuilder().insert();
    await insert.values({ clientId }).orIgnore().execute();
  }

  async delete(clientId: string): Promise<void> {
    await this.database.repository(DisabledClientEntity).delete({ clientId });
  }
}
