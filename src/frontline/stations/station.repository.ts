import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import { NamedInTrail, type NamedThing } from '../../iam/index.js';
import type { SessionId, TenantId, UserId } from '../../kernel/index.js';
import { type Orders, type SortedPage, TEXT_KEY, TIME_KEY, ULID_KEY } from '../../platform/api/index.js';
import {
  columnsOf,
  Database,
  prepared,
  type RowContext,
  type Selected,
  TenantDatabase,
} from '../../platform/database/index.js';
import { StationEntity, type StationStatus } from './station.entity.js';

/** Orders of the list. Ids are in the order of creation. */
export const STATION_ORDERS = {
  keys: { createdAt: ULID_KEY, name: TEXT_KEY, place: TEXT_KEY, lastSeenAt: TIME_KEY },
  byDefault: 'createdAt',
} as const satisfies Orders;

export type StationPage = SortedPage<keyof typeof STATION_ORDERS.keys>;

/** Folded text of a column, as long as a cursor keeps it. */
const foldedText = (column: string): string => `left(search_key(${column}), 254) COLLATE "C"`;

/**
 * What each order compares. Without indexes: an organization has few stations, which are read by
 * the primary key.
 */
const SORTED_BY: Readonly<Record<StationPage['sort'], string>> = {
  createdAt: 's.id',
  name: foldedText('s.name'),
  place: foldedText("coalesce(s.place, '')"),
  lastSeenAt: 'coalesce((extract(epoch FROM s.last_seen_at) * 1000000)::bigint, 0)',
};

interface StationFilter {
  /** Part of the name or the place; null for any. */
  readonly query: string | null;
  readonly status: StationStatus | null;
}

/** Wrong PINs within the window that lock a station. */
const MAX_FAILURES = 30;
const FAILURE_WINDOW = "interval '10 minutes'";
/**
 * Wrong PINs of an organization within the window, after which its stations pause: for each of its
 * stations, and at least.
 */
const FAILURES_PER_STATION = 5;
const MIN_BRAKED_FAILURES = 100;

const SHOWN = {
  tenantId: true,
  id: true,
  name: true,
  place: true,
  status: true,
  idleSeconds: true,
  shiftSeconds: true,
  networks: true,
  registrationExpiresAt: true,
  createdAt: true,
  lastSeenAt: true,
} as const;

/** A station, with the person who is signed in. */
export interface Station extends Selected<StationEntity, typeof SHOWN> {
  /** Whether a device has registered. */
  readonly isRegistered: boolean;
  readonly person: {
    readonly userId: UserId;
    readonly number: string | null;
    readonly firstName: string | null;
  } | null;
}

/** A station in a list, with the value by which it is sorted. */
export interface ListedStation extends Station {
  readonly sortKey: string;
}

const PROVING = {
  tenantId: true,
  id: true,
  name: true,
  status: true,
  idleSeconds: true,
  shiftSeconds: true,
  networks: true,
  jwk: true,
  jkt: true,
} as const;

/** A station whose device has registered, as its proofs are verified. */
export interface RegisteredStation extends Selected<StationEntity, typeof PROVING> {
  readonly jwk: JWK;
  readonly jkt: string;
  /** Whether `lastSeenAt` is older than a minute. */
  readonly isStale: boolean;
  /** Whether the last person here has an address; null for none. */
  readonly hasAddress: boolean | null;
}

/** A station whose device has registered just now. */
export interface NewlyRegistered extends Pick<StationEntity, 'tenantId' | 'id' | 'name' | 'createdBy'> {
  readonly tenantName: string;
}

/** A session at a station, which may have ended. */
export interface SessionAtStation {
  readonly sessionId: SessionId;
  readonly userId: UserId;
}

type Fields = Pick<StationEntity, 'name' | 'place' | 'idleSeconds' | 'shiftSeconds' | 'networks'>;

/** The person whose session has neither ended nor been idle for too long. */
const PERSON = `(SELECT json_build_object('userId', s.user_id, 'number', w.number, 'firstName', a.first_name)
  FROM grants g JOIN accounts a ON a.id = g.account_id
    LEFT JOIN workers w ON w.tenant_id = s.tenant_id AND w.user_id = s.user_id
  WHERE g.session_id = s.session_id AND g.station_id = s.id AND g.ended_at IS NULL AND g.idle_expires_at > now() LIMIT 1) AS person`;
const COLUMNS = `${columnsOf(StationEntity, 's', SHOWN)}, s.jwk IS NOT NULL AS "isRegistered", ${PERSON}`;
/** Stations of organization $1 with the text $2 in name or place, in state $3; null for any. */
const MATCHING = `s.tenant_id = $1
  AND ($2::text IS NULL OR search_key(s.name) LIKE search_pattern($2) OR search_key(s.place) LIKE search_pattern($2))
  AND ($3::text IS NULL OR s.status = $3)`;
