import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';

/** The service's own key as it is kept, its private half sealed. */
export interface StoredSamlKey {
  readonly certificate: string;
  readonly sealedPrivateKey: string;
}

/** The one key that signs SAML requests. */
@Injectable()
export class SamlKeyRepository {
  constructor(private readonly database: Database) {}

  find(): Promise<StoredSamlKey | null> {
    return this.database.row<StoredSamlKey>(
      'SELECT certificate, sealed_private_key AS "sealedPrivateKey" FROM saml_keys',
    );
  }

  /** Of replicas that start together, the first one's key stays. */
  async insert({ certificate, sealedPrivateKey }: StoredSamlKey): Promise<void> {
    await this.database.rows(
      'INSERT INTO saml_keys (certificate, sealed_private_key) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [certificate, sealedPrivateKey],
    );
  }

  /** The same key, sealed anew. */
  async reseal(sealedPrivateKey: string): Promise<void> {
    await this.database.rows('UPDATE saml_keys SET sealed_private_key = $1', [sealedPrivateKey]);
  }
}
