import { Injectable } from '@nestjs/common';
import { newId, type TenantId } from '../../../kernel/index.js';
import type { Page } from '../../../platform/api/index.js';
import { findAnyPart, prepared, TenantDatabase, textArray } from '../../../platform/database/index.js';
import { RegisteredThingEntity } from './registered-thing.entity.js';

/** A thing, and one of which it is a part, as `thingOf` spells them. */
export interface Edge {
  readonly thing: string;
  readonly parent: string;
}

/** A thing to be registered. */
export interface NewThing {
  readonly thing: string;
  readonly name: string | null;
  readonly parents: readonly string[];
}

/** A registered thing. */
export interface RegisteredThing extends NewThing {
  readonly id: string;
  readonly updatedAt: Date;
}

/** Most things of which one thing is a part. */
export const MAX_PARENTS = 8;

/**
 * Levels of each thing in the lateral join are looked up by key, whatever number of rows the
 * planner estimates: that is what LIMIT is for. UNION visits each edge once.
 */
const ABOVE = prepared(`WITH RECURSIVE above (thing, parent) AS (
    SELECT p.thing, p.parent FROM registered_parents p WHERE p.tenant_id = $1 AND p.thing = ANY($2::text[])
    UNION SELECT p.thing, p.parent FROM above CROSS JOIN LATERAL (
      SELECT e.thing, e.parent FROM registered_parents e WHERE e.tenant_id = $1 AND e.thing = above.parent LIMIT ${MAX_PARENTS}) p)
  SELECT thing, parent FROM above LIMIT $3`);

/**
 * Things and what is below them, in order. Things with something below are followed, by their
 * height; of the others, a page of each is read in order, so that a million of them are not.
 */
const BELOW =
  prepared(`WITH RECURSIVE own AS MATERIALIZED (SELECT thing COLLATE "C" AS thing FROM unnest($2::text[]) t (thing)),
   above (thing) AS (SELECT thing FROM own
     UNION SELECT p.thing FROM above JOIN registered_parents p ON p.tenant_id = $1 AND p.parent = above.thing AND p.height > 0)
   SELECT thing FROM (
     SELECT t.thing FROM own JOIN registered_things t ON t.tenant_id = $1 AND t.thing = own.thing
     WHERE t.thing > $3 AND starts_with(t.thing, $4)
     UNION SELECT c.thing FROM above CROSS JOIN LATERAL (
       SELECT p.thing FROM registered_parents p WHERE p.tenant_id = $1 AND p.parent = above.thing AND p.thing > $3
         AND p.thing < $4::text || '~' ORDER BY p.thing LIMIT $5) c) found
   ORDER BY thing LIMIT $5`);
const ALL =
  prepared(`SELECT thing FROM registered_things WHERE tenant_id = $1 AND thing > $2 AND thing < $3::text || '~'
   ORDER BY thing LIMIT $4`);

/** Looks the next parent up after each, so that the many things below one are not read. */
const PARENTS = prepared(`WITH RECURSIVE found (parent, prefix, n) AS (
    SELECT greatest($3::text, c.name || '/') COLLATE "C", c.name, 0 FROM unnest($2::text[]) c (name)
    UNION ALL SELECT next.parent, found.prefix, found.n + 1 FROM found CROSS JOIN LATERAL (
      SELECT p.parent FROM registered_parents p WHERE p.tenant_id = $1 AND p.parent > found.parent AND p.parent < found.prefix || '0'
      ORDER BY p.parent LIMIT 1) next WHERE found.n < $4)
  SELECT parent FROM found WHERE n > 0 ORDER BY parent LIMIT $4`);

const THINGS = `SELECT t.id, t.thing, t.name, t.updated_at AS "updatedAt", ARRAY(
     SELECT p.parent FROM registered_parents p WHERE p.tenant_id = t.tenant_id AND p.thing = t.thing ORDER BY p.parent) AS parents
   FROM registered_things t WHERE t.tenant_id = $1`;

