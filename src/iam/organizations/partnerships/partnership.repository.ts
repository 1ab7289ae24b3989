import { Injectable } from '@nestjs/common';
import { newId, type TenantId, type UserId } from '../../../kernel/index.js';
import type { Page } from '../../../platform/api/index.js';
import { Database, prepared, TenantDatabase } from '../../../platform/database/index.js';
import { nameColumns, type PersonName } from '../../accounts/person-name.js';
import { MAX_EXPORTED, PersonalData } from '../../accounts/export/personal-data.decorator.js';
import { ActsInTrail, NamedInTrail, type NamedThing } from '../../audit/named-in-trail.decorator.js';
import type { Membership } from '../members/member.entity.js';
import { notEnded } from '../members/member-sql.js';
import { type PartnerPersonEntity, PartnershipEntity } from './partnership.entity.js';
import { GRANTED_ROLES, GRANTED_THINGS, keysOf } from './partnership-sql.js';

/** Status of a partnership. */
export const PARTNERSHIP_STATUSES = ['offered', 'active', 'declined', 'expired', 'ended'] as const;
export type PartnershipStatus = (typeof PARTNERSHIP_STATUSES)[number];

/** A partnership, with the keys of its roles. */
export interface Partnership extends Pick<
  PartnershipEntity,
  | 'id'
  | 'tenantId'
  | 'email'
  | 'slug'
  | 'partnerId'
  | 'things'
  | 'until'
  | 'maxPeople'
  | 'createdAt'
  | 'createdBy'
  | 'roleIds'
  | 'acceptedAt'
> {
  readonly status: PartnershipStatus;
  readonly roles: string[];
  readonly hostName: string;
  /** null until it is accepted: an offer does not say whom it has found. */
  readonly partnerName: string | null;
  readonly people: number;
}

/** What is offered. */
export type Offer = Pick<
  PartnershipEntity,
  'email' | 'emailKey' | 'slug' | 'partnerId' | 'roleIds' | 'things' | 'until' | 'maxPeople' | 'createdBy'
>;

/** What the host can change; undefined leaves a field as it is. */
export type OfferChanges = {
  readonly [K in 'roleIds' | 'things' | 'until' | 'maxPeople']?: Offer[K] | undefined;
};

/** A person on a partnership, with what counts of it now. */
export interface PartnerPerson
  extends PersonName, Pick<PartnerPersonEntity, 'userId' | 'things' | 'until' | 'createdAt'> {
  readonly email: string | null;
  readonly roles: string[];
}

/** Partnership with the people on it. */
export interface PartnershipWithPeople {
  readonly partnership: Partnership;
  readonly people: readonly PartnerPerson[];
}

/** A partnership as its policies judge it, with who offers which roles. */
export type JudgedOffer = Pick<Partnership, 'id' | 'status' | 'tenantId' | 'createdBy' | 'roleIds'>;

/** A person who was taken off a partnership; the organization is the host. */
export interface RemovedPerson extends Membership {
  readonly id: string;
  readonly partnerId: TenantId;
}

/** A partnership that was removed with one of its organizations. */
export interface RemovedPartnership extends Pick<PartnershipEntity, 'id' | 'tenantId' | 'partnerId'> {
  readonly isActive: boolean;
}

/** A partnership whose time is over, with the people who were on it. */
export interface OverPartnership extends Pick<PartnershipEntity, 'id' | 'tenantId' | 'partnerId'> {
  readonly userIds: readonly UserId[];
}

const OFFER_LIFETIME = "interval '14 days'";
/** Time for which both sides see that a partnership is over. */
const KEPT = "interval '30 days'";
/** Whether a partnership that is stored as active is over, in the words of its index. */
const IS_OVER = "status = 'active' AND until <= statement_timestamp()";
/** When a partnership is over, in the words of its index. */
const OVER_AT = 'coalesce(over_at, least(until, expires_at))';
const STATUS = `CASE WHEN p.status = 'offered' AND p.expires_at <= statement_timestamp() THEN 'expired'
  WHEN p.status IN ('offered', 'active') AND NOT ${notEnded('p')} THEN 'ended' ELSE p.status END`;
const JUDGED = `p.id, p.tenant_id AS "tenantId", ${STATUS} AS status, p.created_by AS "createdBy", p.role_ids AS "roleIds"`;
const COLUMNS = `${JUDGED}, p.email, p.slug, p.things, p.until,
  p.max_people AS "maxPeople", p.created_at AS "createdAt", p.accepted_at AS "acceptedAt", ${keysOf('p.role_ids')} AS roles,
  h.name AS "hostName", CASE WHEN p.accepted_at IS NOT NULL THEN p.partner_id END AS "partnerId", o.name AS "partnerName",
  (SELECT count(*)::int FROM partner_people pp WHERE pp.partnership_id = p.id) AS people`;
