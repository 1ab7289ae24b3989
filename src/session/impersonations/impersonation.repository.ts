import { Injectable } from '@nestjs/common';
import type { SessionId, TenantId, UserId } from '../../kernel/index.js';
import { NamedInTrail, type NamedThing } from '../../iam/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { columnsOf, Database, prepared, TenantDatabase } from '../../platform/database/index.js';
import { ImpersonationEntity } from './impersonation.entity.js';

/** Seconds. Longest session in which an operator acts as a person. */
const MAX_SECONDS = 1_800;

const COLUMNS = columnsOf(ImpersonationEntity);

const aliveWhere = (condition: string): string =>
  `SELECT ${COLUMNS} FROM impersonations WHERE ${condition} AND ended_at IS NULL ORDER BY id`;

/** An impersonation that begins, with its first-party grant. */
export interface NewImpersonation extends Omit<ImpersonationEntity, 'createdAt' | 'expiresAt' | 'endedAt'> {
  readonly grantId: string;
}

/** An impersonation, as its policy needs it. */
export interface JudgedImpersonation {
  readonly id: SessionId;
  readonly isAlive: boolean;
}

/** Sessions in which operators act as people. */
@Injectable()
// Keeps the reason for a year, so that people can ask why.
@RemovesExpired({ table: 'impersonations', key: 'id', when: "expires_at < now() - interval '365 days'" })
export class ImpersonationRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /**
   * Inserts the session, its grant and the impersonation. The session has no proof: neither of two
   * factors nor of a passkey.
   * @param until end of the permission; null for none
   * @returns the time of the start, and the seconds until it ends
   */
  insert(
    { id, grantId, operatorId, operatorSessionId, userId, tenantId, reason, ticket }: NewImpersonation,
    until: Date | null,
  ): Promise<{ readonly startedAt: Date; readonly seconds: number }> {
    return this.database.getRow(
      `WITH started AS (
         INSERT INTO sessions (id, account_id, amr, expires_at)
         VALUES ($1, $3, '{}', least(now() + make_interval(secs => ${MAX_SECONDS}), $7::timestamptz))
         RETURNING id, created_at, expires_at),
       granted AS (
         INSERT INTO grants (id, session_id, account_id, client_id, tenant_id, idle_expires_at)
         SELECT $2, id, $3, 'gatehouse', $4, expires_at FROM started),
       noted AS (
         INSERT INTO impersonations (id, account_id, tenant_id, operator_id, operator_session_id, reason, ticket, expires_at)
         SELECT id, $3, $4, $5, $8, $6, $9, expires_at FROM started)
       SELECT created_at AS "startedAt", floor(extract(epoch FROM expires_at - now()))::int AS seconds FROM started`,
      [id, grantId, userId, tenantId, operatorId, reason, until, operatorSessionId, ticket],
    );
  }

  find(id: SessionId): Promise<ImpersonationEntity | null> {
    return this.database.row(`SELECT ${COLUMNS} FROM impersonations WHERE id = $1`, [id]);
  }

  /** Returns the people as whom operators acted, for the trail of operators. */
  @NamedInTrail({ collection: 'platform/impersonations', scope: 'platform:person:read' })
  findNamed(tenantIds: readonly TenantId[], ids: readonly string[]): Promise<NamedThing[]> {
    const sql =
      prepared(`SELECT asked.tenant_id AS "tenantId", i.id, coalesce(person_name(a.first_name, a.last_name, a.display_name), a.email) AS name
       FROM unnest($1::text[], $2::text[]) AS asked (tenant_id, id)
         JOIN impersonations i ON i.id = asked.id JOIN accounts a ON a.id = i.account_id AND a.erased_at IS NULL`);
    return this.database.rows(sql, [tenantIds, ids]);
  }

  findJudged(ids: readonly string[]): Promise<JudgedImpersonation[]> {
    return this.database.rows(
      'SELECT id, ended_at IS NULL AND expires_at > now() AS "isAlive" FROM impersonations WHERE id = ANY($1)',
      [ids],
    );
  }

  listAliveOfTenant(tenantId: TenantId): Promise<ImpersonationEntity[]> {
    return this.tenants.rows(tenantId, aliveWhere('tenant_id = $1'));
  }

  listAliveOfMember(userId: UserId, tenantIds: readonly TenantId[]): Promise<ImpersonationEntity[]> {
    return this.database.rows(aliveWhere('account_id = $1 AND tenant_id = ANY($2)'), [userId, tenantIds]);
  }

  listAliveOfOperator(operatorId: UserId): Promise<ImpersonationEntity[]> {
    return this.database.rows(aliveWhere('operator_id = $1'), [operatorId]);
  }

  listAliveOfOperatorSessions(sessionIds: readonly SessionId[]): Promise<ImpersonationEntity[]> {
    return this.database.rows(aliveWhere('operator_session_id = ANY($1)'), [sessionIds]);
  }

  /**
   * Notes the end of impersonations.
   * @returns those that had not ended, in order of id
   */
  end(ids: readonly SessionId[]): Promise<ImpersonationEntity[]> {
    return this.database.rows(
      `WITH ended AS (UPDATE impersonations SET ended_at = least(now(), expires_at)
         WHERE id = ANY($1) AND ended_at IS NULL RETURNING *)
       SELECT ${columnsOf(ImpersonationEntity, 'ended')} FROM ended ORDER BY id`,
      [ids],
    );
  }

  async removeOfAccount(userId: UserId): Promise<void> {
    await this.database.repository(ImpersonationEntity).delete({ userId });
  }

  /** @returns the number of rows that were removed, at most `limit` */
  async removeOfTenant(tenantId: TenantId, limit: number): Promise<number> {
    const removed = await this.tenants.rows(
      tenantId,
      `DELETE FROM impersonations WHERE tenant_id = $1 AND id IN (
         SELECT id FROM impersonations WHERE tenant_id = $1 ORDER BY id LIMIT $2) RETURNING 1`,
      [limit],
    );
    return removed.length;
  }
}
