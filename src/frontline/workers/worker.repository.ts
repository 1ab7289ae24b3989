import { Injectable } from '@nestjs/common';
import {
  ALL_ROLE_IDS_OF_M,
  IS_ACTIVE,
  IS_ON_PARTNERSHIP_OF_M,
  notEnded,
  ROLE_KEYS_OF_M,
} from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { type Orders, type SortedPage, TEXT_KEY, ULID_KEY } from '../../platform/api/index.js';
import {
  columnsOf,
  Database,
  prepared,
  type Selected,
  TenantDatabase,
} from '../../platform/database/index.js';
import { WorkerEntity } from './worker.entity.js';

/** Orders of the list. Ids are in the order of creation. */
export const WORKER_ORDERS = {
  keys: { createdAt: ULID_KEY, name: TEXT_KEY, number: TEXT_KEY },
  byDefault: 'createdAt',
} as const satisfies Orders;

export type WorkerPage = SortedPage<keyof typeof WORKER_ORDERS.keys>;

/** For each order: the column and the id after it, which an index of the organization has. */
const SORTED_BY: Readonly<Record<WorkerPage['sort'], readonly [key: string, id: string]>> = {
  createdAt: ['w.user_id', 'w.user_id'],
  name: ['m.name_key', 'm.user_id'],
  number: ['w.number_key', 'w.user_id'],
};

/** Attempts in a row after which a PIN is locked until a reset. */
export const MAX_PIN_FAILURES = 10;

const SHOWN = {
  userId: true,
  number: true,
  until: true,
  badgeExpiresAt: true,
  lastSignInAt: true,
} as const;

/** A worker, with what the account and the membership say. */
export interface Worker extends Selected<WorkerEntity, typeof SHOWN> {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly status: 'active' | 'suspended';
  readonly roles: string[];
  readonly hasPin: boolean;
  readonly pinLocked: boolean;
}

/** A worker in a list, with the value by which it is sorted. */
export interface ListedWorker extends Worker {
  readonly sortKey: string;
}

/** A worker as the policy judges them. */
export interface JudgedWorker {
  readonly id: UserId;
  readonly status: Worker['status'];
  readonly isOwner: boolean;
  /** Of their roles in the organization, and on things. */
  readonly allRoleIds: readonly string[];
  readonly isOnPartnership: boolean;
}

const SIGN_IN = {
  userId: true,
  number: true,
  pinHash: true,
  pinSetBy: true,
  badgeHash: true,
} as const;

/** A worker as a sign-in needs them. The database's clock decides what has ended. */
export interface SigningWorker extends Selected<WorkerEntity, typeof SIGN_IN> {
  /** Whether neither the person nor a temporary PIN is refused by now. */
  readonly isActive: boolean;
  readonly hasTemporaryPin: boolean;
  /** Seconds until sign-ins at stations end; null for never. */
  readonly endsInSeconds: number | null;
  readonly hasAddress: boolean;
}

interface WorkerFilter {
  /** Part of the number or the name; null for any. */
  readonly query: string | null;
  readonly status: Worker['status'] | null;
}

type Changes = Partial<Pick<WorkerEntity, 'number' | 'until'>>;

const COLUMNS = `${columnsOf(WorkerEntity, 'w', SHOWN)}, a.first_name AS "firstName", a.last_name AS "lastName", a.email, m.status, ${ROLE_KEYS_OF_M} AS roles,
  w.pin_hash IS NOT NULL AS "hasPin", w.pin_failures >= ${MAX_PIN_FAILURES} AS "pinLocked"`;
const PEOPLE = `workers w JOIN members m ON m.tenant_id = w.tenant_id AND m.user_id = w.user_id AND ${notEnded('m')} JOIN accounts a ON a.id = w.user_id`;
/** Workers of organization $1 with the text $2 in number or name, in state $3; null for any. */
const MATCHING = `w.tenant_id = $1
  AND ($2::text IS NULL OR search_key(w.number) LIKE search_pattern($2) OR m.name_key LIKE search_pattern($2))
  AND ($3::text IS NULL OR m.status = $3)`;
const SIGN_IN_COLUMNS = `${columnsOf(WorkerEntity, 'w', SIGN_IN)}, a.email IS NOT NULL AS "hasAddress", w.pin_expires_at IS NOT NULL AS "hasTemporaryPin",
  (${IS_ACTIVE}) AND ${notEnded('w')} AND coalesce(w.pin_expires_at > statement_timestamp(), true) AS "isActive",
  extract(epoch FROM w.until - statement_timestamp())::float8 AS "endsInSeconds"`;

