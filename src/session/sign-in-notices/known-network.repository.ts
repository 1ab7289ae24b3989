import { Inject, Injectable } from '@nestjs/common';
import { KeyDerivation, keyedHashes } from '../../platform/crypto/index.js';
import { Database, prepared } from '../../platform/database/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { networkOf } from '../../platform/web/index.js';
import type { UserId } from '../../kernel/index.js';
import { KnownNetworkEntity } from './known-network.entity.js';

/** As long as a known network is exempt from slowed logins (PW-4). */
const MEMORY_SECONDS = 90 * 86_400;
/**
 * Key that stands for any network. Never expires, so that a sign-in after years does not count as
 * the first one.
 */
const ANY = Buffer.alloc(0);

/** State of an account and a network before a sign-in. */
export interface NetworkKnowledge {
  /** Whether there was an earlier sign-in to the account, from any network. */
  readonly signedInBefore: boolean;
  readonly known: boolean;
}

/** Networks of earlier sign-ins, by keyed hash: without the key, rows do not reveal locations. */
@Injectable()
@RemovesExpired({ table: 'known_networks', key: 'account_id, network_key', when: 'expires_at < now()' })
export class KnownNetworkRepository {
  constructor(
    private readonly database: Database,
    @Inject(KeyDerivation) private readonly keys: KeyDerivation,
  ) {}

  /** Records a sign-in in one statement, which writes nothing if it was recorded within a day. */
  async note(accountId: UserId, ipAddress: string): Promise<NetworkKnowledge> {
    const [network, ...former] = keyedHashes(this.keys, 'known-network', networkOf(ipAddress));
    // The SELECT sees the table as it was before the INSERT (PostgreSQL, section 7.8.4).
    return this.database.getRow(
      prepared(`WITH noted AS (
         INSERT INTO known_networks AS n (account_id, network_key, expires_at)
         VALUES ($1, $2, 'infinity'), ($1, $3, now() + make_interval(secs => $5))
         ON CONFLICT (account_id, network_key) DO UPDATE SET expires_at = excluded.expires_at
         WHERE n.expires_at < excluded.expires_at - interval '1 day')
       SELECT coalesce(bool_or(network_key = $2), false) AS "signedInBefore",
         coalesce(bool_or(network_key <> $2), false) AS known
       FROM known_networks WHERE account_id = $1 AND (network_key IN ($2, $3) OR network_key = ANY($4))`),
      [accountId, ANY, network, former, MEMORY_SECONDS],
    );
  }

  async deleteAllOf(userId: UserId): Promise<void> {
    await this.database.repository(KnownNetworkEntity).delete({ userId });
  }
}
