import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, Not } from 'typeorm';
import {
  columnsOf,
  Database,
  type EntityRepository,
  findAnyPart,
  type Selected,
} from '../../platform/database/index.js';
import type { Page } from '../../platform/api/index.js';
import type { UserId } from '../../kernel/index.js';
import { AccountEntity } from './account.entity.js';
import { PERSON_NAME } from './person-name.js';

const FOUND = { id: true, email: true, ...PERSON_NAME, createdAt: true, suspendedAt: true } as const;

/** Part of an account that a search shows. */
export type FoundAccount = Selected<AccountEntity, typeof FOUND>;
/** Lists of accounts, for the commands of operators. */
@Injectable()
export class AccountListRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns a page of the accounts whose address begins so, in order of address, and one row more
   * if there is a next page.
   * @param page its cursor is the id of an account
   * @returns null if the account of the cursor has no address any more
   */
  async listByEmailKey(beginning: string, { limit, after }: Page): Promise<FoundAccount[] | null> {
    const last = after === null ? '' : await this.emailKeyOf(after);
    if (last === null) return null;
    return this.database.rows<FoundAccount>(
      `SELECT ${columnsOf(AccountEntity, '', FOUND)} FROM accounts
       WHERE email_key >= $1 AND email_key < $1 || chr(1114111) AND email_key > $2 ORDER BY email_key LIMIT $3`,
      [beginning, last, limit + 1],
    );
  }

  /**
   * Returns a page of the accounts with a text anywhere in their names or address, newest first,
   * and one row more if there is a next page.
   */
  listByPart(part: string, { limit, after }: Page): Promise<FoundAccount[]> {
    const found = findAnyPart({
      table: 'accounts',
      columns: 'id',
      within: 'erased_at IS NULL AND ($1::text IS NULL OR id < $1)',
      match: 'search_text LIKE search_pattern($2)',
      order: 'id DESC',
      limit: '$3',
    });
    return this.database.rows<FoundAccount>(
      `SELECT ${columnsOf(AccountEntity, 'a', FOUND)} FROM (SELECT id FROM (${found}) found ORDER BY id DESC LIMIT $3) page
       JOIN accounts a ON a.id = page.id ORDER BY a.id DESC`,
      [after, part, limit + 1],
    );
  }

  /** Returns ids of erased accounts after an id, in order. */
  async listErased(after: string, limit: number): Promise<string[]> {
    const where = { id: MoreThan(after as UserId), erasedAt: Not(IsNull()) };
    const erased = await this.accounts.find({
      where,
      select: { id: true },
      order: { id: 'ASC' },
      take: limit,
    });
    return erased.map(({ id }) => id);
  }

  private async emailKeyOf(id: string): Promise<string | null> {
    const found = await this.accounts.findOne({ where: { id: id as UserId }, select: { emailKey: true } });
    return found?.emailKey ?? null;
  }

  private get accounts(): EntityRepository<AccountEntity> {
    return this.database.repository(AccountEntity);
  }
}