const NAMED = prepared(
  `${THINGS} AND t.id IN (SELECT id FROM (${findAnyPart({
    table: 'registered_things',
    columns: 'id',
    within: 'tenant_id = $1 AND id > $2',
    match: 'search_key(name) LIKE search_pattern($3)',
    order: 'id',
    limit: '$4',
  })}) found ORDER BY id LIMIT $4) ORDER BY t.id`,
);

const PUT = prepared(`INSERT INTO registered_things (tenant_id, thing, name, id)
   SELECT $1, t.thing, t.name, t.id FROM unnest($2::text[], $3::text[], $4::text[]) t (thing, name, id)
   ON CONFLICT (tenant_id, thing) DO UPDATE SET name = excluded.name, updated_at = now()
     WHERE registered_things.name IS DISTINCT FROM excluded.name
   RETURNING thing, xmax = 0 AS "isNew"`);

/** Ends what is no longer a parent, and adds what is one now. */
const REPLACE_PARENTS =
  prepared(`WITH wanted AS (SELECT * FROM unnest($3::text[], $4::text[]) w (thing, parent)),
     removed AS (DELETE FROM registered_parents p WHERE p.tenant_id = $1 AND p.thing = ANY($2::text[])
       AND NOT EXISTS (SELECT 1 FROM wanted w WHERE w.thing = p.thing AND w.parent = p.parent) RETURNING p.thing, p.parent),
     added AS (INSERT INTO registered_parents (tenant_id, thing, parent, height)
       SELECT $1, w.thing, w.parent, 0 FROM wanted w ON CONFLICT DO NOTHING RETURNING thing, parent)
   SELECT thing, parent FROM removed UNION ALL SELECT thing, parent FROM added`);

/** Levels of registered things below a thing, from the edges of its children. */
const HEIGHT = `coalesce((SELECT max(c.height) + 1 FROM registered_parents c WHERE c.tenant_id = $1 AND c.parent = t.thing), 0)`;
const HEIGHTS = prepared(
  `SELECT t.thing, ${HEIGHT} AS height FROM unnest($2::text[]) t (thing)
   WHERE EXISTS (SELECT 1 FROM registered_parents c WHERE c.tenant_id = $1 AND c.parent = t.thing)`,
);
const SET_HEIGHTS = prepared(
  `WITH now AS MATERIALIZED (SELECT t.thing, ${HEIGHT} AS height FROM unnest($2::text[]) t (thing))
   UPDATE registered_parents p SET height = now.height FROM now
   WHERE p.tenant_id = $1 AND p.thing = now.thing AND p.height <> now.height RETURNING p.parent`,
);

/** Things of other services, and of what they are parts. */
@Injectable()
export class ThingRepository {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Locks the things of an organization until the transaction ends. @returns their number */
  async lockForUpdate(tenantId: TenantId): Promise<number> {
    const row = await this.tenants.row<{ things: number }>(
      tenantId,
      `INSERT INTO registered_thing_counts (tenant_id, things) VALUES ($1, 0)
       ON CONFLICT (tenant_id) DO UPDATE SET things = registered_thing_counts.things RETURNING things`,
    );
    return row?.things ?? 0;
  }

  /** Keeps what things are parts of until the transaction ends. @returns whether there are any */
  async lockForShare(tenantId: TenantId): Promise<boolean> {
    const sql = 'SELECT 1 FROM registered_thing_counts WHERE tenant_id = $1 FOR SHARE';
    return (await this.tenants.row(tenantId, sql)) !== null;
  }

  async setCount(tenantId: TenantId, things: number): Promise<void> {
    await this.tenants.rows(tenantId, 'UPDATE registered_thing_counts SET things = $2 WHERE tenant_id = $1', [
      things,
    ]);
  }

  find(tenantId: TenantId, thing: string): Promise<RegisteredThing | null> {
    return this.tenants.row(tenantId, `${THINGS} AND t.thing = $2`, [thing]);
  }

  /** Returns a page in order of registration, and one row more if there is a next page. */
  list(tenantId: TenantId, { limit, after }: Page): Promise<RegisteredThing[]> {
    const sql = `${THINGS} AND t.id > $2 ORDER BY t.id LIMIT ${limit + 1}`;
    return this.tenants.rows(tenantId, sql, [after ?? '']);
  }

