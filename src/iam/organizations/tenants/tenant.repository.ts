import { Injectable } from '@nestjs/common';
import { Any } from 'typeorm';
import { columnsOf, Database, prepared } from '../../../platform/database/index.js';
import type { Page } from '../../../platform/api/index.js';
import type { SetSignInPolicy, SignInPolicy, TenantId, UserId } from '../../../kernel/index.js';
import { MemberEntity } from '../members/member.entity.js';
import { IS_ACTIVE, notEnded, ROLE_KEYS_OF_M } from '../members/member-sql.js';
import { GRANTED_ROLES, keysOf } from '../partnerships/partnership-sql.js';
import { OWNER } from '../roles/role-scopes.js';
import { type Tenant, type TenantChanges, TenantEntity, type TenantState } from './tenant.entity.js';

/** An organization of a person, with the keys of their roles in it. */
export interface MyTenant extends Tenant {
  readonly roles: string[];
  /** Partnership by which the person is in it; null for a member. */
  readonly via: string | null;
}

const COLUMNS = columnsOf(TenantEntity, 't', {
  id: true,
  name: true,
  slug: true,
  createdAt: true,
  archivedAt: true,
});
/** Former slugs that an organization keeps from others. */
const MAX_FORMER_SLUGS = 5;
const LOCK = prepared('SELECT 1 FROM tenants WHERE id = ANY($1) ORDER BY id FOR UPDATE');
const STATE = `archived_at IS NOT NULL AS archived, archived_at IS NOT NULL AND deletes_at IS NOT NULL AS "deletionScheduled",
  deletion_started_at IS NOT NULL AS "deletionStarted", sign_in_policy AS "signInPolicy", other_connections AS "otherConnections"`;

/** Tenants, and those of a person. */
@Injectable()
export class TenantRepository {
  constructor(private readonly database: Database) {}

  /** @throws a unique violation if another organization has the slug: see `isUniqueViolation` */
  async insert(id: TenantId, name: string, slug: string | null): Promise<Tenant> {
    const tenant = { id, name, slug, archivedAt: null };
    const { generatedMaps } = await this.database.repository(TenantEntity).insert(tenant);
    return { ...tenant, ...(generatedMaps[0] as Pick<Tenant, 'createdAt'>) };
  }

  async find(id: TenantId): Promise<Tenant | null> {
    return this.database.repository(TenantEntity).findOne({ where: { id } });
  }

  /** Locks the organization: it is neither archived nor restored before the transaction ends. */
  findStateForShare(id: TenantId): Promise<TenantState | null> {
    return this.database.row<TenantState>(`SELECT ${STATE} FROM tenants WHERE id = $1 FOR SHARE`, [id]);
  }

  /** Locks organizations in id order, to avoid deadlocks. Called by `TenantLock` only. */
  async lockForUpdate(ids: readonly TenantId[]): Promise<void> {
    await this.database.rows(LOCK, [ids]);
  }

  /** Finds the names of organizations, by their ids. */
  async findNames(ids: readonly TenantId[]): Promise<ReadonlyMap<TenantId, string>> {
    if (ids.length === 0) return new Map();
    const tenants = this.database.repository(TenantEntity);
    const found = await tenants.find({ where: { id: Any([...ids]) }, select: { id: true, name: true } });
    return new Map(found.map(({ id, name }) => [id, name]));
  }

  /** Returns the states of several organizations by id, without those that do not exist. */
  async findStates(ids: readonly string[]): Promise<ReadonlyMap<string, TenantState>> {
    const states = await this.database.rows<TenantState & { id: string }>(
      prepared(`SELECT id, ${STATE} FROM tenants WHERE id = ANY($1)`),
      [ids],
    );
    return new Map(states.map(({ id, ...state }) => [id, state]));
  }

  /** Returns the id of the organization with the slug; null if there is none. */
  async findIdBySlug(slug: string): Promise<TenantId | null> {
    const found = await this.database
      .repository(TenantEntity)
      .findOne({ where: { slug }, select: { id: true } });
    return found?.id ?? null;
  }

  /** Returns whether another organization had the slug before. */
  async isFormerOfOther(id: TenantId, slug: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM tenants WHERE former_slugs @> ARRAY[$2::text] AND id <> $1 LIMIT 1';
    return (await this.database.row(sql, [id, slug])) !== null;
  }

  /** @throws a unique violation if another organization has the slug: see `isUniqueViolation` */
  update(id: TenantId, { name, slug }: TenantChanges): Promise<Tenant | null> {
    return this.database.row<Tenant>(
      `UPDATE tenants t SET name = coalesce($2, name), slug = CASE WHEN $3 THEN $4::text ELSE slug END,
         former_slugs = CASE WHEN $3 AND slug IS DISTINCT FROM $4::text
           THEN (array_remove(slug || array_remove(former_slugs, $4::text), NULL))[1:${MAX_FORMER_SLUGS}] ELSE former_slugs END
       WHERE t.id = $1 RETURNING ${COLUMNS}`,
      [id, name ?? null, slug !== undefined, slug ?? null],
    );
  }

  /** Archives or restores an organization. Both end the schedule of its deletion. */
  setArchived(id: TenantId, archived: boolean): Promise<Tenant | null> {
    return this.database.row<Tenant>(
      `UPDATE tenants t SET archived_at = CASE WHEN $2 THEN now() END, deletes_at = NULL, deletion_requested_by = NULL
       WHERE t.id = $1 RETURNING ${COLUMNS}`,
      [id, archived],
    );
  }

