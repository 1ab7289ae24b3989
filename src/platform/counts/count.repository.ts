import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../kernel/index.js';
import { Database, prepared, TenantDatabase, textArray } from '../database/index.js';
import { EventAudience } from '../events/index.js';
import type { Span } from './count.entity.js';

/** How often something happened in one hour. */
export interface Addition {
  readonly tenantId: TenantId;
  /** Person whose organizations it concerns, in place of `tenantId`. */
  readonly person: UserId | null;
  readonly name: string;
  /** Begin of the hour, in milliseconds since 1970. */
  readonly hour: number;
  readonly source: string;
  readonly value: string;
  readonly count: number;
}

/** A sum of counts. */
export interface CountRow {
  readonly name: string;
  readonly value: string;
  readonly startsAt: Date;
  readonly count: number;
}

/** A sum of counts of one source. */
export interface SourceRow extends CountRow {
  readonly source: string;
}

const SUM = 'name, value, starts_at AS "startsAt", sum(count)::float8 AS count';
const SINCE = 'tenant_id = $1 AND span = $2 AND name = ANY($3) AND starts_at >= $4';

/** Counts by hour and by day. Each reading is a range of the primary key. */
@Injectable()
export class CountRepository {
  private readonly addition: string;

  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    { tenantsOfPerson }: EventAudience,
  ) {
    // In order of the key, so that replicas that write the same rows wait for each other, and do
    // not end in a deadlock. A deleted organization gets no rows.
    this.addition =
      prepared(`INSERT INTO activity_counts AS c (tenant_id, span, name, starts_at, source, value, count)
       SELECT t.tenant_id, s.span, e.name, date_trunc(s.span, e.at, 'UTC'), e.source, e.value, sum(e.count)
       FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[], $5::text[], $6::text[], $7::bigint[])
           AS a (tenant_id, person, name, hour, source, value, count)
         CROSS JOIN LATERAL (SELECT a.tenant_id, a.person, a.name, to_timestamp(a.hour / 1000) AS at, a.source, a.value, a.count) AS e
         CROSS JOIN LATERAL (SELECT e.tenant_id WHERE e.person IS NULL UNION ALL (${tenantsOfPerson})) AS t (tenant_id)
         CROSS JOIN (VALUES ('hour'), ('day')) AS s (span)
       WHERE t.tenant_id = '' OR EXISTS (SELECT FROM tenants o WHERE o.id = t.tenant_id)
       GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
       ON CONFLICT (tenant_id, span, name, starts_at, source, value) DO UPDATE SET count = c.count + excluded.count`);
  }

  /** Adds to the counts of hours and days, by one statement. */
  async add(additions: readonly Addition[]): Promise<void> {
    await this.database.rows(this.addition, [
      textArray(additions.map(({ tenantId }) => tenantId)),
      textArray(additions.map(({ person }) => person)),
      textArray(additions.map(({ name }) => name)),
      additions.map(({ hour }) => hour),
      textArray(additions.map(({ source }) => source)),
      textArray(additions.map(({ value }) => value)),
      additions.map(({ count }) => count),
    ]);
  }

  /**
   * Sums the counts of an organization over their sources.
   * @param names of what is counted
   */
  sum(tenantId: TenantId, span: Span, names: readonly string[], since: Date): Promise<CountRow[]> {
    return this.tenants.rows(
      tenantId,
      prepared(`SELECT ${SUM} FROM activity_counts WHERE ${SINCE} GROUP BY name, starts_at, value`),
      [span, names, since],
    );
  }

  /** Sums the counts of the platform. Its webhooks count apart, by their ids. */
  sumOfPlatform(span: Span, names: readonly string[], since: Date): Promise<CountRow[]> {
    return this.database.rows(
      prepared(
        `SELECT ${SUM} FROM activity_counts WHERE ${SINCE} AND source = '' GROUP BY name, starts_at, value`,
      ),
      ['', span, names, since],
    );
  }

  /** Lists the counts of the sources of an organization. @param source null for all of them */
  listOfSources(
    tenantId: TenantId,
    span: Span,
    name: string,
    since: Date,
    source: string | null = null,
  ): Promise<SourceRow[]> {
    return this.tenants.rows(
      tenantId,
      prepared(`SELECT source, name, value, starts_at AS "startsAt", count::float8 AS count FROM activity_counts
       WHERE ${SINCE} AND source <> '' AND ($5::text IS NULL OR source = $5)`),
      [span, [name], since, source],
    );
  }
}
