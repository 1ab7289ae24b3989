import { Injectable } from '@nestjs/common';
import { LOCK, newId, type UserId } from '../../../kernel/index.js';
import { RemovesExpired } from '../../../platform/cleanup/index.js';
import { columnsOf, Database, type Selected } from '../../../platform/database/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import { AccountExportEntity } from './account-export.entity.js';

const LIFETIME = "interval '7 days'";
const EXPORT = { id: true, createdAt: true, expiresAt: true } as const;
const COLUMNS = columnsOf(AccountExportEntity, '', EXPORT);

/** An export that was asked for. */
export type AccountExport = Selected<AccountExportEntity, typeof EXPORT>;

/** An export in a list. */
export interface ListedExport extends AccountExport {
  /** Whether it can be read. */
  readonly ready: boolean;
}

/** Exports of accounts, sealed, for seven days. */
@Injectable()
@RemovesExpired({ table: 'account_exports', key: 'account_id, id', when: 'expires_at < now()' })
export class AccountExportRepository {
  constructor(private readonly database: Database) {}

  list(userId: UserId, limit: number): Promise<ListedExport[]> {
    return this.database.rows<ListedExport>(
      `SELECT ${COLUMNS}, sealed IS NOT NULL AS ready FROM account_exports
       WHERE account_id = $1 AND expires_at > now() ORDER BY id DESC LIMIT $2`,
      [userId, limit],
    );
  }

  /** Returns null for an unknown or expired export. */
  find(userId: UserId, id: string): Promise<Pick<AccountExportEntity, 'sealed'> | null> {
    return this.database.row(
      'SELECT sealed FROM account_exports WHERE account_id = $1 AND id = $2 AND expires_at > now()',
      [userId, id],
    );
  }

  /** Returns whether an export was asked for within the last day. */
  async hasRecent(userId: UserId): Promise<boolean> {
    const row = await this.database.row(
      "SELECT 1 FROM account_exports WHERE account_id = $1 AND created_at > now() - interval '1 day' LIMIT 1",
      [userId],
    );
    return row !== null;
  }

  insert(userId: UserId): Promise<AccountExport> {
    return this.database.getRow<AccountExport>(
      `INSERT INTO account_exports (account_id, id, expires_at) VALUES ($1, $2, now() + ${LIFETIME}) RETURNING ${COLUMNS}`,
      [userId, newId()],
    );
  }

  /** Stores the document. @returns false if it was stored before, or is deleted */
  async fill(userId: UserId, id: string, sealed: string): Promise<boolean> {
    const rows = await this.database.rows(
      'UPDATE account_exports SET sealed = $3 WHERE account_id = $1 AND id = $2 AND sealed IS NULL RETURNING 1',
      [userId, id, sealed],
    );
    return rows.length === 1;
  }

  @OnLifecycle('account.erased', { order: LOCK.accounts })
  async deleteAll({ userId }: { userId: UserId }): Promise<void> {
    await this.database.repository(AccountExportEntity).delete({ userId });
  }
}
