import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { prepared, TenantDatabase } from '../../../platform/database/index.js';
import { notEnded } from '../members/member-sql.js';
import { GRANTED_ROLES, GRANTED_THINGS } from './partnership-sql.js';

/** What a partnership gives a person in the host, while the person is a member of the partner. */
export interface PartnerGrant {
  /** Id of the partnership. */
  readonly id: string;
  readonly partnerId: TenantId;
  readonly roleIds: readonly string[];
  /** Things of the roles, as `thingOf` spells them; null for the whole host. */
  readonly things: readonly string[] | null;
  readonly joinedAt: Date;
  /** Milliseconds until something of it ends; null for never. */
  readonly endsInMs: number | null;
}

type AskedGrant = PartnerGrant & { readonly tenantId: TenantId; readonly userId: UserId };

/**
 * A membership of the host, also a suspended one, decides instead of a partnership: whom the host
 * has suspended does not come back by a partner.
 */
const OF_EACH =
  prepared(`SELECT asked.tenant_id AS "tenantId", asked.user_id AS "userId", p.id, p.partner_id AS "partnerId",
     ${GRANTED_ROLES} AS "roleIds", ${GRANTED_THINGS} AS things, pp.created_at AS "joinedAt",
     (extract(epoch FROM least(p.until, pp.until) - statement_timestamp()) * 1000)::float8 AS "endsInMs"
   FROM unnest($1::text[], $2::text[]) asked (tenant_id, user_id)
     JOIN partner_people pp ON pp.tenant_id = asked.tenant_id AND pp.user_id = asked.user_id AND ${notEnded('pp')}
     JOIN partnerships p ON p.id = pp.partnership_id AND p.status = 'active' AND ${notEnded('p')}
   WHERE NOT EXISTS (SELECT 1 FROM members h WHERE h.tenant_id = asked.tenant_id AND h.user_id = asked.user_id)
   ORDER BY p.id`);
/** People of each partnership are read in order and by index, a page of each. */
const HOLDERS = prepared(`SELECT DISTINCT h.user_id FROM partnerships p CROSS JOIN LATERAL (
     SELECT pp.user_id FROM partner_people pp
     WHERE pp.partnership_id = p.id AND pp.user_id > $4 AND ${notEnded('pp')} AND ${GRANTED_ROLES} && $2::text[]
       AND coalesce(${GRANTED_THINGS} && $3::text[], true) ORDER BY pp.user_id LIMIT $5) h
   WHERE p.tenant_id = $1 AND p.status = 'active' AND ${notEnded('p')} ORDER BY 1 LIMIT $5`);
const LOCK = prepared('SELECT 1 FROM partnerships WHERE tenant_id = $1 AND id = $2 FOR SHARE');

/** What partnerships give people: the part of the decision about people who are no members. */
@Injectable()
export class PartnerGrantRepository {
  constructor(private readonly database: TenantDatabase) {}

  /** Returns what partnerships give each person in each tenant, the oldest partnership first. */
  listOfEach(tenantIds: readonly string[], userIds: readonly string[]): Promise<AskedGrant[]> {
    return this.database.rowsOfEach(tenantIds, OF_EACH, [userIds]);
  }

  /**
   * Lists who has one of these roles by a partnership, in the whole tenant or on one of these
   * things, by id.
   */
  findHolders(
    tenantId: TenantId,
    roleIds: readonly string[],
    things: readonly string[],
    { limit, after }: { readonly limit: number; readonly after: string | null },
  ): Promise<UserId[]> {
    return this.database.values(tenantId, HOLDERS, [roleIds, things, after ?? '', limit]);
  }

  /** Locks a partnership of the host: neither side ends it before the transaction does. */
  async lockForShare(tenantId: TenantId, id: string): Promise<void> {
    await this.database.rows(tenantId, LOCK, [id]);
  }
}
