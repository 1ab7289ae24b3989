import { Injectable } from '@nestjs/common';
import { columnsOf, Database, prepared } from '../../platform/database/index.js';
import type { SamlSettings } from './saml-client.js';
import { SamlClientEntity } from './saml-client.entity.js';

const FIND = prepared(`SELECT ${columnsOf(SamlClientEntity)} FROM saml_clients WHERE client_id = $1`);

/** Settings of SAML, by client id. */
@Injectable()
export class SamlClientRepository {
  constructor(private readonly database: Database) {}

  async find(clientId: string): Promise<SamlSettings | null> {
    const row = await this.database.row<SamlClientEntity>(FIND, [clientId]);
    if (!row) return null;
    const { clientId: _, ...settings } = row;
    return settings;
  }

  async insert(clientId: string, settings: SamlSettings): Promise<void> {
    await this.database.repository(SamlClientEntity).insert({ clientId, ...settings });
  }

  async update(clientId: string, settings: SamlSettings): Promise<void> {
    await this.database.repository(SamlClientEntity).update({ clientId }, settings);
  }
}
