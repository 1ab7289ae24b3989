import { Injectable } from '@nestjs/common';
import { Cleanup } from '../../platform/cleanup/index.js';
import { columnsOf, Database, prepared, type Selected } from '../../platform/database/index.js';
import { ProviderKeyEntity } from './provider-key.entity.js';

const KEY = { kid: true, certificate: true, sealedPrivateKey: true, signsFrom: true } as const;

/** A key as it is stored. */
export type StoredKey = Selected<ProviderKeyEntity, typeof KEY>;

/** Days for which a key stays after its successor began to sign. */
const RETIREMENT_DAYS = 1;

/** Keys by which this service signs for apps. */
@Injectable()
export class ProviderKeyRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the key that signs, and those that will, in order, by the clock of the database.
   */
  list(clientId: string): Promise<StoredKey[]> {
    return this.database.rows<StoredKey>(
      prepared(`SELECT ${columnsOf(ProviderKeyEntity, '', KEY)} FROM saml_client_keys WHERE client_id = $1
         AND signs_from >= (SELECT max(signs_from) FROM saml_client_keys WHERE client_id = $1 AND signs_from <= now())
       ORDER BY signs_from`),
      [clientId],
    );
  }

  /**
   * Inserts a key, unless one waits already, and sets the expiry of its predecessor.
   * @returns false if one waits
   */
  async insert(
    clientId: string,
    { kid, certificate, sealedPrivateKey }: Omit<StoredKey, 'signsFrom'>,
    leadDays: number,
  ): Promise<boolean> {
    const inserted = await this.database.rows(
      `WITH next AS (
         INSERT INTO saml_client_keys (kid, client_id, certificate, sealed_private_key, signs_from)
         SELECT $2, $1, $3, $4, now() + make_interval(days => $5)
         WHERE NOT EXISTS (SELECT FROM saml_client_keys WHERE client_id = $1 AND signs_from > now())
         RETURNING signs_from),
       predecessor AS (
         UPDATE saml_client_keys SET expires_at = next.signs_from + interval '${RETIREMENT_DAYS} days'
         FROM next WHERE client_id = $1 AND expires_at IS NULL)
       SELECT 1 FROM next`,
      [clientId, kid, certificate, sealedPrivateKey, leadDays],
    );
    return inserted.length === 1;
  }

  /** Replaces the sealed form of a key, after a change of ROOT_SECRET. */
  async reseal(kid: string, sealedPrivateKey: string): Promise<void> {
    await this.database.repository(ProviderKeyEntity).update({ kid }, { sealedPrivateKey });
  }

  /** Removes keys whose successor has signed long enough. */
  @Cleanup()
  cleanUp(): Promise<boolean> {
    return this.database.removeInBatches({
      table: 'saml_client_keys',
      key: 'kid',
      when: 'expires_at < now()',
    });
  }
}
