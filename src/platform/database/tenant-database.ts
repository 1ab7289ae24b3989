import { Injectable } from '@nestjs/common';
import type { Principal, TenantId } from '../../kernel/index.js';
import { prepared } from './connection/prepared.js';
import { Database } from './database.js';
import { TenantRows, type OfTenant } from './tenant-rows.js';

/** A statement of one tenant: it compares tenant_id with $1, or inserts rows that begin with it. */
const KEEPS_TO_TENANT = /\btenant_id = \$1\b|\bINSERT INTO \w+ \(tenant_id\b/;
/** A statement of several tenants: it joins them, as `asked`, by tenant_id. */
const KEEPS_TO_TENANTS = /\bunnest\(\$1::text\[\][\s\S]*\btenant_id = asked\.tenant_id\b/;

/** Of a decision: whose tenant, and whether rows are locked until the command commits. */
export interface RowContext {
  readonly principal: Pick<Principal, 'tenantId'>;
  readonly lock: boolean;
  readonly isAbove?: boolean;
}

/** Table with rows of tenants, and the columns that make a row of one tenant unique. */
type TableOfTenants = readonly [table: string, key: string];

/**
 * Runs statements on rows of tenants. The tenant is the first argument and the first parameter of
 * each statement; a statement that does not compare with it is refused (ADR 10).
 */
@Injectable()
export class TenantDatabase {
  /** Statements that were found to follow a rule, by rule. */
  private readonly checked = new Map(
    [KEEPS_TO_TENANT, KEEPS_TO_TENANTS].map((rule) => [rule, new Set<string>()]),
  );

  constructor(private readonly database: Database) {}

  /** Returns the rows of an entity, which cannot be read without their tenant. */
  of<E extends OfTenant>(entity: new () => E): TenantRows<E> {
    return new TenantRows<E>(() => this.database.repository(entity));
  }

  /** @param parameters begin at $2 */
  async rows<T extends object>(
    tenantId: TenantId,
    sql: string,
    parameters: readonly unknown[] = [],
  ): Promise<T[]> {
    this.require(KEEPS_TO_TENANT, sql, 'tenant_id = $1');
    return this.database.rows<T>(sql, [tenantId, ...parameters]);
  }

  /**
   * Runs a statement on rows of several tenants, which it joins as
   * `unnest($1::text[], ...) asked (tenant_id, ...)`.
   * @param parameters begin at $2; lists of the same length as the tenants
   */
  async rowsOfEach<T extends object>(
    tenantIds: readonly string[],
    sql: string,
    parameters: readonly unknown[] = [],
  ): Promise<T[]> {
    this.require(KEEPS_TO_TENANTS, sql, 'tenant_id = asked.tenant_id');
    return this.database.rows<T>(sql, [tenantIds, ...parameters]);
  }

  /** Returns the first column of all rows of a statement. */
  async values<V>(tenantId: TenantId, sql: string, parameters: readonly unknown[] = []): Promise<V[]> {
    return (await this.rows(tenantId, sql, parameters)).map((row) => Object.values(row)[0] as V);
  }

  /** Returns the first row of a statement, or null. */
  async row<T extends object>(
    tenantId: TenantId,
    sql: string,
    parameters: readonly unknown[] = [],
  ): Promise<T | null> {
    return (await this.rows<T>(tenantId, sql, parameters))[0] ?? null;
  }

  /** Returns the first column of the first row of a statement, or null. */
  async value<V>(tenantId: TenantId, sql: string, parameters: readonly unknown[] = []): Promise<V | null> {
    return (await this.values<V>(tenantId, sql, parameters))[0] ?? null;
  }

  /** Returns whether a statement returns a row. */
  async hasRow(tenantId: TenantId, sql: string, parameters: readonly unknown[] = []): Promise<boolean> {
    return (await this.row(tenantId, sql, parameters)) !== null;
  }

  /**
   * Loads rows of the caller's tenant by id, as an ability policy needs them. With `lock`, locks
   * them until the command commits, in order of id, to avoid deadlocks. Rows above the subject are
   * locked against changes only: commands below one row neither wait for nor block each other.
   * @param sql selects from one table by `tenant_id = $1 AND id = ANY($2)`
   */
  async loadByIds<T extends { readonly id: string }>(
    sql: string,
    ids: readonly string[],
    { principal, lock, isAbove }: RowContext,
  ): Promise<ReadonlyMap<string, T>> {
    if (principal.tenantId === null) return new Map();
    const locked = lock ? `${sql} ORDER BY id FOR ${isAbove ? 'SHARE' : 'UPDATE'}` : sql;
    const rows = await this.rows<T>(principal.tenantId, locked, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * Returns the names of those that exist, each in the tenant at its place.
   * @param name column of the table, or an expression on columns of `a`
   * @param condition on the columns of `a`
   */
  listNames(
    table: string,
    tenantIds: readonly TenantId[],
    ids: readonly string[],
    name = 'a.name',
    condition = 'true',
  ): Promise<{ readonly tenantId: TenantId; readonly id: string; readonly name: string }[]> {
    const sql = `SELECT a.tenant_id AS "tenantId", a.id, ${name} AS name FROM unnest($1::text[], $2::text[]) AS asked (tenant_id, id)
       JOIN ${table} a ON a.tenant_id = asked.tenant_id AND a.id = asked.id AND ${condition}`;
    return this.rowsOfEach(tenantIds, prepared(sql), [ids]);
  }

  /** Counts rows of a table, `max` at most. @param condition of SQL, on constants only */
  async countUpTo(max: number, tenantId: TenantId, table: string, condition = 'true'): Promise<number> {
    const sql = `SELECT count(*)::int FROM (SELECT 1 FROM ${table} WHERE tenant_id = $1 AND ${condition} LIMIT ${max}) AS c`;
    return (await this.value<number>(tenantId, sql)) ?? 0;
  }

  /**
   * Removes rows of a deleted tenant, at most `batch` of each table, and stops at a table of which
   * rows may be left.
   * @param tables in the order in which they can be removed
   * @returns whether rows may be left
   */
  async removeBatch(tenantId: TenantId, batch: number, tables: readonly TableOfTenants[]): Promise<boolean> {
    for (const [table, key] of tables) {
      const removed = await this.rows(
        tenantId,
        `DELETE FROM ${table} WHERE tenant_id = $1 AND (${key}) IN (SELECT ${key} FROM ${table} WHERE tenant_id = $1 LIMIT $2) RETURNING 1`,
        [batch],
      );
      if (removed.length === batch) return true;
    }
    return false;
  }

  private require(rule: RegExp, sql: string, words: string): void {
    const checked = this.checked.get(rule);
    if (checked?.has(sql)) return;
    if (!rule.test(sql)) throw new Error(`A statement on tenant rows must say ${words}.`);
    checked?.add(sql);
  }
}
