import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import {
  DataSource,
  QueryRunnerAlreadyReleasedError,
  type EntityTarget,
  type ObjectLiteral,
  type QueryRunner,
  type Repository,
} from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { type Settings, SETTINGS } from '../config/index.js';
import { AppError } from '../errors/index.js';
import { ConnectionQueue } from './connection/connection-queue.js';
import { Primary } from './connection/primary.js';

/**
 * TypeORM's repository without what reads before it writes (`save`, `remove`, `upsert` and the
 * like): each of these methods sends one statement.
 */
export type EntityRepository<E extends ObjectLiteral> = Pick<
  Repository<E>,
  | 'count'
  | 'createQueryBuilder'
  | 'delete'
  | 'exists'
  | 'find'
  | 'findOne'
  | 'insert'
  | 'update'
  | 'updateAll'
>;

interface Scope {
  readonly runner: QueryRunner;
  readonly afterCommit: (() => void)[];
  readonly afterRollback: (() => void)[];
  /** Names of what the transaction has locked. */
  readonly locks: Set<string>;
}

/**
 * Reported in place of TypeORM's error: it releases a connection that is lost between two
 * statements of a transaction, and the next statement fails because it is released.
 */
class ConnectionLost extends Error {
  readonly code = '08006'; // connection_failure

  constructor(cause: Error) {
    super('The connection was lost within a transaction.', { cause });
  }
}

type Row = Record<string, unknown>;

/** Rows removed by one statement: few, because they stay locked until it ends. */
const BATCH = 100;
/** Pause after a batch, as a multiple of its duration: cleanup uses a third of the time at most. */
const REST = 2;
/** Maximum time for rows of one kind, so that each kind has its turn. */
const TURN_MS = 5_000;

/** Returns the end of a turn that begins now, in milliseconds of `performance.now()`. */
export const turnEnd = (): number => performance.now() + TURN_MS;

/** Rows to remove. The texts become part of the statement: never pass a caller's. */
export interface Removable {
  readonly table: string;
  /** Columns of the primary key, separated by commas. */
  readonly key: string;
  /** Condition; it must be answered by an index. */
  readonly when: string;
}