const WITH_NAMES = `partnerships p JOIN tenants h ON h.id = p.tenant_id
  LEFT JOIN tenants o ON o.id = p.partner_id AND p.accepted_at IS NOT NULL`;
/** Partnerships of the partner $1, and offers to the address $2. */
const OF_PARTNER = `p.id IN (SELECT id FROM partnerships WHERE partner_id = $1
  UNION SELECT id FROM partnerships WHERE email_key = $2 AND status = 'offered')`;

/** Partnerships of organizations, as both sides see them. */
@Injectable()
export class PartnershipRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** @returns the id of the offer */
  async insert(tenantId: TenantId, offer: Offer): Promise<string> {
    const id = newId();
    const row = { id, ...offer, expiresAt: () => `now() + ${OFFER_LIFETIME}` };
    await this.tenants.of(PartnershipEntity).insert(tenantId, row);
    return id;
  }

  /** Counts the partnerships of a host, also those that are over. */
  count(tenantId: TenantId, max: number): Promise<number> {
    return this.tenants.countUpTo(max, tenantId, 'partnerships');
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  listOfHost(tenantId: TenantId, { limit, after }: Page): Promise<Partnership[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${COLUMNS} FROM ${WITH_NAMES} WHERE p.tenant_id = $1 AND p.id > $2 ORDER BY p.id LIMIT $3`,
      [after ?? '', limit + 1],
    );
  }

  findOfHost(tenantId: TenantId, id: string): Promise<Partnership | null> {
    const sql = `SELECT ${COLUMNS} FROM ${WITH_NAMES} WHERE p.tenant_id = $1 AND p.id = $2`;
    return this.tenants.row(tenantId, sql, [id]);
  }

  /**
   * Returns a page of what an organization was offered and has accepted, in order of id, and one
   * row more if there is a next page.
   * @param emailKey address of the reader, who sees the offers to it; null for none
   */
  listOfPartner(
    partnerId: TenantId,
    emailKey: string | null,
    { limit, after }: Page,
  ): Promise<Partnership[]> {
    return this.database.rows(
      `SELECT ${COLUMNS} FROM ${WITH_NAMES} WHERE ${OF_PARTNER} AND p.id > $3
         AND h.deletion_started_at IS NULL AND ${STATUS} IN ('offered', 'active') ORDER BY p.id LIMIT $4`,
      [partnerId, emailKey, after ?? '', limit + 1],
    );
  }

  findOfPartner(partnerId: TenantId, emailKey: string | null, id: string): Promise<Partnership | null> {
    return this.database.row(
      `SELECT ${COLUMNS} FROM ${WITH_NAMES} WHERE ${OF_PARTNER} AND p.id = $3 AND h.deletion_started_at IS NULL`,
      [partnerId, emailKey, id],
    );
  }

  findJudgedOfHost(tenantId: TenantId, ids: readonly string[], lock: boolean): Promise<JudgedOffer[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${JUDGED} FROM partnerships p WHERE p.tenant_id = $1 AND p.id = ANY($2)
       ORDER BY p.id ${lock ? 'FOR UPDATE' : ''}`,
      [ids],
    );
  }

  findJudgedOfPartner(
    partnerId: TenantId,
    emailKey: string | null,
    ids: readonly string[],
    lock: boolean,
  ): Promise<JudgedOffer[]> {
    return this.database.rows(
      `SELECT ${JUDGED} FROM partnerships p JOIN tenants h ON h.id = p.tenant_id
       WHERE ${OF_PARTNER} AND p.id = ANY($3) AND h.deletion_started_at IS NULL ORDER BY p.id ${lock ? 'FOR UPDATE OF p' : ''}`,
      [partnerId, emailKey, ids],
    );
  }

  async update(tenantId: TenantId, id: string, changes: OfferChanges): Promise<void> {
    await this.tenants.of(PartnershipEntity).update(tenantId, { id }, changes);
  }

  async delete(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.of(PartnershipEntity).delete(tenantId, { id });
  }

  /**
   * Makes a partner of an organization that an offer was made to.
   * @throws a unique violation if it is a partner of the host already: see `isUniqueViolation`
   */
  async accept(id: string, partnerId: TenantId): Promise<void> {
    await this.database.rows(
      `UPDATE partnerships SET status = 'active', partner_id = $2, accepted_at = now(), expires_at = 'infinity', email = NULL, email_key = NULL WHERE id = $1`,
      [id, partnerId],
    );
  }

  /** Ends an offer or a partnership by the partner. Its people go. */
  async end(id: string, status: 'declined' | 'ended'): Promise<void> {
    await this.database.rows(
      `WITH gone AS (DELETE FROM partner_people WHERE partnership_id = $1)
       UPDATE partnerships SET status = $2, over_at = now() WHERE id = $1`,
      [id, status],
    );
  }

  /** Ends some partnerships whose time is over. Their people go. @returns them */
  endOver(limit: number): Promise<OverPartnership[]> {
    return this.endThose(`${IS_OVER} ORDER BY until LIMIT $1 FOR UPDATE SKIP LOCKED`, [limit]);
  }

  /**
   * Ends the partnership of two organizations if its time is over: they can have another one then.
   * @returns it, or nothing
   */
  endOverOf(tenantId: TenantId, partnerId: TenantId): Promise<OverPartnership[]> {
    return this.endThose(`tenant_id = $1 AND partner_id = $2 AND ${IS_OVER}`, [tenantId, partnerId]);
  }

  private endThose(which: string, parameters: readonly unknown[]): Promise<OverPartnership[]> {
    return this.database.rows(
      `WITH ended AS (UPDATE partnerships SET status = 'ended', over_at = until WHERE id IN (SELECT id FROM partnerships WHERE ${which})
         RETURNING id, tenant_id, partner_id),
         gone AS (DELETE FROM partner_people pp USING ended e WHERE pp.partnership_id = e.id RETURNING pp.partnership_id, pp.user_id)
       SELECT e.id, e.tenant_id AS "tenantId", e.partner_id AS "partnerId",
         ARRAY(SELECT g.user_id FROM gone g WHERE g.partnership_id = e.id) AS "userIds" FROM ended e`,
      parameters,
    );
  }

  /** Returns the people on a partnership, in order of id. */
  listPeople(id: string): Promise<PartnerPerson[]> {
    return this.selectPeople('p.id = $1 ORDER BY pp.user_id', [id]);
  }

  async findPerson(id: string, userId: UserId): Promise<PartnerPerson | null> {
    const [person] = await this.selectPeople('p.id = $1 AND pp.user_id = $2', [id, userId]);
    return person ?? null;
  }

  /** Puts a person on a partnership, or changes what they have of it. */
  async putPerson(
    { id, tenantId }: Pick<Partnership, 'id' | 'tenantId'>,
    person: Pick<PartnerPersonEntity, 'userId' | 'roleIds' | 'things' | 'until' | 'createdBy'>,
  ): Promise<void> {
    await this.tenants.rows(
      tenantId,
      prepared(`INSERT INTO partner_people (tenant_id, partnership_id, user_id, role_ids, things, until, created_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (partnership_id, user_id)
       DO UPDATE SET role_ids = excluded.role_ids, things = excluded.things, until = excluded.until`),
      [id, person.userId, person.roleIds, person.things, person.until, person.createdBy],
    );
  }

  /** @returns false if the person is not on the partnership */
  async removePerson(id: string, userId: UserId): Promise<boolean> {
    const sql = 'DELETE FROM partner_people WHERE partnership_id = $1 AND user_id = $2 RETURNING 1';
    return (await this.database.rows(sql, [id, userId])).length > 0;
  }

  /** Takes a person who is no longer a member off the partnerships of these partners. */
  removeOfLeft(userId: UserId, partnerIds: readonly TenantId[]): Promise<RemovedPerson[]> {
    return this.database.rows(
      prepared(`DELETE FROM partner_people pp USING partnerships p
       WHERE pp.user_id = $1 AND p.id = pp.partnership_id AND p.partner_id = ANY($2)
       RETURNING pp.tenant_id AS "tenantId", pp.user_id AS "userId", p.id, p.partner_id AS "partnerId"`),
      [userId, partnerIds],
    );
  }

  /** Removes offers to the address of an erased account. */
  async deleteByEmailKey(emailKey: string): Promise<void> {
    await this.database.rows('DELETE FROM partnerships WHERE email_key = $1', [emailKey]);
  }

  /**
   * Removes some partnerships of an organization on either side.
   * @returns them, the people on them, and whether others may be left
   */
  async removeOfTenant(
    tenantId: TenantId,
    limit: number,
  ): Promise<{ removed: RemovedPartnership[]; people: Membership[]; more: boolean }> {
    const removed = await this.database.rows<RemovedPartnership>(
      `SELECT id, tenant_id AS "tenantId", partner_id AS "partnerId", status = 'active' AS "isActive" FROM partnerships WHERE id IN (
         SELECT id FROM partnerships WHERE tenant_id = $1 UNION SELECT id FROM partnerships WHERE partner_id = $1 ORDER BY id LIMIT $2)
       ORDER BY id FOR UPDATE`,
      [tenantId, limit],
    );
    const people = await this.database.rows<Membership>(
      `WITH gone AS (DELETE FROM partnerships WHERE id = ANY($1))
       SELECT tenant_id AS "tenantId", user_id AS "userId" FROM partner_people WHERE partnership_id = ANY($1)`,
      [removed.map(({ id }) => id)],
    );
    return { removed, people, more: removed.length === limit };
  }

  /**
   * Removes some that are over for longer than both sides need to see.
   * @returns whether some may be left
   */
  async removeOver(limit: number): Promise<boolean> {
    const removed = await this.database.rows(
      `DELETE FROM partnerships WHERE id IN (
         SELECT id FROM partnerships WHERE ${OVER_AT} < now() - ${KEPT} ORDER BY ${OVER_AT} LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING 1`,
      [limit],
    );
    return removed.length === limit;
  }

  /** Removes some people whose end has passed. @returns the removed ones */
  removeEndedPeople(limit: number): Promise<RemovedPerson[]> {
    return this.database.rows(
      `DELETE FROM partner_people WHERE (partnership_id, user_id) IN (
         SELECT partnership_id, user_id FROM partner_people WHERE until IS NOT NULL AND until <= now()
         ORDER BY until LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING tenant_id AS "tenantId", user_id AS "userId", partnership_id AS id,
         (SELECT p.partner_id FROM partnerships p WHERE p.id = partnership_id) AS "partnerId"`,
      [limit],
    );
  }

  @PersonalData({
    part: 'partnerships',
    description: 'Organizations in which you work for a partner of theirs.',
    fields: {
      tenantId: 'Number of the organization.',
      name: 'Its name.',
      roles: 'Your roles in it.',
      things: 'The things on which you have them; null for the whole organization.',
      until: 'When your access ends.',
      createdAt: 'When you got it.',
    },
    tables: ['partner_people'],
  })
  partnerships(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT pp.tenant_id AS "tenantId", t.name, ${keysOf(GRANTED_ROLES)} AS roles, ${GRANTED_THINGS} AS things, pp.until,
         pp.created_at AS "createdAt"
       FROM partner_people pp JOIN partnerships p ON p.id = pp.partnership_id JOIN tenants t ON t.id = pp.tenant_id
       WHERE pp.user_id = $1 ORDER BY pp.partnership_id LIMIT ${MAX_EXPORTED}`,
      [userId],
    );
  }

  /** Names partnerships by the other side, for the trail of either; with the person on it. */
  @NamedInTrail({ collection: 'iam/partnerships', scope: 'iam:partnership:read' })
  findNamed(tenantIds: readonly TenantId[], subjects: readonly string[]): Promise<NamedThing[]> {
    const parts = subjects.map((subject) => subject.split('/people/'));
    return this.tenants.rowsOfEach(
      tenantIds,
      prepared(`SELECT asked.tenant_id AS "tenantId", asked.subject AS id, concat_ws(', ', person_name(a.first_name, a.last_name, a.display_name), t.name) AS name
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) asked (tenant_id, subject, id, user_id)
         JOIN partnerships p ON p.id = asked.id AND (p.tenant_id = asked.tenant_id OR p.partner_id = asked.tenant_id) AND p.accepted_at IS NOT NULL
         JOIN tenants t ON t.id = CASE WHEN p.tenant_id = asked.tenant_id THEN p.partner_id ELSE p.tenant_id END
         LEFT JOIN accounts a ON a.id = asked.user_id AND a.erased_at IS NULL`),
      [subjects, parts.map(([id = '']) => id), parts.map(([, userId = null]) => userId)],
    );
  }

  /** Names organizations that have acted as a partner: the other side of a partnership. */
  @ActsInTrail('partner')
  findActors(tenantIds: readonly TenantId[], ids: readonly string[]): Promise<NamedThing[]> {
    const sql =
      prepared(`SELECT asked.tenant_id AS "tenantId", t.id, t.name FROM unnest($1::text[], $2::text[]) AS asked (tenant_id, id)
       JOIN tenants t ON t.id = asked.id AND asked.tenant_id NOT IN (t.id, '')`);
    return this.database.rows(sql, [tenantIds, ids]);
  }

  private selectPeople(where: string, parameters: readonly unknown[]): Promise<PartnerPerson[]> {
    return this.database.rows(
      `SELECT pp.user_id AS "userId", a.email, ${nameColumns('a')}, ${keysOf(GRANTED_ROLES)} AS roles,
         ${GRANTED_THINGS} AS things, pp.until, pp.created_at AS "createdAt"
       FROM partner_people pp JOIN partnerships p ON p.id = pp.partnership_id JOIN accounts a ON a.id = pp.user_id
       WHERE ${where}`,
      parameters,
    );
  }
}