  /** Returns a page of the things with a part in their names, as {@link list} does. */
  listNamed(tenantId: TenantId, { limit, after }: Page, part: string): Promise<RegisteredThing[]> {
    return this.tenants.rows(tenantId, NAMED, [after ?? '', part, limit + 1]);
  }

  /**
   * Returns the edges above things, at any depth.
   * @param max most edges
   */
  findAbove(tenantId: TenantId, things: readonly string[], max: number): Promise<Edge[]> {
    return this.tenants.rows<Edge>(tenantId, ABOVE, [textArray(things), max]);
  }

  /** @param collections `<module>/<collection>`: `0` follows `/` in their order */
  async isBelow(tenantId: TenantId, collections: readonly string[]): Promise<boolean> {
    const sql = prepared(`SELECT 1 FROM unnest($2::text[]) c (name) WHERE EXISTS (
      SELECT 1 FROM registered_parents p
      WHERE p.tenant_id = $1 AND p.parent >= c.name || '/' AND p.parent < c.name || '0') LIMIT 1`);
    return (await this.tenants.row(tenantId, sql, [textArray(collections)])) !== null;
  }

  /** @param collections `<module>/<collection>` @returns what is above things in them, in order */
  listParents(
    tenantId: TenantId,
    collections: readonly string[],
    { limit, after }: { readonly limit: number; readonly after: string | null },
  ): Promise<string[]> {
    return this.tenants.values(tenantId, PARENTS, [textArray(collections), after ?? '', limit]);
  }

  /**
   * Lists registered things in order: all, or some and what is below them.
   * @param prefix of the things that are listed: `<module>/<collection>/`
   */
  listBelow(
    tenantId: TenantId,
    things: readonly string[] | null,
    page: { readonly from: string; readonly prefix: string; readonly limit: number },
  ): Promise<string[]> {
    const { from, prefix, limit } = page;
    return things === null
      ? this.tenants.values(tenantId, ALL, [from, prefix, limit])
      : this.tenants.values(tenantId, BELOW, [textArray(things), from, prefix, limit]);
  }

  /** Registers things. @returns the new ones, and those whose names changed */
  put(
    tenantId: TenantId,
    things: readonly NewThing[],
  ): Promise<{ readonly thing: string; readonly isNew: boolean }[]> {
    return this.tenants.rows(tenantId, PUT, [
      textArray(things.map(({ thing }) => thing)),
      textArray(things.map(({ name }) => name)),
      textArray(things.map(() => newId())),
    ]);
  }

  /** Replaces what things are parts of. @returns the edges that are gone or new */
  replaceParents(tenantId: TenantId, things: readonly NewThing[]): Promise<Edge[]> {
    const edges = things.flatMap(({ thing, parents }) => parents.map((parent) => ({ thing, parent })));
    return this.tenants.rows<Edge>(tenantId, REPLACE_PARENTS, [
      textArray(things.map(({ thing }) => thing)),
      textArray(edges.map(({ thing }) => thing)),
      textArray(edges.map(({ parent }) => parent)),
    ]);
  }

  /** Returns the levels of registered things below things, without those with nothing below. */
  async findHeights(tenantId: TenantId, things: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.tenants.rows<{ thing: string; height: number }>(tenantId, HEIGHTS, [
      textArray(things),
    ]);
    return new Map(rows.map(({ thing, height }) => [thing, height]));
  }

  /** Computes the heights of things again. @returns the parents of those that changed */
  async setHeights(tenantId: TenantId, things: readonly string[]): Promise<string[]> {
    return [...new Set(await this.tenants.values<string>(tenantId, SET_HEIGHTS, [textArray(things)]))];
  }

  /** Removes a thing and what it is a part of. @returns whether there was one */
  async delete(tenantId: TenantId, thing: string): Promise<boolean> {
    return (await this.tenants.of(RegisteredThingEntity).delete(tenantId, { thing })) > 0;
  }
}