  findSignInPolicy(id: TenantId): Promise<Pick<TenantEntity, 'signInPolicy' | 'otherConnections'> | null> {
    return this.database
      .repository(TenantEntity)
      .findOne({ where: { id }, select: { signInPolicy: true, otherConnections: true, id: true } });
  }

  async setSignInPolicy(id: TenantId, signInPolicy: SetSignInPolicy): Promise<void> {
    await this.database.repository(TenantEntity).update({ id }, { signInPolicy });
  }

  /**
   * Takes organizations whose owners have not been told that connections of others open it.
   * @returns whether it is still so; for one caller only
   */
  takeUntoldForUpdate(limit: number): Promise<{ id: TenantId; isOpen: boolean }[]> {
    return this.database.rows(
      `UPDATE tenants SET other_connections_told = true WHERE id IN (
         SELECT id FROM tenants WHERE NOT other_connections_told ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id, deletion_started_at IS NULL AND coalesce((sign_in_policy->>'otherConnections')::boolean, other_connections) AS "isOpen"`,
      [limit],
    );
  }

  async archiveAll(ids: readonly TenantId[]): Promise<void> {
    await this.database.repository(TenantEntity).update({ id: Any(ids) }, { archivedAt: () => 'now()' });
  }

  /** Returns those of these organizations that have no member. */
  findDeserted(ids: readonly TenantId[]): Promise<TenantId[]> {
    return this.database.values(
      'SELECT id FROM tenants t WHERE id = ANY($1) AND NOT EXISTS (SELECT 1 FROM members m WHERE m.tenant_id = t.id)',
      [ids],
    );
  }

  /** Removes names, slugs and looks: they may name and show a person's company. */
  async forgetNames(ids: readonly TenantId[]): Promise<void> {
    await this.database.rows(
      `WITH looks AS (DELETE FROM brandings WHERE tenant_id = ANY($1))
       UPDATE tenants SET name = id, slug = NULL, former_slugs = '{}' WHERE id = ANY($1)`,
      [ids],
    );
  }

  /**
   * Returns a page of the tenants of a person in order of id, and one row more if there is a next
   * page. Without those in which the membership is suspended: the person cannot enter them.
   * Partnerships give others, the oldest of each tenant.
   */
  listOf(userId: UserId, { limit, after }: Page): Promise<MyTenant[]> {
    return this.database.rows<MyTenant>(
      `(SELECT ${COLUMNS}, ${ROLE_KEYS_OF_M} AS roles, NULL AS via
       FROM members m JOIN tenants t ON t.id = m.tenant_id
       WHERE m.user_id = $1 AND ${IS_ACTIVE} AND t.deletion_started_at IS NULL AND ($2::text IS NULL OR m.tenant_id > $2) ORDER BY m.tenant_id LIMIT $3)
       UNION ALL
       (SELECT DISTINCT ON (t.id) ${COLUMNS}, ${keysOf(GRANTED_ROLES)} AS roles, p.id AS via
       FROM partner_people pp JOIN partnerships p ON p.id = pp.partnership_id AND p.status = 'active' AND ${notEnded('p')}
         JOIN members m ON m.tenant_id = p.partner_id AND m.user_id = pp.user_id AND ${IS_ACTIVE}
         JOIN tenants o ON o.id = p.partner_id AND o.archived_at IS NULL AND o.deletion_started_at IS NULL
         JOIN tenants t ON t.id = p.tenant_id AND t.deletion_started_at IS NULL
       WHERE pp.user_id = $1 AND ${notEnded('pp')} AND ($2::text IS NULL OR t.id > $2)
         AND NOT EXISTS (SELECT 1 FROM members h WHERE h.tenant_id = pp.tenant_id AND h.user_id = pp.user_id)
       ORDER BY t.id, p.id LIMIT $3)
       ORDER BY id LIMIT $3`,
      [userId, after, limit + 1],
    );
  }

  /** Returns the second factors that organizations of a person require. */
  findRequiredFactors(userId: UserId): Promise<SignInPolicy['secondFactor'][]> {
    return this.database.values(
      `SELECT DISTINCT t.sign_in_policy->>'secondFactor'
       FROM members m JOIN tenants t ON t.id = m.tenant_id
       WHERE m.user_id = $1 AND ${IS_ACTIVE} AND t.sign_in_policy->>'secondFactor' <> 'optional'`,
      [userId],
    );
  }

  /** Returns whether the person owns an organization. */
  async isOwnerOfAny(userId: UserId): Promise<boolean> {
    const sql = `SELECT 1 FROM members m JOIN member_roles mr ON mr.tenant_id = m.tenant_id AND mr.user_id = m.user_id
       JOIN roles r ON r.tenant_id = mr.tenant_id AND r.id = mr.role_id
       WHERE m.user_id = $1 AND r.key = '${OWNER}' AND ${notEnded('m')} AND ${notEnded('mr')} LIMIT 1`;
    return (await this.database.row(sql, [userId])) !== null;
  }

  async countOf(userId: UserId): Promise<number> {
    return this.database.repository(MemberEntity).count({ where: { userId } });
  }

  /** Returns every tenant of a person, in the order in which they are locked. */
  async findIdsOf(userId: UserId): Promise<TenantId[]> {
    const rows = await this.database
      .repository(MemberEntity)
      .find({ where: { userId }, select: { tenantId: true }, order: { tenantId: 'ASC' } });
    return rows.map(({ tenantId }) => tenantId);
  }
}