/** A suspension may be a directory's, by which the person comes back. */
const OUT_OF_REACH = prepared(`SELECT 1 FROM accounts a
  WHERE a.id = $1 AND a.erased_at IS NULL AND a.suspended_at IS NULL AND a.email IS NULL AND a.password_hash IS NULL
    AND NOT EXISTS (SELECT 1 FROM members m WHERE m.user_id = a.id)
    AND NOT EXISTS (SELECT 1 FROM external_identities i WHERE i.account_id = a.id)
    AND NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.account_id = a.id)
    AND NOT EXISTS (SELECT 1 FROM operators o WHERE o.account_id = a.id)
    AND NOT EXISTS (SELECT 1 FROM directory_users u WHERE u.account_id = a.id)
    AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.account_id = a.id AND s.ended_at IS NULL AND s.expires_at > now())`);

/** Workers of organizations: members with a number. */
@Injectable()
export class WorkerRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** Returns a page, and one row more if there is a next page. */
  list(tenantId: TenantId, page: WorkerPage, { query, status }: WorkerFilter): Promise<ListedWorker[]> {
    const { limit, sort, descending, after } = page;
    const [key, id] = SORTED_BY[sort];
    const [direction, beyond] = descending ? ['DESC', '<'] : ['ASC', '>'];
    return this.tenants.rows(
      tenantId,
      `SELECT ${COLUMNS}, ${key} AS "sortKey" FROM ${PEOPLE} WHERE ${MATCHING}
         ${after ? `AND (${key}, ${id}) ${beyond} ($5, $6)` : ''} ORDER BY ${key} ${direction}, ${id} ${direction} LIMIT $4`,
      [query, status, limit + 1, ...(after ? [after.key, after.id] : [])],
    );
  }

  /** Counts the workers that match, up to `max` and one more. */
  async count(tenantId: TenantId, { query, status }: WorkerFilter, max: number): Promise<number> {
    const sql = `SELECT count(*)::int FROM (SELECT 1 FROM ${PEOPLE} WHERE ${MATCHING} LIMIT ${max + 1}) counted`;
    return (await this.tenants.value<number>(tenantId, sql, [query, status])) ?? 0;
  }

  find(tenantId: TenantId, userId: UserId): Promise<Worker | null> {
    return this.tenants.row(
      tenantId,
      `SELECT ${COLUMNS} FROM ${PEOPLE} WHERE w.tenant_id = $1 AND w.user_id = $2`,
      [userId],
    );
  }

  /** Returns whose number it is. */
  async findHolder(tenantId: TenantId, number: string): Promise<UserId | null> {
    const row = await this.tenants
      .of(WorkerEntity)
      .findOne(tenantId, { where: { numberKey: keyOf(number) }, select: { userId: true } });
    return row?.userId ?? null;
  }

  async findNumber(tenantId: TenantId, userId: UserId): Promise<string | null> {
    const row = await this.tenants
      .of(WorkerEntity)
      .findOne(tenantId, { where: { userId }, select: { number: true } });
    return row?.number ?? null;
  }

  /**
   * Returns whether no sign-in opens an account: it has no address, password, identity, passkey or
   * session, and no organization or directory has the person.
   */
  isOutOfReach(userId: UserId): Promise<boolean> {
    return this.database.hasRow(OUT_OF_REACH, [userId]);
  }

  /** Locks the accounts of workers, in order of id: before the tenant in the lock order. */
  async lockAccountsForUpdate(tenantId: TenantId, userIds: readonly string[]): Promise<void> {
    if (userIds.length > 0)
      await this.tenants.rows(
        tenantId,
        `SELECT 1 FROM workers w JOIN accounts a ON a.id = w.user_id
         WHERE w.tenant_id = $1 AND w.user_id = ANY($2) ORDER BY a.id FOR UPDATE OF a`,
        [userIds],
      );
  }

  findJudged(tenantId: TenantId, userIds: readonly string[], lock: boolean): Promise<JudgedWorker[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT w.user_id AS id, m.status, 'owner' = ANY(${ROLE_KEYS_OF_M}) AS "isOwner",
         ${ALL_ROLE_IDS_OF_M}, ${IS_ON_PARTNERSHIP_OF_M}
       FROM workers w JOIN members m ON m.tenant_id = w.tenant_id AND m.user_id = w.user_id AND ${notEnded('m')}
       WHERE w.tenant_id = $1 AND w.user_id = ANY($2) ORDER BY w.user_id ${lock ? 'FOR UPDATE' : ''}`,
      [userIds],
    );
  }

  async insert(
    tenantId: TenantId,
    { number, ...worker }: Pick<WorkerEntity, 'userId' | 'number' | 'until'>,
  ): Promise<void> {
    await this.tenants.of(WorkerEntity).insert(tenantId, { ...worker, number, numberKey: keyOf(number) });
  }

  async update(tenantId: TenantId, userId: UserId, { number, ...changes }: Changes): Promise<void> {
    const all = { ...changes, ...(number !== undefined && { number, numberKey: keyOf(number) }) };
    if (Object.keys(all).length > 0) await this.tenants.of(WorkerEntity).update(tenantId, { userId }, all);
  }

  /** Sets or removes the badge; the one before ends. */
  async setBadge(
    tenantId: TenantId,
    userId: UserId,
    badge: Pick<WorkerEntity, 'badgeLookup' | 'badgeHash' | 'badgeExpiresAt'>,
  ): Promise<void> {
    await this.tenants.of(WorkerEntity).update(tenantId, { userId }, badge);
  }

  /** Removes the badge with this public part. @returns whose it was; null for an unknown one */
  removeBadge(badgeLookup: string): Promise<Pick<WorkerEntity, 'tenantId' | 'userId'> | null> {
    return this.database.row(
      `UPDATE workers SET badge_lookup = NULL, badge_hash = NULL, badge_expires_at = NULL WHERE badge_lookup = $1
       RETURNING tenant_id AS "tenantId", user_id AS "userId"`,
      [badgeLookup],
    );
  }

  /** Sets the PIN, and lifts a lock of the one before. */
  async setPin(
    tenantId: TenantId,
    userId: UserId,
    pin: Pick<WorkerEntity, 'pinHash' | 'pinExpiresAt' | 'pinSetBy'>,
  ): Promise<void> {
    const changes = { ...pin, pinFailures: 0, resetBy: null, resetUntil: null };
    await this.tenants.of(WorkerEntity).update(tenantId, { userId }, changes);
  }

  /** Notes the member who requests a reset that a second member has to confirm. */
  async askReset(tenantId: TenantId, userId: UserId, resetBy: UserId, resetUntil: Date): Promise<void> {
    await this.tenants.of(WorkerEntity).update(tenantId, { userId }, { resetBy, resetUntil });
  }

  /** Returns who has asked for a reset that can be confirmed now. */
  findResetRequester(tenantId: TenantId, userId: UserId): Promise<UserId | null> {
    return this.tenants.value(
      tenantId,
      `SELECT reset_by FROM workers WHERE tenant_id = $1 AND user_id = $2 AND reset_until > now()`,
      [userId],
    );
  }

  findByNumber(tenantId: TenantId, number: string): Promise<SigningWorker | null> {
    return this.tenants.row(
      tenantId,
      prepared(`SELECT ${SIGN_IN_COLUMNS} FROM ${PEOPLE} WHERE w.tenant_id = $1 AND w.number_key = $2`),
      [keyOf(number)],
    );
  }

  findByBadge(tenantId: TenantId, lookup: string): Promise<SigningWorker | null> {
    return this.tenants.row(
      tenantId,
      prepared(`SELECT ${SIGN_IN_COLUMNS} FROM ${PEOPLE} WHERE w.tenant_id = $1 AND w.badge_lookup = $2
         AND w.badge_expires_at > statement_timestamp()`),
      [lookup],
    );
  }

  /**
   * Counts an attempt before its PIN is compared, so that concurrent ones cannot pass the limit.
   * @returns the number of attempts; null for a locked PIN and an unknown person
   */
  takeAttempt(tenantId: TenantId, userId: string): Promise<number | null> {
    return this.tenants.value(
      tenantId,
      prepared(`UPDATE workers SET pin_failures = pin_failures + 1
         WHERE tenant_id = $1 AND user_id = $2 AND pin_failures < ${MAX_PIN_FAILURES} RETURNING pin_failures`),
      [userId],
    );
  }

  /** Locks worker and membership for a session, and reads them again. */
  findForSignIn(tenantId: TenantId, userId: UserId): Promise<SigningWorker | null> {
    return this.tenants.row(
      tenantId,
      prepared(
        `SELECT ${SIGN_IN_COLUMNS} FROM ${PEOPLE} WHERE w.tenant_id = $1 AND w.user_id = $2 FOR SHARE OF m FOR UPDATE OF w`,
      ),
      [userId],
    );
  }

  /** Forgets the attempts of a person whose PIN was right. */
  async clearAttempts(tenantId: TenantId, userId: UserId): Promise<void> {
    await this.tenants.rows(
      tenantId,
      prepared('UPDATE workers SET pin_failures = 0 WHERE tenant_id = $1 AND user_id = $2'),
      [userId],
    );
  }

  async noteSignIn(tenantId: TenantId, userId: UserId): Promise<void> {
    await this.tenants.rows(
      tenantId,
      prepared('UPDATE workers SET last_sign_in_at = now() WHERE tenant_id = $1 AND user_id = $2'),
      [userId],
    );
  }
}

const keyOf = (number: string): string => number.toLowerCase();
