import { Injectable } from '@nestjs/common';
import { canonicalEmail, type UserId } from '../../../kernel/index.js';
import { Database } from '../../../platform/database/index.js';

/** Maximum addresses of one account, the oldest first: a thief of the account adds new ones. */
const MAX_ADDRESSES = 20;

/** An address by which the owner of an account may be reached. */
export interface KnownAddress {
  readonly email: string;
  /** False for one that waits for its confirmation: it may be a stranger's. */
  readonly isProven: boolean;
}

const KNOWN = `SELECT known.email, known.proven AS "isProven" FROM (
    SELECT email, email_key, true AS proven, 0 AS place, 'epoch'::timestamptz AS expires_at
    FROM accounts WHERE id = $1 AND email IS NOT NULL AND erased_at IS NULL
    UNION ALL
    SELECT email, email_key, true, 1, expires_at FROM email_undos WHERE account_id = $1 AND expires_at > now()
    UNION ALL
    SELECT email, email_key, false, 2, expires_at FROM email_changes WHERE account_id = $1 AND expires_at > now()) known
  WHERE NOT EXISTS (SELECT 1 FROM accounts other WHERE other.email_key = known.email_key AND other.id <> $1)
  ORDER BY known.place, known.expires_at`;

/** Finds the addresses of an owner, for warnings that the newest mailbox must not suppress. */
@Injectable()
export class KnownAddressRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the address of an account, the former ones that can be restored, and the one that waits
   * for its confirmation; without those that another account has.
   */
  async list(userId: UserId): Promise<KnownAddress[]> {
    const known = await this.database.rows<KnownAddress>(KNOWN, [userId]);
    return known.filter(isFirst).slice(0, MAX_ADDRESSES);
  }
}

const isFirst = ({ email }: KnownAddress, index: number, known: readonly KnownAddress[]): boolean =>
  known.findIndex((other) => canonicalEmail(other.email) === canonicalEmail(email)) === index;
