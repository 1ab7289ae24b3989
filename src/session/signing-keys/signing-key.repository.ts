import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type Selected } from '../../platform/database/index.js';
import { SigningKeyEntity } from './signing-key.entity.js';

const KEY_PAIR = { kid: true, publicJwk: true, sealedPrivateKey: true } as const;

/** A key pair as it is stored, its private half sealed. */
export interface StoredSigningKey extends Selected<SigningKeyEntity, typeof KEY_PAIR> {
  /** Seconds until it signs, by the clock of the database; negative once it does. */
  readonly dueIn: number;
}

/** A key without its pair. */
interface ListedSigningKey extends Pick<SigningKeyEntity, 'kid' | 'createdAt' | 'signsFrom'> {
  /** Whether its time to sign has begun, by the clock of the database. */
  readonly due: boolean;
}

/** Key of the advisory lock: any fixed number, the same in every replica. */
const FIRST_KEY_LOCK = 7_164_201_197;

/** Key pairs that sign access tokens. */
@Injectable()
export class SigningKeyRepository {
  constructor(private readonly database: Database) {}

  /** Locks out other replicas until the transaction ends. @returns whether there is a key */
  async lockFirstForUpdate(): Promise<boolean> {
    await this.database.rows('SELECT pg_advisory_xact_lock($1)', [FIRST_KEY_LOCK]);
    return this.database.repository(SigningKeyEntity).exists();
  }

  /** Returns all of them, the newest first. */
  findAll(): Promise<StoredSigningKey[]> {
    return this.database.rows<StoredSigningKey>(
      `SELECT ${columnsOf(SigningKeyEntity, '', KEY_PAIR)}, extract(epoch FROM signs_from - now())::float8 AS "dueIn"
       FROM signing_keys ORDER BY signs_from DESC`,
    );
  }

  /** Returns all of them for an operator, the newest first. */
  list(): Promise<ListedSigningKey[]> {
    return this.database.rows<ListedSigningKey>(
      `SELECT kid, created_at AS "createdAt", signs_from AS "signsFrom", signs_from <= now() AS due
       FROM signing_keys ORDER BY signs_from DESC`,
    );
  }

  /** Named SQL, because the time is counted by the clock of the database. */
  async insert({ kid, publicJwk, sealedPrivateKey, dueIn }: StoredSigningKey): Promise<void> {
    await this.database.rows(
      `INSERT INTO signing_keys (kid, public_jwk, sealed_private_key, signs_from) VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
      [kid, JSON.stringify(publicJwk), sealedPrivateKey, dueIn],
    );
  }

  /** Removes the keys whose successor has signed for this many seconds. */
  async deleteSucceeded(seconds: number): Promise<void> {
    await this.database.rows(
      `DELETE FROM signing_keys k WHERE EXISTS (
         SELECT 1 FROM signing_keys later WHERE later.signs_from > k.signs_from AND later.signs_from < now() - make_interval(secs => $1))`,
      [seconds],
    );
  }
}
