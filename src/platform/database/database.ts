import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource, QueryRunnerAlreadyReleasedError, type EntityManager, type QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { type Settings, SETTINGS } from '../config/index.js';
import { AppError } from '../errors/index.js';
import { ConnectionQueue } from './connection-queue.js';

interface Scope {
  readonly runner: QueryRunner;
  readonly afterCommit: (() => void)[];
}

/** TypeORM lets go of a connection that is lost between two statements of a transaction; the next statement finds it released. */
class ConnectionLost extends Error {
  readonly code = '08006'; // connection_failure

  constructor(cause: Error) {
    super('The connection was lost within a transaction.', { cause });
  }
}

type Row = Record<string, unknown>;

/** Few enough that no statement holds its locks, or a processor of the database, for long. */
const BATCH = 100;
/** After a batch, in times of what it took, so that whoever works meanwhile has the database for most of the time. */
const REST = 2;
/** Whoever removes rows of a kind lets others have their turn then. */
const TURN_MS = 5_000;

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
export class Database implements OnModuleDestroy {
  private readonly scopes = new AsyncLocalStorage<Scope>();
  private readonly queue: ConnectionQueue;
  private stopping = false;

  constructor(
    private readonly source: DataSource,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.queue = new ConnectionQueue(settings.DATABASE_POOL_SIZE);
    this.pool.on('acquire', () => this.queue.served());
  }

  /** The end of the service does not wait for a clean-up. */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  /** The manager of the transaction that is open here, else one that commits by itself. */
  get manager(): EntityManager {
    return this.scopes.getStore()?.runner.manager ?? this.source.manager;
  }

  /** Whether a transaction is open here. */
  get inTransaction(): boolean {
    return this.scopes.getStore() !== undefined;
  }

  /** Runs one statement inside the open transaction, if there is one. */
  async rows<T extends object = Row>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    const runner = this.scopes.getStore()?.runner;
    if (!runner) this.admit();
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

  /** The first row of a statement that always gives one, such as an INSERT that answers what it has inserted. */
  async getRow<T extends object = Row>(sql: string, parameters: readonly unknown[] = []): Promise<T> {
    const row = await this.row<T>(sql, parameters);
    if (!row) throw new Error('A statement that always gives a row has given none.');
    return row;
  }

  /**
   * Removes rows a batch at a time, with rests between, for five seconds of each kind at most. One that somebody holds is left for another day,
   * and so is what would keep the service from its end.
   * @returns whether there was no time for all of them
   */
  async removeInBatches(...kinds: Removable[]): Promise<boolean> {
    let more = false;
    for (const kind of kinds) more = (await this.removeForATurn(kind)) || more;
    return more;
  }

  private async removeForATurn({ table, key, when }: Removable): Promise<boolean> {
    const until = performance.now() + TURN_MS;
    while (!this.stopping) {
      const began = performance.now();
      if (began > until) return true;
      const rows = await this.rows(
        `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${when} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
      );
      if (rows.length < BATCH) return false;
      await sleep((performance.now() - began) * REST);
    }
    return false;
  }

  /** Runs `work` in one transaction (READ COMMITTED); joins the one that is already open. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.scopes.getStore()) return work();
    this.admit();
    const runner = this.source.createQueryRunner();
    const scope: Scope = { runner, afterCommit: [] };
    let result: T;
    try {
      await runner.connect();
      await runner.startTransaction();
      result = await this.scopes.run(scope, work);
      await runner.commitTransaction();
    } catch (error) {
      const lost = error instanceof QueryRunnerAlreadyReleasedError && runner.isReleased;
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw lost ? new ConnectionLost(error) : error;
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

  private get pool(): Pool {
    return (this.source.driver as PostgresDriver).master as Pool;
  }

  /** @throws {AppError} unavailable, where the wait for a connection would be in vain */
  private admit(): void {
    const { totalCount, idleCount, waitingCount } = this.pool;
    if (this.queue.refuses(totalCount - idleCount, waitingCount))
      throw new AppError('unavailable', {
        retryAfterSeconds: 1,
        cause: new Error('too many wait for the database'),
      });
  }
}
