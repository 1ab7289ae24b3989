import { Injectable } from '@nestjs/common';
import { type LifecycleEvents, LOCK, newId, type TenantId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { Database, prepared, TenantDatabase, textArray } from '../../platform/database/index.js';
import { Events, type TypedEmission } from '../../platform/events/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import type {
  AuditEventEntity,
  EventDetails,
  FormerNameEntity,
  SignInFailures,
} from './audit-event.entity.js';
import type { PeriodQuery } from './audit-query.dto.js';
import { COLUMNS, type EventFilter, select } from './event-list-sql.js';

/** Audit event. Ids are surrogates: no field says who a person is. */
export interface AuditEvent extends Omit<AuditEventEntity, 'xid'> {
  /** Details, which are erased with the account; null for an event without any. */
  readonly details: EventDetails | null;
}

/** Event of failed sign-ins. */
export type FailureEvent = AuditEvent & { readonly details: SignInFailures };

/** An event to be inserted. */
type NewAuditEvent = Pick<AuditEvent, 'id' | 'actorId' | 'action' | 'impersonatorId'> &
  Partial<Pick<AuditEvent, 'tenantId' | 'subject' | 'details' | 'ticket'>>;

const INSERT_WITH_DETAILS = prepared(`WITH event AS (
    SELECT id, details FROM unnest($3::text[], $4::jsonb[]) AS made (id, details) WHERE $1::text IS NOT NULL
  ), detail AS (
    INSERT INTO audit_details (event_id, account_id, details) SELECT id, $1, details FROM event)
  INSERT INTO audit_events (id, account_id, action, subject)
  SELECT id, $1, $2, 'iam/accounts/' || $1 FROM event`);

const INSERT =
  'INSERT INTO audit_events (id, account_id, tenant_id, action, subject, impersonator_id, ticket)';

/**
 * Deletes the details of an account in batches, as it may have a million: one statement for all
 * would run into its time limit. Each begins where the last one ended, past the deleted rows.
 */
const DELETE_DETAILS =
  prepared(`WITH batch AS (SELECT event_id FROM audit_details WHERE account_id = $1 AND event_id > $2 ORDER BY event_id LIMIT 5000),
     deleted AS (DELETE FROM audit_details d USING batch b WHERE d.event_id = b.event_id)
   SELECT max(event_id) AS last FROM batch`);

/** Events of the audit trail. The database refuses to change or delete one. */
@Injectable()
export class AuditEventRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly events: Events,
  ) {}

  /** Inserts events in the given order, and emits `emissions` by the same statement. */
  async insert(made: readonly NewAuditEvent[], emissions: readonly TypedEmission[]): Promise<void> {
    const emitted = emissions.length === 0 ? null : this.events.statement(emissions, 8);
    await this.database.rows(
      prepared(`${emitted ? `WITH emitted AS (${emitted.sql}) ` : ''}${INSERT}
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])`),
      [
        textArray(made.map(({ id }) => id)),
        textArray(made.map(({ actorId }) => actorId)),
        textArray(made.map(({ tenantId }) => tenantId ?? null)),
        textArray(made.map(({ action }) => action)),
        textArray(made.map(({ subject }) => subject ?? null)),
        textArray(made.map(({ impersonatorId }) => impersonatorId)),
        textArray(made.map(({ ticket }) => ticket ?? null)),
        ...(emitted?.parameters ?? []),
      ],
    );
    const detailed = made.filter(({ details }) => details);
    if (detailed.length === 0) return;
    await this.database.rows(
      `INSERT INTO audit_details (event_id, account_id, tenant_id, details)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::jsonb[])`,
      [
        detailed.map(({ id }) => id),
        detailed.map(({ actorId }) => actorId),
        detailed.map(({ tenantId }) => tenantId ?? null),
        detailed.map(({ details }) => JSON.stringify(details)),
      ],
    );
  }

  /**
   * Inserts events of an account, one for each of `details`. Runs the same statement if there is
   * nothing to insert, so that its time tells nothing.
   * @param accountId null inserts nothing
   */
  async insertDetails(
    accountId: UserId | null,
    action: string,
    details: readonly SignInFailures[],
  ): Promise<void> {
    await this.database.rows(INSERT_WITH_DETAILS, [
      accountId,
      action,
      details.map(() => newId()),
      details.map((one) => JSON.stringify(one)),
    ]);
  }

  /** @returns a page of events, newest first, with one more than the limit if there are more */
  listOfTenant(tenantId: TenantId, page: Page, filter: EventFilter = {}): Promise<AuditEvent[]> {
    const { sql, values } = select('tenant_id = $1', page, filter);
    return this.tenants.rows(tenantId, sql, values);
  }

  /**
   * @param filter with a group only if it has an actor, a subject or people
   * @returns a page as {@link listOfTenant}, of everything on the platform
   */
  listOfPlatform(page: Page, filter: EventFilter = {}): Promise<AuditEvent[]> {
    // The first parameter of the other lists names whose events they are.
    const { sql, values } = select('id > $1', page, filter);
    return this.database.rows(sql, ['', ...values]);
  }

  /** @returns a page as {@link listOfTenant} */
  listOfAccount(actorId: UserId, page: Page, period: PeriodQuery = {}): Promise<AuditEvent[]> {
    const { sql, values } = select('account_id = $1', page, period);
    return this.database.rows(sql, [actorId, ...values]);
  }

  /**
   * Lists the newest failed sign-ins to an account.
   * @param limit maximum number of events
   */
  listFailures(accountId: UserId, limit: number): Promise<FailureEvent[]> {
    return this.database.rows(
      `SELECT ${COLUMNS} FROM audit_events
       WHERE id IN (SELECT event_id FROM audit_details WHERE account_id = $1 AND details ? 'count' ORDER BY event_id DESC LIMIT $2) ORDER BY id DESC`,
      [accountId, limit],
    );
  }

  /** Returns whether an actor has done something in a tenant since an id. */
  async hasSince(actorId: UserId, since: string, action: string, tenantId: TenantId): Promise<boolean> {
    const event = await this.database.row(
      'SELECT 1 FROM audit_events WHERE account_id = $1 AND id > $2 AND action = $3 AND tenant_id = $4 LIMIT 1',
      [actorId, since, action, tenantId],
    );
    return event !== null;
  }

  /** Removes the details of an erased account. Its events stay: they have surrogate ids only. */
  @OnLifecycle('account.erased', { order: LOCK.sessions })
  async deleteDetails({ userId }: { userId: UserId }): Promise<void> {
    for (let after: string | null = ''; after !== null;) {
      const removed: { last: string | null } | null = await this.database.row(DELETE_DETAILS, [
        userId,
        after,
      ]);
      after = removed?.last ?? null;
    }
  }
}

/** Names of deleted things. */
@Injectable()
export class FormerNameRepository {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Returns those that have a name, each in the organization at its place. */
  find(
    tenantIds: readonly TenantId[],
    subjects: readonly string[],
  ): Promise<Pick<FormerNameEntity, 'tenantId' | 'subject' | 'name'>[]> {
    return this.tenants.rowsOfEach(
      tenantIds,
      prepared(`SELECT f.tenant_id AS "tenantId", f.subject, f.name FROM unnest($1::text[], $2::text[]) AS asked (tenant_id, subject)
         JOIN former_names f ON f.tenant_id = asked.tenant_id AND f.subject = asked.subject`),
      [subjects],
    );
  }

  @OnLifecycle('tenant.deleting', { order: LOCK.rows })
  async removeOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    if (await this.tenants.removeBatch(tenantId, batch, [['former_names', 'subject']])) repeat();
  }
}
