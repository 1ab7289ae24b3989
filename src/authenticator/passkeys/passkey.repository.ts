import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { columnsOf, Database, prepared, type Selected } from '../../platform/database/index.js';
import type { SessionId, UserId } from '../../kernel/index.js';
import { isLiftedBy, unblockedApps } from '../totp/totp.repository.js';
import type { OpenCeremony } from './ceremonies.js';
import type { Assertion } from './webauthn.js';
import { PasskeyEntity, PasskeyUserEntity } from './passkey.entity.js';
import { spendFlow } from './spent-ceremony.repository.js';

const PASSKEY = {
  id: true,
  name: true,
  credentialId: true,
  backedUp: true,
  transports: true,
  createdAt: true,
  lastUsedAt: true,
  assuredBy: true,
} as const;
const CREDENTIAL = {
  userId: true,
  id: true,
  credentialId: true,
  publicKey: true,
  signCount: true,
  backupEligible: true,
  assuredBy: true,
} as const;

const EXPORTED = {
  userId: true,
  credentialId: true,
  publicKey: true,
  signCount: true,
  transports: true,
  backupEligible: true,
  backedUp: true,
  name: true,
} as const;

/** A passkey, as its owner sees it. */
export type Passkey = Selected<PasskeyEntity, typeof PASSKEY>;

/** A passkey, as an assertion is verified with it. */
export interface StoredCredential extends Selected<PasskeyEntity, typeof CREDENTIAL> {
  /** User handle of the account. */
  readonly handle: Buffer;
}

/** A passkey with what verifies it, for another system. */
interface ExportedPasskey extends Selected<PasskeyEntity, typeof EXPORTED> {
  readonly handle: Buffer;
}

/** Bytes of a user handle (WebAuthn section 14.6.1 recommends 64 random bytes at most). */
const HANDLE_BYTES = 32;

const FIND_BY_CREDENTIAL = prepared(
  `SELECT ${columnsOf(PasskeyEntity, 'p', CREDENTIAL)}, u.handle
   FROM passkeys p JOIN passkey_users u ON u.account_id = p.account_id WHERE p.credential_id = $1`,
);

/** Each step depends on the one before: a spent ceremony changes nothing. */
const USE = prepared(
  `WITH spent AS (${spendFlow('$6')}),
   used AS (
     UPDATE passkeys SET sign_count = $3, backed_up = $4, last_used_at = now()
     WHERE account_id = $1 AND id = $2 AND ($5 OR sign_count < $3 OR sign_count = 0) AND EXISTS (SELECT FROM spent)
     RETURNING assured_by),
   ${unblockedApps('$1', `EXISTS (SELECT FROM used WHERE ${isLiftedBy('used.assured_by')})`)}
   SELECT EXISTS (SELECT FROM spent) AS "isSpent", EXISTS (SELECT FROM used) AS "isUsed"`,
);

/** What became of the use of a passkey. */
interface PasskeyUse {
  /** False if the ceremony was spent before. */
  readonly isSpent: boolean;
  /** False for a counter that has gone back, and for a removed passkey. */
  readonly isUsed: boolean;
}

/** Passkeys and user handles. */
@Injectable()
export class PasskeyRepository {
  constructor(private readonly database: Database) {}

  list(userId: UserId): Promise<Passkey[]> {
    return this.passkeys.find({ where: { userId }, select: PASSKEY, order: { id: 'ASC' } });
  }

  find(userId: UserId, id: string): Promise<Passkey | null> {
    return this.passkeys.findOne({ where: { userId, id }, select: PASSKEY });
  }

  /** Returns the user handle of an account; creates it if there is none. */
  async getHandle(userId: UserId): Promise<Buffer> {
    const found = await this.users.findOne({ where: { userId } });
    if (found) return found.handle;
    // Concurrent first requests get the same handle: the update returns that of the other one.
    const { handle } = await this.database.getRow<{ handle: Buffer }>(
      `INSERT INTO passkey_users AS u (account_id, handle) VALUES ($1, $2)
       ON CONFLICT (account_id) DO UPDATE SET handle = u.handle RETURNING handle`,
      [userId, randomBytes(HANDLE_BYTES)],
    );
    return handle;
  }

