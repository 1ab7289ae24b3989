import { Injectable } from '@nestjs/common';
import { Database, TenantDatabase } from '../../../../platform/database/index.js';
import type { Locked, TenantId, UserId } from '../../../../kernel/index.js';
import { ACTIVE_HOLDERS } from '../../members/member-sql.js';
import { OWNER } from '../../roles/role-scopes.js';
import type { Recipient } from '../../../accounts/account-mails.js';

/** When an organization is deleted, and by whom; null while no deletion is scheduled. */
export interface Schedule {
  readonly deletesAt: Date | null;
  readonly requestedBy: UserId | null;
}

/** Owner of an organization, as a mail needs them. */
interface OwnerToTell extends Recipient {
  readonly userId: UserId;
}

/** A release that knows no deletion may have restored the organization during an upgrade. */
const IS_DUE = 'deletes_at <= now() AND archived_at IS NOT NULL';

const SCHEDULE = 'deletes_at AS "deletesAt", deletion_requested_by AS "requestedBy"';

/** Tables of an organization whose rows are deleted here, by their id. */
const DELETED = ['invitations', 'audit_events'] as const;
/** What a deletion is said to remove. Each organization has the built-in roles. */
const COUNTED = [
  { kind: 'members', table: 'members' },
  { kind: 'roles', table: 'roles', condition: 'NOT built_in' },
  { kind: 'invitations', table: 'invitations' },
  { kind: 'audit-events', table: 'audit_events' },
];

/** Statements of the deletion of organizations. */
@Injectable()
export class TenantDeletionRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  find(id: TenantId): Promise<Schedule | null> {
    return this.database.row<Schedule>(`SELECT ${SCHEDULE} FROM tenants WHERE id = $1`, [id]);
  }

  schedule(id: TenantId, requestedBy: UserId, delaySeconds: number): Promise<Schedule> {
    return this.database.getRow<Schedule>(
      `UPDATE tenants SET deletes_at = now() + make_interval(secs => $3), deletion_requested_by = $2
       WHERE id = $1 RETURNING ${SCHEDULE}`,
      [id, requestedBy, delaySeconds],
    );
  }

  async cancel(id: TenantId): Promise<void> {
    const sql = 'UPDATE tenants SET deletes_at = NULL, deletion_requested_by = NULL WHERE id = $1';
    await this.database.rows(sql, [id]);
  }

  /** Counts what a deletion removes, each kind up to `max`. */
  async count(id: TenantId, max: number): Promise<{ kind: string; count: number }[]> {
    const counts: { kind: string; count: number }[] = [];
    for (const { kind, table, condition } of COUNTED)
      counts.push({ kind, count: await this.tenants.countUpTo(max, id, table, condition) });
    return counts;
  }

  /** Returns a page of the active owners with an address, in order of id. */
  listOwners(id: TenantId, after: string, limit: number): Promise<OwnerToTell[]> {
    return this.tenants.rows<OwnerToTell>(
      id,
      `SELECT DISTINCT ON (mr.user_id) a.id AS "userId", a.email, a.locale FROM ${ACTIVE_HOLDERS} JOIN accounts a ON a.id = mr.user_id
       WHERE r.tenant_id = $1 AND r.key = '${OWNER}' AND a.email IS NOT NULL AND mr.user_id > $2 ORDER BY mr.user_id LIMIT $3`,
      [after, limit],
    );
  }

  /** Returns organizations whose deletion is due, the longest waiting first. */
  listDue(limit: number): Promise<TenantId[]> {
    const sql = `SELECT id FROM tenants WHERE ${IS_DUE} ORDER BY deletes_at, id LIMIT $1`;
    return this.database.values(sql, [limit]);
  }

  /**
   * Starts a deletion that is due, or continues one.
   * @returns who scheduled it; null if it is not due, because it was cancelled
   */
  async start(id: Locked<TenantId>): Promise<UserId | null> {
    const row = await this.database.row<{ requestedBy: UserId }>(
      `UPDATE tenants SET deletion_started_at = coalesce(deletion_started_at, now())
       WHERE id = $1 AND ${IS_DUE} RETURNING deletion_requested_by AS "requestedBy"`,
      [id],
    );
    return row?.requestedBy ?? null;
  }

  listMembers(id: TenantId, limit: number): Promise<UserId[]> {
    const sql = 'SELECT user_id FROM members WHERE tenant_id = $1 ORDER BY user_id LIMIT $2';
    return this.tenants.values(id, sql, [limit]);
  }

  /** Deletes rows of each table. @returns whether rows may be left */
  async deleteRows(id: TenantId, limit: number): Promise<boolean> {
    let more = false;
    for (const table of DELETED) {
      const deleted = await this.tenants.rows(
        id,
        `DELETE FROM ${table} WHERE tenant_id = $1 AND id IN (SELECT id FROM ${table} WHERE tenant_id = $1 ORDER BY id LIMIT $2) RETURNING 1`,
        [limit],
      );
      more ||= deleted.length === limit;
    }
    return more;
  }

  /** Deletes the organization itself, with its roles. */
  async delete(id: TenantId): Promise<void> {
    await this.database.rows('DELETE FROM tenants WHERE id = $1', [id]);
  }
}
