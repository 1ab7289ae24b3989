import { Inject, Injectable } from '@nestjs/common';
import { KeyDerivation, keyedHash, keyedHashes } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { UserId } from '../../kernel/index.js';
import { normalizeRecoveryCode } from './recovery-code.js';
import { RecoveryCodeEntity } from './recovery-code.entity.js';

/** Recovery codes that have not been used. Without the key, their hashes cannot be searched. */
@Injectable()
export class RecoveryCodeRepository {
  constructor(
    private readonly database: Database,
    @Inject(KeyDerivation) private readonly keys: KeyDerivation,
  ) {}

  /** Stores a new set. The former one is void. */
  async replace(userId: UserId, codes: readonly string[]): Promise<void> {
    await this.deleteAllOf(userId);
    const rows = codes.map((code) => ({
      userId,
      codeHash: keyedHash(this.keys, 'recovery-code', contentOf(userId, code)),
    }));
    await this.database.repository(RecoveryCodeEntity).insert(rows);
  }

  /** Takes a code, in one atomic statement. @returns true for the first caller only */
  async take(userId: UserId, code: string): Promise<boolean> {
    const taken = await this.database.rows(
      'DELETE FROM recovery_codes WHERE account_id = $1 AND code_hash = ANY($2) RETURNING 1',
      [userId, keyedHashes(this.keys, 'recovery-code', contentOf(userId, code))],
    );
    return taken.length === 1;
  }

  count(userId: UserId): Promise<number> {
    return this.database.repository(RecoveryCodeEntity).count({ where: { userId } });
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
