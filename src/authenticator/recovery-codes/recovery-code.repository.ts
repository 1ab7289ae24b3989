import { Inject, Injectable } from '@nestjs/common';
import { KeyDerivation, keyedHash, keyedHashes } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { countsIn } from '../factor.repository.js';
import { normalizeRecoveryCode } from './recovery-code.js';
import { RecoveryCodeEntity } from './recovery-code.entity.js';

/** Recovery codes that have not been used. Without the key, their hashes cannot be searched. */
@Injectable()
export class RecoveryCodeRepository {
  constructor(
    private readonly database: Database,
    @Inject(KeyDerivation) private readonly keys: KeyDerivation,
  ) {}

  /** Stores a new set. The former one is void; sets of other organizations stay. */
  async replace(userId: UserId, codes: readonly string[], assuredBy: TenantId | null): Promise<void> {
    const former = { userId, ...(assuredBy !== null && { assuredBy }) };
    await this.database.repository(RecoveryCodeEntity).delete(former);
    const rows = codes.map((code) => ({
      userId,
      assuredBy,
      codeHash: keyedHash(this.keys, 'recovery-code', contentOf(userId, code)),
    }));
    await this.database.repository(RecoveryCodeEntity).insert(rows);
  }

  /**
   * Takes a code that counts, in one atomic statement.
   * @param scope organizations whose codes count besides the person's own
   * @returns its organization, for the first caller only; otherwise null
   */
  take(
    userId: UserId,
    code: string,
    scope: readonly TenantId[],
  ): Promise<Pick<RecoveryCodeEntity, 'assuredBy'> | null> {
    return this.database.row(
      `DELETE FROM recovery_codes WHERE account_id = $1 AND code_hash = ANY($2) AND ${countsIn('$3')} RETURNING assured_by AS "assuredBy"`,
      [userId, keyedHashes(this.keys, 'recovery-code', contentOf(userId, code)), scope],
    );
  }

  /** Counts the codes that count: of these organizations, and the person's own. */
  async count(userId: UserId, scope: readonly TenantId[]): Promise<number> {
    const sql = `SELECT count(*)::int FROM recovery_codes WHERE account_id = $1 AND ${countsIn('$2')}`;
    return (await this.database.value<number>(sql, [userId, scope])) ?? 0;
  }

  /** Deletes the codes that were created since a time. */
  async deleteCreatedSince(userId: UserId, since: Date): Promise<void> {
    const sql = 'DELETE FROM recovery_codes WHERE account_id = $1 AND created_at >= $2';
    await this.database.rows(sql, [userId, since]);
  }

  async deleteAllOf(userId: UserId): Promise<void> {
    await this.database.repository(RecoveryCodeEntity).delete({ userId });
  }
}

const contentOf = (userId: UserId, code: string): string => `${userId}|${normalizeRecoveryCode(code)}`;