  /** Returns the user handle of an account; null for one that never began to add a passkey. */
  async findHandle(userId: UserId): Promise<Buffer | null> {
    return (await this.users.findOne({ where: { userId } }))?.handle ?? null;
  }

  /**
   * Gives a new account the handle that its passkeys have.
   * @returns false if another account has it
   */
  insertHandle(userId: UserId, handle: Buffer): Promise<boolean> {
    return this.database.hasRow(
      'INSERT INTO passkey_users (account_id, handle) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
      [userId, handle],
    );
  }

  /** Returns the own passkeys of people: none that counts in one organization only. */
  listOwn(userIds: readonly UserId[]): Promise<ExportedPasskey[]> {
    return this.database.rows(
      `SELECT ${columnsOf(PasskeyEntity, 'p', EXPORTED)}, u.handle
       FROM passkeys p JOIN passkey_users u ON u.account_id = p.account_id WHERE p.account_id = ANY($1) AND p.assured_by IS NULL ORDER BY p.id`,
      [userIds],
    );
  }

  /** Finds a passkey by its credential id. */
  findByCredential(credentialId: Buffer): Promise<StoredCredential | null> {
    return this.database.row<StoredCredential>(FIND_BY_CREDENTIAL, [credentialId]);
  }

  /** @returns false if the credential is registered already, for any account */
  async insert(passkey: Omit<PasskeyEntity, 'createdAt' | 'lastUsedAt'>): Promise<boolean> {
    const insert = this.passkeys.createQueryBuilder().insert().values(passkey).orIgnore().returning('id');
    return ((await insert.execute()).raw as unknown[]).length === 1;
  }

  /**
   * Spends the ceremony; notes the use of the passkey, if it is still there and its counter has not
   * been passed by another use (WebAuthn section 6.1.1); and then accepts codes of all apps of the
   * owner again. The counter of a synced passkey may go back, as its devices do not share it.
   */
  use(
    { flowId }: OpenCeremony,
    { userId, id, backupEligible }: Pick<PasskeyEntity, 'userId' | 'id' | 'backupEligible'>,
    { signCount, backedUp }: Assertion,
  ): Promise<PasskeyUse> {
    return this.database.getRow<PasskeyUse>(USE, [userId, id, signCount, backedUp, backupEligible, flowId]);
  }

  async rename(userId: UserId, id: string, name: string): Promise<void> {
    await this.passkeys.update({ userId, id }, { name });
  }

  /** Makes a passkey the person's own. */
  async makeOwn(userId: UserId, id: string): Promise<void> {
    await this.passkeys.update({ userId, id }, { assuredBy: null });
  }

  async delete(userId: UserId, id: string): Promise<boolean> {
    return (await this.passkeys.delete({ userId, id })).affected === 1;
  }

  /** Deletes the passkeys that were added since a time. @returns their ids */
  deleteAddedSince(userId: UserId, since: Date): Promise<string[]> {
    const sql = 'DELETE FROM passkeys WHERE account_id = $1 AND created_at >= $2 RETURNING id';
    return this.database.values(sql, [userId, since]);
  }

  /** Deletes the passkeys that a session has added. @returns their ids */
  deleteOfSession(userId: UserId, sessionId: SessionId): Promise<string[]> {
    const sql = 'DELETE FROM passkeys WHERE account_id = $1 AND session_id = $2 RETURNING id';
    return this.database.values(sql, [userId, sessionId]);
  }

  /** Removes the passkeys of an account. Its user handle stays, for those that it adds later. */
  async deletePasskeysOf(userId: UserId): Promise<void> {
    await this.passkeys.delete({ userId });
  }

  /** Removes the passkeys and the user handle of an account. */
  async deleteAllOf(userId: UserId): Promise<void> {
    await this.deletePasskeysOf(userId);
    await this.users.delete({ userId });
  }

  private get users() {
    return this.database.repository(PasskeyUserEntity);
  }

  private get passkeys() {
    return this.database.repository(PasskeyEntity);
  }
}
