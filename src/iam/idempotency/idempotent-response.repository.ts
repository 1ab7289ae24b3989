import { Injectable } from '@nestjs/common';
import { LOCK, type UserId } from '../../kernel/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { columnsOf, Database, type Selected } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { IdempotentResponseEntity } from './idempotent-response.entity.js';

/** How long a response is kept. */
const LIFETIME_SECONDS = 86_400;

const KEPT = { requestHash: true, sealed: true } as const;

/** A response to be sent again. */
interface KeptResponse extends Selected<IdempotentResponseEntity, typeof KEPT> {
  /** Time since it was sent first. */
  readonly ageSeconds: number;
}

/** Responses kept by {@link Idempotency}. */
@Injectable()
@RemovesExpired({ table: 'idempotent_responses', key: 'account_id, key_hash', when: 'expires_at < now()' })
export class IdempotentResponseRepository {
  constructor(private readonly database: Database) {}

  /**
   * Locks a key until the end of the open transaction.
   * @returns whether it was free: if not, another transaction is working on it
   */
  async tryLock(accountId: UserId, keyHash: Buffer): Promise<boolean> {
    const { locked } = await this.database.getRow<{ locked: boolean }>(
      "SELECT pg_try_advisory_xact_lock(hashtextextended($1 || encode($2, 'hex'), 0)) AS locked",
      [accountId, keyHash],
    );
    return locked;
  }

  /** @param keyHashes the hashes of one key, under the current and the previous root secret */
  findUnexpired(accountId: UserId, keyHashes: readonly Buffer[]): Promise<KeptResponse | null> {
    return this.database.row<KeptResponse>(
      `SELECT ${columnsOf(IdempotentResponseEntity, '', KEPT)},
         $3 - extract(epoch FROM expires_at - now())::float8 AS "ageSeconds"
       FROM idempotent_responses WHERE account_id = $1 AND key_hash = ANY($2) AND expires_at > now()`,
      [accountId, keyHashes, LIFETIME_SECONDS],
    );
  }

  /**
   * Keeps a response; replaces an expired one under the same key. Keeps none for an account that a
   * parallel transaction has erased.
   * @param isPerson whether the caller has an account; a service account has none
   */
  async keep(response: Omit<IdempotentResponseEntity, 'expiresAt'>, isPerson: boolean): Promise<void> {
    await this.database.rows(
      `INSERT INTO idempotent_responses (account_id, key_hash, request_hash, sealed, expires_at)
       SELECT $1, $2, $3, $4, now() + make_interval(secs => $5)
       ${isPerson ? 'FROM accounts WHERE id = $1 AND erased_at IS NULL FOR KEY SHARE' : ''}
       ON CONFLICT (account_id, key_hash) DO UPDATE SET request_hash = excluded.request_hash,
         sealed = excluded.sealed, expires_at = excluded.expires_at`,
      [response.accountId, response.keyHash, response.requestHash, response.sealed, LIFETIME_SECONDS],
    );
  }

  @OnLifecycle('account.erased', { order: LOCK.accounts })
  async deleteAllOf({ userId }: { readonly userId: UserId }): Promise<void> {
    await this.database.repository(IdempotentResponseEntity).delete({ accountId: userId });
  }
}
