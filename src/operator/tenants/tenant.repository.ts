import { Injectable } from '@nestjs/common';
import type { SignInPolicy, TenantId, UserId } from '../../kernel/index.js';
import { nameColumns, type PersonName, type Tenant } from '../../iam/index.js';
import type { Page } from '../../platform/api/index.js';
import { Database, findAnyPart } from '../../platform/database/index.js';

/** An organization, as the policy needs it. */
export interface OperatedTenant {
  readonly id: TenantId;
  readonly isArchived: boolean;
}

export interface TenantPage extends Tenant {
  readonly deletesAt: Date | null;
  readonly supportAccess: SignInPolicy['supportAccess'] | null;
  /** At most {@link MAX_COUNTED_MEMBERS}. */
  readonly members: number;
  readonly owners: readonly (PersonName & { readonly userId: UserId; readonly email: string | null })[];
}

/** Counting is work for each row: support needs to know whether there are many. */
export const MAX_COUNTED_MEMBERS = 10_000;
const MAX_OWNERS = 20;

const FOUND = `t.id, t.name, t.slug, t.created_at AS "createdAt", t.archived_at AS "archivedAt"`;
const EXISTS = 't.deletion_started_at IS NULL';
/** Expression of the index: a query has to repeat it. */
const NAME = `(search_key(t.name) COLLATE "C")`;

const PAGE = `SELECT ${FOUND}, t.deletes_at AS "deletesAt", t.sign_in_policy->>'supportAccess' AS "supportAccess",
    (SELECT count(*)::int FROM (SELECT 1 FROM members m WHERE m.tenant_id = t.id LIMIT ${MAX_COUNTED_MEMBERS}) counted) AS members,
    coalesce((SELECT json_agg(owner) FROM (
      SELECT DISTINCT m.user_id AS "userId", a.email, ${nameColumns('a')}
      FROM roles r JOIN member_roles mr ON mr.tenant_id = r.tenant_id AND mr.role_id = r.id
        JOIN members m ON m.tenant_id = mr.tenant_id AND m.user_id = mr.user_id
        JOIN accounts a ON a.id = m.user_id
      WHERE r.tenant_id = t.id AND r.key = 'owner' ORDER BY m.user_id LIMIT ${MAX_OWNERS}) owner), '[]') AS owners
  FROM tenants t WHERE t.id = $1 AND ${EXISTS}`;

/** Organizations, as operators see them; lists return one row more if there is a next page. */
@Injectable()
export class OperatedTenantRepository {
  constructor(private readonly database: Database) {}

  /** @param lock locks the organizations exclusively, in order of id */
  findJudged(ids: readonly string[], lock: boolean): Promise<OperatedTenant[]> {
    return this.database.rows<OperatedTenant>(
      `SELECT t.id, t.archived_at IS NOT NULL AS "isArchived" FROM tenants t
       WHERE t.id = ANY($1) AND ${EXISTS} ORDER BY t.id ${lock ? 'FOR UPDATE' : ''}`,
      [ids],
    );
  }

  find(id: string): Promise<TenantPage | null> {
    return this.database.row<TenantPage>(PAGE, [id]);
  }

  /** Lists all organizations, newest first. */
  listAll({ limit, after }: Page): Promise<Tenant[]> {
    return this.database.rows<Tenant>(
      `SELECT ${FOUND} FROM tenants t WHERE ${EXISTS} AND ($1::text IS NULL OR t.id < $1) ORDER BY t.id DESC LIMIT $2`,
      [after, limit + 1],
    );
  }

  /**
   * Lists organizations with a text anywhere in their name or slug, and the one that has verified a
   * domain, newest first.
   */
  listByPart(part: string, domain: string, { limit, after }: Page): Promise<Tenant[]> {
    const found = findAnyPart({
      table: 'tenants',
      columns: 'id',
      within: 'deletion_started_at IS NULL AND ($1::text IS NULL OR id < $1)',
      match: `(search_text LIKE search_pattern($2)
        OR id = (SELECT d.tenant_id FROM tenant_domains d WHERE d.domain = $3 AND d.status = 'verified'))`,
      order: 'id DESC',
      limit: '$4',
    });
    return this.database.rows<Tenant>(
      `SELECT ${FOUND} FROM (SELECT id FROM (${found}) found ORDER BY id DESC LIMIT $4) page
       JOIN tenants t ON t.id = page.id ORDER BY t.id DESC`,
      [after, part, domain, limit + 1],
    );
  }

  /**
   * Lists organizations whose name begins so, whatever case and accents, in order of name.
   * @returns null if the organization of the cursor was deleted
   */
  async listByName(beginning: string, { limit, after }: Page): Promise<Tenant[] | null> {
    const last = after === null ? '' : await this.findNameKey(after);
    if (last === null) return null;
    return this.database.rows<Tenant>(
      `SELECT ${FOUND} FROM tenants t
       WHERE ${NAME} >= (search_key($1) COLLATE "C") AND ${NAME} < (search_key($1) COLLATE "C") || chr(1114111) AND ${EXISTS}
         AND (${NAME}, t.id) > ($2, $3)
       ORDER BY ${NAME}, t.id LIMIT $4`,
      [beginning, last, after ?? '', limit + 1],
    );
  }

  private async findNameKey(id: string): Promise<string | null> {
    const row = await this.database.row<{ key: string }>(
      `SELECT ${NAME} AS key FROM tenants t WHERE t.id = $1`,
      [id],
    );
    return row?.key ?? null;
  }
}
