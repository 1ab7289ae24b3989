import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type Selected } from '../../platform/database/index.js';
import { RsaKeyEntity } from './signing-key.entity.js';
import { SigningKeyEntity } from './signing-key.entity.js';

const KEY_PAIR = { kid: true, publicJwk: true, sealedPrivateKey: true } as const;

/** A key pair as it is stored, its private half sealed. */
export interface StoredKeyPair extends Selected<SigningKeyEntity, typeof KEY_PAIR> {
  /** Seconds until it signs, by the clock of the database; negative once it does. */
  readonly dueIn: number;
}

/** A key without its pair. */
interface ListedKey extends Pick<SigningKeyEntity, 'kid' | 'createdAt' | 'signsFrom'> {
  /** Whether its time to sign has begun, by the clock of the database. */
  readonly due: boolean;
}

/** Key pairs of one table. */
@Injectable()
abstract class KeyPairRepository {
  protected abstract readonly entity: typeof SigningKeyEntity | typeof RsaKeyEntity;
  protected abstract readonly table: string;
  /** Key of the advisory lock: any fixed number, the same in every replica. */
  protected abstract readonly firstKeyLock: number;

  constructor(private readonly database: Database) {}

  /** Locks out other replicas until the transaction ends. @returns whether there is a key */
  async lockFirstForUpdate(): Promise<boolean> {
    await this.database.rows('SELECT pg_advisory_xact_lock($1)', [this.firstKeyLock]);
    return this.database.repository(this.entity).exists();
  }

  /** Returns all of them, the newest first. */
  findAll(): Promise<StoredKeyPair[]> {
    return this.database.rows<StoredKeyPair>(
      `SELECT ${columnsOf(this.entity, '', KEY_PAIR)}, extract(epoch FROM signs_from - now())::float8 AS "dueIn"
       FROM ${this.table} ORDER BY signs_from DESC`,
    );
  }

  /** Returns all of them for an operator, the newest first. */
  list(): Promise<ListedKey[]> {
    return this.database.rows<ListedKey>(
      `SELECT kid, created_at AS "createdAt", signs_from AS "signsFrom", signs_from <= now() AS due
       FROM ${this.table} ORDER BY signs_from DESC`,
    );
  }

  /** Named SQL, because the time is counted by the clock of the database. */
  async insert({ kid, publicJwk, sealedPrivateKey, dueIn }: StoredKeyPair): Promise<void> {
    await this.database.rows(
      `INSERT INTO ${this.table} (kid, public_jwk, sealed_private_key, signs_from) VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
      [kid, JSON.stringify(publicJwk), sealedPrivateKey, dueIn],
    );
  }

  /** Removes the keys whose successor has signed for this many seconds. */
  async deleteSucceeded(seconds: number): Promise<void> {
    await this.database.rows(
      `DELETE FROM ${this.table} k WHERE EXISTS (
         SELECT 1 FROM ${this.table} later WHERE later.signs_from > k.signs_from AND later.signs_from < now() - make_interval(secs => $1))`,
      [seconds],
    );
  }
}

/** Key pairs that sign access tokens. */
@Injectable()
export class SigningKeyRepository extends KeyPairRepository {
  protected readonly entity = SigningKeyEntity;
  protected readonly table = 'signing_keys';
  protected readonly firstKeyLock = 7_164_201_197;
}

/** Key pairs that sign by RS256. */
@Injectable()
export class RsaKeyRepository extends KeyPairRepository {
  protected readonly entity = RsaKeyEntity;
  protected readonly table = 'id_token_keys';
  protected readonly firstKeyLock = 7_164_201_195;
}
