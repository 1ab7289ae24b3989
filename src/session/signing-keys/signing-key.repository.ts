import type { webcrypto } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';

/** A key pair as it is kept, its private half sealed. */
export interface StoredSigningKey {
  readonly kid: string;
  readonly publicJwk: webcrypto.JsonWebKey;
  readonly sealedPrivateKey: string;
  /** Seconds until it signs, by the database's clock; negative for one that does. */
  readonly dueIn: number;
}

/** Any fixed number: replicas that make the first key together agree on it. */
const FIRST_KEY_LOCK = 7_164_201_194;

/** The keys that sign access tokens. */
@Injectable()
export class SigningKeyRepository {
  constructor(private readonly database: Database) {}

  /** Whether there is a key; no other replica makes the first one until the transaction ends. */
  async lockFirstForUpdate(): Promise<boolean> {
    await this.database.rows('SELECT pg_advisory_xact_lock($1)', [FIRST_KEY_LOCK]);
    return (await this.database.row('SELECT 1 FROM signing_keys')) !== null;
  }

  /** All of them, the newest first. */
  findAll(): Promise<StoredSigningKey[]> {
    return this.database.rows<StoredSigningKey>(
      `SELECT kid, public_jwk AS "publicJwk", sealed_private_key AS "sealedPrivateKey", extract(epoch FROM signs_from - now())::float8 AS "dueIn"
       FROM signing_keys ORDER BY signing_keys.signs_from DESC`,
    );
  }

  async insert({ kid, publicJwk, sealedPrivateKey, dueIn }: StoredSigningKey): Promise<void> {
    await this.database.rows(
      `INSERT INTO signing_keys (kid, public_jwk, sealed_private_key, signs_from) VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
      [kid, JSON.stringify(publicJwk), sealedPrivateKey, dueIn],
    );
  }

  /** Removes the keys whose successor has been signing for so many seconds. */
  async deleteSucceeded(seconds: number): Promise<void> {
    await this.database.rows(
      `DELETE FROM signing_keys k WHERE EXISTS (
         SELECT 1 FROM signing_keys later WHERE later.signs_from > k.signs_from AND later.signs_from < now() - make_interval(secs => $1))`,
      [seconds],
    );
  }
}