/** Runs statements and transactions; what is called inside a transaction joins it. */
@Injectable()
export class Database implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly scopes = new AsyncLocalStorage<Scope>();
  private readonly queue: ConnectionQueue;
  private stopping = false;

  constructor(
    private readonly source: DataSource,
    private readonly primary: Primary,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.queue = new ConnectionQueue(settings.DATABASE_POOL_SIZE);
    this.pool.on('acquire', () => this.queue.served());
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.primary.start(this.pool);
  }

  /** Ends cleanup after the current batch, so that it does not delay the shutdown. */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  /**
   * Returns TypeORM's repository of an entity, in the open transaction if there is one. Ask for it
   * at each use: one that is kept does not join the next transaction.
   * @throws {AppError} unavailable, outside a transaction, if the database is overloaded or not the
   *   primary
   */
  repository<E extends ObjectLiteral>(entity: EntityTarget<E>): EntityRepository<E> {
    const runner = this.scopes.getStore()?.runner;
    if (!runner) this.admit();
    return (runner ?? this.source).manager.getRepository(entity);
  }

  /** Whether a transaction is open here. */
  get inTransaction(): boolean {
    return this.scopes.getStore() !== undefined;
  }

  /** Runs one statement, in the open transaction if there is one. */
  async rows<T extends object = Row>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    const runner = this.scopes.getStore()?.runner;
    if (!runner) this.admit();
    const result: unknown = await (runner ?? this.source).query(sql, [...parameters]);
    // TypeORM returns [rows, count] for UPDATE and DELETE, and rows for everything else.
    const updated =
      Array.isArray(result) &&
      result.length === 2 &&
      Array.isArray(result[0]) &&
      typeof result[1] === 'number';
    return (updated ? result[0] : result) as T[];
  }

  /** Returns the first column of all rows of a statement. */
  async values<V>(sql: string, parameters: readonly unknown[] = []): Promise<V[]> {
    return (await this.rows(sql, parameters)).map((row) => Object.values(row)[0] as V);
  }

  /** Returns the first row of a statement, or null. */
  async row<T extends object = Row>(sql: string, parameters: readonly unknown[] = []): Promise<T | null> {
    return (await this.rows<T>(sql, parameters))[0] ?? null;
  }

  /** Returns the first column of the first row of a statement, or null. */
  async value<V>(sql: string, parameters: readonly unknown[] = []): Promise<V | null> {
    return (await this.values<V>(sql, parameters))[0] ?? null;
  }

  /** Returns whether a statement returns a row. */
  async hasRow(sql: string, parameters: readonly unknown[] = []): Promise<boolean> {
    return (await this.row(sql, parameters)) !== null;
  }

  /**
   * Returns the first row of a statement that always returns one, such as INSERT … RETURNING.
   * @throws {Error} if it returns none
   */
  async getRow<T extends object = Row>(sql: string, parameters: readonly unknown[] = []): Promise<T> {
    const row = await this.row<T>(sql, parameters);
    if (!row) throw new Error('The statement returned no row.');
    return row;
  }

  /**
   * Removes rows in batches with pauses, for five seconds of each kind at most. Skips locked rows,
   * and stops when the service shuts down.
   * @returns whether rows are left because the time was over
   */
  async removeInBatches(...kinds: Removable[]): Promise<boolean> {
    let more = false;
    for (const kind of kinds) more = (await this.removeForATurn(kind)) || more;
    return more;
  }

  private removeForATurn({ table, key, when }: Removable): Promise<boolean> {
    return this.repeatUntil(turnEnd(), async () => {
      const rows = await this.rows(
        `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${when} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
      );
      return rows.length === BATCH;
    });
  }

  /**
   * Removes one batch after the other, with pauses, and stops when the service shuts down.
   * @param end of the turn, from {@link turnEnd}
   * @param removeBatch returns whether rows may be left
   * @returns whether rows are left because the time was over
   */
  async repeatUntil(end: number, removeBatch: () => Promise<boolean>): Promise<boolean> {
    while (!this.stopping) {
      const began = performance.now();
      if (began > end) return true;
      if (!(await removeBatch())) return false;
      await sleep((performance.now() - began) * REST);
    }
    return false;
  }

  /** Runs `work` in one transaction (READ COMMITTED); joins the open one, if there is one. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.scopes.getStore()) return work();
    this.admit();
    const runner = this.source.createQueryRunner();
    const scope: Scope = { runner, afterCommit: [], afterRollback: [], locks: new Set() };
    let result: T;
    try {
      await runner.connect();
      await runner.startTransaction();
      result = await this.scopes.run(scope, work);
      await runner.commitTransaction();
    } catch (error) {
      const lost = error instanceof QueryRunnerAlreadyReleasedError && runner.isReleased;
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      for (const action of scope.afterRollback) action();
      throw lost ? new ConnectionLost(error) : error;
    } finally {
      await runner.release().catch(() => undefined);
    }
    for (const action of scope.afterCommit) action();
    return result;
  }

  /**
   * Locks a name until the transaction ends, so that changes which count the same rows run one
   * after the other.
   * @throws {Error} outside a transaction, where the lock would end with the statement
   */
  async lockNameForUpdate(name: string): Promise<void> {
    this.noteLock(name);
    await this.rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
  }

  /**
   * Locks a name as {@link lockNameForUpdate} does, unless another transaction has locked it.
   * @returns whether the open transaction has the lock
   * @throws {Error} outside a transaction
   */
  async tryLockNameForUpdate(name: string): Promise<boolean> {
    const sql = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked';
    const { locked } = await this.getRow<{ locked: boolean }>(sql, [name]);
    if (locked) this.noteLock(name);
    return locked;
  }

  /**
   * Notes a lock that the open transaction takes, for {@link holdsLock}.
   * @throws {Error} outside a transaction, where the lock would end with its statement
   */
  noteLock(name: string): void {
    const scope = this.scopes.getStore();
    if (!scope) throw new Error(`The lock of "${name}" needs a transaction.`);
    scope.locks.add(name);
  }

  /** Returns whether the open transaction has noted the lock. */
  holdsLock(name: string): boolean {
    return this.scopes.getStore()?.locks.has(name) ?? false;
  }

  /** Runs `action` after the open transaction has committed; immediately if there is none. */
  afterCommit(action: () => void): void {
    const scope = this.scopes.getStore();
    if (scope) scope.afterCommit.push(action);
    else action();
  }

  /** Runs `action` if the open transaction fails, such as to free what it has reserved. */
  afterRollback(action: () => void): void {
    this.scopes.getStore()?.afterRollback.push(action);
  }

  private get pool(): Pool {
    return (this.source.driver as PostgresDriver).master as Pool;
  }

  /**
   * @throws {AppError} unavailable, if the server may be a former primary, or the queue for a
   *   connection is too long to wait in
   */
  private admit(): void {
    if (!this.primary.proven) throw this.primary.refusal();
    const { totalCount, idleCount, waitingCount } = this.pool;
    if (this.queue.refuses(totalCount - idleCount, waitingCount))
      throw new AppError('unavailable', {
        retryAfterSeconds: 1,
        cause: new Error('too many callers wait for a database connection'),
      });
  }
}
