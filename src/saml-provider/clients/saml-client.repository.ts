import { Injectable } from '@nestjs/common';
import { columnsOf, Database, prepared } from '../../platform/database/index.js';
import { SAML_SETTINGS, type SamlSettings } from './saml-client.js';
import { SamlClientEntity } from './saml-client.entity.js';

const COLUMNS = columnsOf(SamlClientEntity, '', SAML_SETTINGS);

/** Settings of SAML, by client id. */
@Injectable()
export class SamlClientRepository {
  constructor(private readonly database: Database) {}

  find(clientId: string): Promise<SamlSettings | null> {
    return this.database.row<SamlSettings>(
      prepared(`SELECT ${COLUMNS} FROM saml_clients WHERE client_id = $1`),
      [clientId],
    );
  }

  async insert(clientId: string, settings: SamlSettings): Promise<void> {
    await this.database.repository(SamlClientEntity).insert({ clientId, ...settings });
  }

  async update(clientId: string, settings: SamlSettings): Promise<void> {
    await this.database.repository(SamlClientEntity).update({ clientId }, settings);
  }
}
