import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type Selected } from '../../platform/database/index.js';
import { RsaKeyEntity } from './rsa-key.entity.js';

const KEY_PAIR = { kid: true, publicJwk: true, sealedPrivateKey: true } as const;

/** A key pair as it is stored. */
export interface StoredRsaKey extends Selected<RsaKeyEntity, typeof KEY_PAIR> {
  /** Seconds until it signs, by the clock of the database; negative once it does. */
  readonly dueIn: number;
}

/** Key of the advisory lock: any fixed number, the same in every replica. */
const KEY_LOCK = 7_164_201_195;

/** Key pairs that sign by RS256. */
@Injectable()
export class RsaKeyRepository {
  constructor(private readonly database: Database) {}

  /** Locks out other replicas until the transaction ends. @returns whether there is a key */
  async lockFirstForUpdate(): Promise<boolean> {
    await this.database.rows('SELECT pg_advisory_xact_lock($1)', [KEY_LOCK]);
    return this.database.repository(RsaKeyEntity).exists();
  }

  /** Returns all of them, the newest first. */
  findAll(): Promise<StoredRsaKey[]> {
    return this.database.rows<StoredRsaKey>(
      `SELECT ${columnsOf(RsaKeyEntity, '', KEY_PAIR)}, extract(epoch FROM signs_from - now())::float8 AS "dueIn"
       FROM id_token_keys ORDER BY signs_from DESC`,
    );
  }

  /** Named SQL, because the time is counted by the clock of the database. */
  async insert({ kid, publicJwk, sealedPrivateKey, dueIn }: StoredRsaKey): Promise<void> {
    await this.database.rows(
      `INSERT INTO id_token_keys (kid, public_jwk, sealed_private_key, signs_from) VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
      [kid, JSON.stringify(publicJwk), sealedPrivateKey, dueIn],
    );
  }

  /** Removes the keys whose successor has signed for this many seconds. */
  async deleteSucceeded(seconds: number): Promise<void> {
    await this.database.rows(
      `DELETE FROM id_token_keys k WHERE EXISTS (
         SELECT 1 FROM id_token_keys later WHERE later.signs_from > k.signs_from AND later.signs_from < now() - make_interval(secs => $1))`,
      [seconds],
    );
  }
}
