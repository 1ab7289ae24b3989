import { Injectable } from '@nestjs/common';
import { type FoundAccount, nameColumns, type Profile, ROLE_KEYS_OF_M } from '../../iam/index.js';
import type { Locked, OperatorRole, TenantId, UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { Database } from '../../platform/database/index.js';
import { COUNTS } from './erasure-request.repository.js';

/** A person, as the policy needs it. */
export interface OperatedPerson {
  readonly id: UserId;
  readonly isSuspended: boolean;
  /** Whether a directory of their organization did it, which may lift it. */
  readonly isSuspendedByDirectory: boolean;
  /** Role of an operator; null for no operator. */
  readonly operatorRole: OperatorRole | null;
  /** Scopes to which the operator is restricted; null for no restriction. */
  readonly operatorScopes: readonly string[] | null;
  readonly hasAddress: boolean;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  readonly isResetPending: boolean;
  /** Operator whose request to erase the account waits for a second one; null without one. */
  readonly erasureRequestedBy: UserId | null;
  /**
   * Whether the caller counts as one of the two operators whom an erasure needs: not if they were
   * appointed after it was asked for, or lately by another operator.
   */
  readonly isCallerTrusted: boolean;
}

export interface Person extends FoundAccount, Pick<Profile, 'company' | 'country' | 'locale'> {
  readonly hasPassword: boolean;
  readonly operatorRole: OperatorRole | null;
}

/** Membership of a person in an organization. */
export interface HeldMembership {
  readonly tenantId: TenantId;
  readonly name: string;
  readonly archived: boolean;
  readonly status: 'active' | 'suspended';
  readonly roles: string[];
  readonly joinedAt: Date;
  /** Whether an operator may act as the person there now. */
  readonly letsSupportIn: boolean;
}

/** As `SupportAccessService.findPermissionForShare` decides at the start. */
const LETS_SUPPORT_IN = `t.deletion_started_at IS NULL AND CASE coalesce(t.sign_in_policy->>'supportAccess', 'never')
  WHEN 'always' THEN true WHEN 'on_request' THEN coalesce(t.support_until > now(), false) ELSE false END`;
const FOUND = `a.id, a.email, ${nameColumns('a')}, a.created_at AS "createdAt", a.suspended_at AS "suspendedAt"`;
/** Expressions of the indexes: a query has to repeat them. */
const DOMAIN = `substr(a.email_key, strpos(a.email_key, '@') + 1)`;
const NAME = `(search_key(a.first_name) COLLATE "C")`;
/** Follows every text that begins as the parameter does, in the order of bytes. */
const BEGINS = (key: string, parameter: string) =>
  `${key} >= ${parameter} AND ${key} < ${parameter} || chr(1114111)`;

const JUDGED = `SELECT a.id, a.suspended_at IS NOT NULL AS "isSuspended",
    a.suspended_at IS NOT NULL AND EXISTS (
      SELECT 1 FROM directory_suspensions s WHERE s.account_id = a.id AND s.kind = 'account') AS "isSuspendedByDirectory", a.email IS NOT NULL AS "hasAddress",
    a.password_hash IS NOT NULL AS "hasPassword",
    o.role AS "operatorRole", o.scopes AS "operatorScopes",
    EXISTS (SELECT 1 FROM totp_authenticators t WHERE t.account_id = a.id AND t.confirmed_at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM passkeys p WHERE p.account_id = a.id) AS "hasSecondFactor",
    EXISTS (SELECT 1 FROM factor_resets r WHERE r.account_id = a.id AND r.ended_at IS NULL) AS "isResetPending",
    (SELECT r.operator_id FROM erasure_requests r WHERE r.account_id = a.id AND ${COUNTS}) AS "erasureRequestedBy",
    EXISTS (SELECT 1 FROM operators c WHERE c.account_id = $2 AND c.trusted_from <= coalesce(
      (SELECT r.created_at FROM erasure_requests r WHERE r.account_id = a.id AND ${COUNTS}), now())) AS "isCallerTrusted"
  FROM accounts a LEFT JOIN operators o ON o.account_id = a.id WHERE a.id = ANY($1) AND a.erased_at IS NULL`;

/**
 * People, as operators see them. Each search is the range of one index, whatever the number of
 * accounts; each returns one row more than the limit if there is a next page.
 */
@Injectable()
export class PersonRepository {
  constructor(private readonly database: Database) {}

  /** Locks accounts exclusively, in order of id, to avoid deadlocks. @returns those that exist */
  async lockForUpdate(ids: readonly string[]): Promise<Locked<UserId>[]> {
    const sql = 'SELECT id FROM accounts WHERE id = ANY($1) ORDER BY id FOR UPDATE';
    const rows = await this.database.rows<{ id: Locked<UserId> }>(sql, [ids]);
    return rows.map(({ id }) => id);
  }

  /** @param callerId operator who wants to do something for them */
  findJudged(ids: readonly string[], callerId: UserId): Promise<OperatedPerson[]> {
    return this.database.rows<OperatedPerson>(JUDGED, [ids, callerId]);
  }

  find(id: UserId): Promise<Person | null> {
    return this.database.row<Person>(
      `SELECT ${FOUND}, a.company, a.country, a.locale, a.password_hash IS NOT NULL AS "hasPassword",
         (SELECT o.role FROM operators o WHERE o.account_id = a.id) AS "operatorRole"
       FROM accounts a WHERE a.id = $1 AND a.erased_at IS NULL`,
      [id],
    );
  }

  /** Lists all people, newest first. */
  listAll(page: Page): Promise<FoundAccount[]> {
    return this.list('a.erased_at IS NULL', [], page);
  }

  /** Lists suspended people, newest first. */
  listSuspended(page: Page): Promise<FoundAccount[]> {
    return this.list('a.suspended_at IS NOT NULL', [], page);
  }

  /** Lists people whose address is of a domain, newest first. */
  listByDomain(domain: string, page: Page): Promise<FoundAccount[]> {
    return this.list(`a.email_key IS NOT NULL AND ${DOMAIN} = $3`, [domain], page);
  }

  /** Lists the members of an organization, in order of id. */
  listByTenant(tenantId: string, { limit, after }: Page): Promise<FoundAccount[]> {
    return this.database.rows<FoundAccount>(
      `SELECT ${FOUND} FROM members m JOIN accounts a ON a.id = m.user_id
       WHERE m.tenant_id = $1 AND m.user_id > $2 ORDER BY m.user_id LIMIT $3`,
      [tenantId, after ?? '', limit + 1],
    );
  }

  /** Counts the members of an organization. */
  async countMembers(tenantId: TenantId): Promise<number> {
    const row = await this.database.getRow<{ count: number }>(
      'SELECT count(*)::int AS count FROM members WHERE tenant_id = $1',
      [tenantId],
    );
    return row.count;
  }

  /** Lists people with an identity of a connection, each once, in order of id. */
  listByConnection(connectionId: string, { limit, after }: Page): Promise<FoundAccount[]> {
    return this.database.rows<FoundAccount>(
      `SELECT ${FOUND} FROM (
         SELECT DISTINCT i.account_id FROM external_identities i
         WHERE i.connection_id = $1 AND i.account_id > $2 ORDER BY i.account_id LIMIT $3) found
       JOIN accounts a ON a.id = found.account_id ORDER BY a.id`,
      [connectionId, after ?? '', limit + 1],
    );
  }

  /**
   * Lists people whose first name begins so, whatever case and accents, in order of name.
   * @returns null if the person of the cursor has no name any more
   */
  async listByName(beginning: string, { limit, after }: Page): Promise<FoundAccount[] | null> {
    const last = after === null ? '' : await this.findNameKey(after);
    if (last === null) return null;
    return this.database.rows<FoundAccount>(
      `SELECT ${FOUND} FROM accounts a WHERE a.first_name IS NOT NULL AND ${BEGINS(NAME, '(search_key($1) COLLATE "C")')}
         AND (${NAME}, a.id) > ($2, $3)
       ORDER BY ${NAME}, a.id LIMIT $4`,
      [beginning, last, after ?? '', limit + 1],
    );
  }

  /** Lists memberships in order of organization. */
  listMemberships(userId: UserId, limit: number): Promise<HeldMembership[]> {
    return this.database.rows<HeldMembership>(
      `SELECT m.tenant_id AS "tenantId", t.name, t.archived_at IS NOT NULL AS archived, m.status, m.joined_at AS "joinedAt",
         ${ROLE_KEYS_OF_M} AS roles, ${LETS_SUPPORT_IN} AS "letsSupportIn"
       FROM members m JOIN tenants t ON t.id = m.tenant_id WHERE m.user_id = $1 ORDER BY m.tenant_id LIMIT $2`,
      [userId, limit],
    );
  }

  private async findNameKey(id: string): Promise<string | null> {
    const row = await this.database.row<{ key: string | null }>(
      `SELECT ${NAME} AS key FROM accounts a WHERE a.id = $1`,
      [id],
    );
    return row?.key ?? null;
  }

  private list(condition: string, values: unknown[], { limit, after }: Page): Promise<FoundAccount[]> {
    return this.database.rows<FoundAccount>(
      `SELECT ${FOUND} FROM accounts a WHERE ${condition} AND ($1::text IS NULL OR a.id < $1) ORDER BY a.id DESC LIMIT $2`,
      [after, limit + 1, ...values],
    );
  }
}
