import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';

interface Scope {
  readonly runner: QueryRunner;
  readonly afterCommit: (() => void)[];
}

type Row = Record<string, unknown>;

/** Few enough that no statement holds its locks for long. */
const BATCH = 1_000;

/** Rows that may go. The texts are ours and never a caller's. */
interface Removable {
  readonly table: string;
  /** What tells the rows apart: a column, or several with commas between. */
  readonly key: string;
  /** The condition, which an index has to answer. */
  readonly when: string;
}

/** The way to PostgreSQL: queries, and transactions that everything called inside them joins. */
@Injectable()
export class Database {
  private readonly scopes = new AsyncLocalStorage<Scope>();

  constructor(private readonly source: DataSource) {}

  /** The manager of the transaction that is open here, else one that commits by itself. */
  get manager(): EntityManager {
    return this.scopes.getStore()?.runner.manager ?? this.source.manager;
  }

  /** Runs one statement inside the open transaction, if there is one. */
  async rows<T extends object = Row>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    const runner = this.scopes.getStore()?.runner;
    const result: unknown = await (runner ?? this.source).query(sql, [...parameters]);
    // TypeORM answers UPDATE and DELETE with [rows, count], the rest with rows.
    const updated =
      Array.isArray(result) &&
      result.length === 2 &&
      Array.isArray(result[0]) &&
      typeof result[1] === 'number';
    return (updated ? result[0] : result) as T[];
  }

  /** The first row of a statement, or null. */
  async row<T extends object = Row>(sql: string, parameters: readonly unknown[] = []): Promise<T | null> {
    return (await this.rows<T>(sql, parameters))[0] ?? null;
  }

  /** Removes rows a batch at a time; one that somebody holds is left for another day. */
  async removeInBatches({ table, key, when }: Removable): Promise<void> {
    let removed: number;
    do {
      const rows = await this.rows(
        `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${when} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
      );
      removed = rows.length;
    } while (removed === BATCH);
  }

  /** Runs `work` in one transaction (READ COMMITTED); joins the one that is already open. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.scopes.getStore()) return work();
    const runner = this.source.createQueryRunner();
    const scope: Scope = { runner, afterCommit: [] };
    let result: T;
    try {
      await runner.connect();
      await runner.startTransaction();
      result = await this.scopes.run(scope, work);
      await runner.commitTransaction();
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release().catch(() => undefined);
    }
    for (const action of scope.afterCommit) action();
    return result;
  }

  /** Runs `action` once the open transaction has committed; at once where there is none. */
  afterCommit(action: () => void): void {
    const scope = this.scopes.getStore();
    if (scope) scope.afterCommit.push(action);
    else action();
  }
}