const RECENT = `ARRAY(SELECT at FROM unnest(failed_at) at WHERE at > now() - ${FAILURE_WINDOW})`;
const SESSION = 'session_id AS "sessionId", user_id AS "userId"';

/** Stations of organizations. */
@Injectable()
export class StationRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** Loads rows as {@link TenantDatabase.loadByIds} does, for a decision. */
  loadByIds(
    ids: readonly string[],
    context: RowContext,
  ): Promise<ReadonlyMap<string, { readonly id: string }>> {
    const sql = 'SELECT id FROM stations WHERE tenant_id = $1 AND id = ANY($2)';
    return this.tenants.loadByIds(sql, ids, context);
  }

  /** Returns a page, and one row more if there is a next page. */
  list(tenantId: TenantId, page: StationPage, { query, status }: StationFilter): Promise<ListedStation[]> {
    const { limit, sort, descending, after } = page;
    const key = SORTED_BY[sort];
    const [direction, beyond] = descending ? ['DESC', '<'] : ['ASC', '>'];
    return this.tenants.rows(
      tenantId,
      `SELECT ${COLUMNS}, (${key})::text AS "sortKey" FROM stations s WHERE ${MATCHING}
         ${after ? `AND (${key}, s.id) ${beyond} ($5, $6)` : ''} ORDER BY ${key} ${direction}, s.id ${direction} LIMIT $4`,
      [query, status, limit + 1, ...(after ? [after.key, after.id] : [])],
    );
  }

  async countMatching(tenantId: TenantId, { query, status }: StationFilter): Promise<number> {
    const sql = `SELECT count(*)::int FROM stations s WHERE ${MATCHING}`;
    return (await this.tenants.value<number>(tenantId, sql, [query, status])) ?? 0;
  }

  find(tenantId: TenantId, id: string): Promise<Station | null> {
    return this.tenants.row(
      tenantId,
      `SELECT ${COLUMNS} FROM stations s WHERE s.tenant_id = $1 AND s.id = $2`,
      [id],
    );
  }

  count(tenantId: TenantId): Promise<number> {
    return this.tenants.of(StationEntity).count(tenantId);
  }

  async insert(
    tenantId: TenantId,
    station: Fields & Pick<StationEntity, 'id' | 'createdBy' | 'registrationHash' | 'registrationExpiresAt'>,
  ): Promise<void> {
    await this.tenants.of(StationEntity).insert(tenantId, station);
  }

  async update(
    tenantId: TenantId,
    id: string,
    changes: Partial<Fields & Pick<StationEntity, 'status' | 'failedAt'>>,
  ): Promise<void> {
    if (Object.keys(changes).length > 0)
      await this.tenants.of(StationEntity).update(tenantId, { id }, changes);
  }

  async delete(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.of(StationEntity).delete(tenantId, { id });
  }

  /**
   * Registers the device that has the code, once.
   * @returns null for a wrong, used or expired code
   */
  register(hashes: readonly Buffer[], jwk: JWK, jkt: string): Promise<NewlyRegistered | null> {
    return this.database.row(
      `UPDATE stations s SET jwk = $2, jkt = $3, status = 'active', registration_hash = NULL, registration_expires_at = NULL, last_seen_at = now()
       WHERE registration_hash = ANY($1) AND registration_expires_at > now() AND status = 'pending'
       RETURNING tenant_id AS "tenantId", id, name, created_by AS "createdBy",
         (SELECT t.name FROM tenants t WHERE t.id = s.tenant_id) AS "tenantName"`,
      [hashes, JSON.stringify(jwk), jkt],
    );
  }

  /** Returns a station of any tenant, as proofs name it only. @returns null before it registered */
  findRegistered(id: string): Promise<RegisteredStation | null> {
    return this.database.row(
      prepared(`SELECT ${columnsOf(StationEntity, 's', PROVING)}, last_seen_at < now() - interval '1 minute' AS "isStale",
           (SELECT a.email IS NOT NULL FROM accounts a WHERE a.id = s.user_id) AS "hasAddress"
         FROM stations s WHERE s.id = $1 AND s.jwk IS NOT NULL`),
      [id],
    );
  }

  async noteSeen(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.rows(
      tenantId,
      prepared('UPDATE stations SET last_seen_at = now() WHERE tenant_id = $1 AND id = $2'),
      [id],
    );
  }

  /**
   * Counts an attempt before its PIN is compared, so that concurrent ones cannot pass the limit.
   * @returns the number of attempts in the window; null at a station that is not active, or has
   *   reached the limit
   */
  takeAttempt(tenantId: TenantId, id: string): Promise<number | null> {
    return this.tenants.value(
      tenantId,
      prepared(`UPDATE stations SET failed_at = ${RECENT} || now()
         WHERE tenant_id = $1 AND id = $2 AND status = 'active' AND cardinality(${RECENT}) < ${MAX_FAILURES}
         RETURNING cardinality(failed_at)`),
      [id],
    );
  }

  /**
   * Returns whether an organization has so many wrong PINs that its stations pause. Stations
   * without a device raise no limit: any number of them can be created.
   */
  async isBraked(tenantId: TenantId): Promise<boolean> {
    const sql = prepared(
      `SELECT coalesce(sum(cardinality(${RECENT})), 0) >= greatest(${MIN_BRAKED_FAILURES}, ${FAILURES_PER_STATION} * count(jwk))
       FROM stations WHERE tenant_id = $1`,
    );
    return (await this.tenants.value<boolean>(tenantId, sql)) ?? false;
  }

  /** Locks a station that has reached the limit. @returns whether this was the attempt that did */
  lockOut(tenantId: TenantId, id: string): Promise<boolean> {
    return this.tenants.hasRow(
      tenantId,
      `UPDATE stations SET status = 'locked' WHERE tenant_id = $1 AND id = $2 AND status = 'active'
         AND cardinality(${RECENT}) >= ${MAX_FAILURES} RETURNING 1`,
      [id],
    );
  }

  /** Locks an active station for a session. @returns null for another; the session before */
  findActiveForUpdate(tenantId: TenantId, id: string): Promise<Partial<SessionAtStation> | null> {
    return this.tenants.row(
      tenantId,
      prepared(
        `SELECT ${SESSION} FROM stations WHERE tenant_id = $1 AND id = $2 AND status = 'active' FOR UPDATE`,
      ),
      [id],
    );
  }

  /** Takes back an attempt whose PIN was right. */
  async returnAttempt(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.rows(
      tenantId,
      prepared(
        'UPDATE stations SET failed_at = failed_at[:cardinality(failed_at) - 1] WHERE tenant_id = $1 AND id = $2',
      ),
      [id],
    );
  }

  /** Notes the session that has begun. */
  async noteSession(tenantId: TenantId, id: string, { sessionId, userId }: SessionAtStation): Promise<void> {
    await this.tenants.rows(
      tenantId,
      prepared(`UPDATE stations SET session_id = $3, user_id = $4, last_seen_at = now()
         WHERE tenant_id = $1 AND id = $2`),
      [id, sessionId, userId],
    );
  }

  /** Locks a station and takes its session from it. @returns the session, which is to be ended */
  async takeSessionForUpdate(tenantId: TenantId, id: string): Promise<SessionAtStation[]> {
    return this.taken(
      await this.tenants.rows(
        tenantId,
        `WITH held AS (SELECT id, session_id, user_id FROM stations WHERE tenant_id = $1 AND id = $2 FOR UPDATE)
         UPDATE stations s SET session_id = NULL, user_id = NULL FROM held WHERE s.tenant_id = $1 AND s.id = held.id
         RETURNING held.session_id AS "sessionId", held.user_id AS "userId"`,
        [id],
      ),
    );
  }

  /** Takes the sessions of a person from the stations of tenants. @returns them */
  async takeSessionsOfForUpdate(tenantIds: readonly TenantId[], userId: UserId): Promise<SessionAtStation[]> {
    return this.taken(
      await this.tenants.rowsOfEach(
        tenantIds,
        `WITH held AS (
           SELECT s.tenant_id, s.id, s.session_id, s.user_id FROM unnest($1::text[]) asked (tenant_id)
             JOIN stations s ON s.tenant_id = asked.tenant_id AND s.user_id = $2 ORDER BY s.tenant_id, s.id FOR UPDATE OF s)
         UPDATE stations s SET session_id = NULL, user_id = NULL FROM held WHERE s.tenant_id = held.tenant_id AND s.id = held.id
         RETURNING held.session_id AS "sessionId", held.user_id AS "userId"`,
        [userId],
      ),
    );
  }

  private taken(rows: readonly Partial<SessionAtStation>[]): SessionAtStation[] {
    return rows.filter((row): row is SessionAtStation => row.sessionId !== null && row.userId !== null);
  }

  /** Returns the names of those that exist. */
  @NamedInTrail({ collection: 'iam/stations', scope: 'iam:station:read' })
  findNamed(tenantIds: readonly TenantId[], ids: readonly string[]): Promise<NamedThing[]> {
    return this.tenants.listNames('stations', tenantIds, ids);
  }
}
