import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type Selected } from '../../../platform/database/index.js';
import { ConnectionKeyEntity, type KeyKind } from './connection-key.entity.js';

const KEY_PAIR = { kid: true, kind: true, certificate: true, sealedPrivateKey: true } as const;

/** A key pair, its private half sealed. */
export type SealedConnectionKey = Selected<ConnectionKeyEntity, typeof KEY_PAIR>;

/** A key pair as it is stored. */
export interface StoredConnectionKey extends SealedConnectionKey {
  /** Seconds until it signs, by the clock of the database; negative once it does. */
  readonly dueIn: number;
}

/** A key without its pair. */
export interface ListedConnectionKey extends Pick<
  ConnectionKeyEntity,
  'kid' | 'kind' | 'createdAt' | 'signsFrom'
> {
  /** Whether its time to sign has begun, by the clock of the database. */
  readonly due: boolean;
}

/** Keys of the advisory locks: any fixed numbers, the same in every replica. */
const SAML_LOCK = 7_164_201_196;
const OIDC_LOCK = 7_164_201_198;
const LOCKS: Readonly<Record<KeyKind, number>> = { saml: SAML_LOCK, oidc: OIDC_LOCK };

/** Key pairs of this service at identity providers. */
@Injectable()
export class ConnectionKeyRepository {
  constructor(private readonly database: Database) {}

  /** Locks the keys of a kind against other replicas and commands until the transaction ends. */
  async lockForUpdate(kind: KeyKind): Promise<void> {
    await this.database.rows('SELECT pg_advisory_xact_lock($1)', [LOCKS[kind]]);
  }

  /** Returns those of a kind, the newest first. */
  findAll(kind: KeyKind): Promise<StoredConnectionKey[]> {
    return this.database.rows<StoredConnectionKey>(
      `SELECT ${columnsOf(ConnectionKeyEntity, '', KEY_PAIR)}, extract(epoch FROM signs_from - now())::float8 AS "dueIn"
       FROM connection_keys WHERE kind = $1 ORDER BY signs_from DESC`,
      [kind],
    );
  }

  /** Returns all of them for an operator, the newest first. */
  list(): Promise<ListedConnectionKey[]> {
    return this.database.rows<ListedConnectionKey>(
      `SELECT kid, kind, created_at AS "createdAt", signs_from AS "signsFrom", signs_from <= now() AS due
       FROM connection_keys ORDER BY signs_from DESC`,
    );
  }

  /** Named SQL, because the time is counted by the clock of the database. */
  async insert(
    { kid, kind, certificate, sealedPrivateKey }: SealedConnectionKey,
    dueIn: number,
  ): Promise<Date> {
    const [row] = await this.database.rows<{ signsFrom: Date }>(
      `INSERT INTO connection_keys (kid, kind, certificate, sealed_private_key, signs_from)
       VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5)) RETURNING signs_from AS "signsFrom"`,
      [kid, kind, certificate, sealedPrivateKey, dueIn],
    );
    if (!row) throw new Error('The key was not stored.');
    return row.signsFrom;
  }

  /** Replaces the sealed form of a key, after a change of ROOT_SECRET. */
  async reseal(kid: string, sealedPrivateKey: string): Promise<void> {
    await this.database.repository(ConnectionKeyEntity).update({ kid }, { sealedPrivateKey });
  }

  async delete(kid: string): Promise<void> {
    await this.database.repository(ConnectionKeyEntity).delete({ kid });
  }

  /** Removes the keys whose successor of the same kind has signed for this many seconds. */
  async deleteSucceeded(seconds: number): Promise<void> {
    await this.database.rows(
      `DELETE FROM connection_keys k WHERE EXISTS (
         SELECT 1 FROM connection_keys later WHERE later.kind = k.kind AND later.signs_from > k.signs_from
           AND later.signs_from < now() - make_interval(secs => $1))`,
      [seconds],
    );
  }
}
