import { Injectable } from '@nestjs/common';
import { Database, prepared, TenantDatabase } from '../../platform/database/index.js';
import { newId, type Page, type TenantId, type UserId } from '../../platform/http/index.js';

/** Something that happened. Ids are surrogates: nothing in here says who a person is. */
export interface AuditEvent {
  readonly id: string;
  /** Who did it, or whose account it was. */
  readonly actorId: UserId;
  readonly tenantId: TenantId | null;
  /** `<thing>.<what happened>`, such as `member.removed`. */
  readonly action: string;
  /** `<module>/<collection>/<id>` of what it happened to. */
  readonly subject: string | null;
  readonly createdAt: Date;
}

type NewEvent = Pick<AuditEvent, 'actorId' | 'action'> & Partial<Pick<AuditEvent, 'tenantId' | 'subject'>>;

const COLUMNS = `id, account_id AS "actorId", tenant_id AS "tenantId", action, subject, created_at AS "createdAt"`;

/** The append-only trail of what was done. The database refuses to change or delete an event. */
@Injectable()
export class AuditTrail {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** Writes events, in their order, in the transaction of what they tell of. */
  async record(...events: NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.database.rows(
      prepared(`INSERT INTO audit_events (id, account_id, tenant_id, action, subject)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])`),
      [
        events.map(() => newId()),
        events.map(({ actorId }) => actorId),
        events.map(({ tenantId }) => tenantId ?? null),
        events.map(({ action }) => action),
        events.map(({ subject }) => subject ?? null),
      ],
    );
  }

  /** The same, of an account by its owner. */
  recordOfAccount(actorId: UserId, what: string): Promise<void> {
    return this.record({ actorId, action: `account.${what}`, subject: `iam/accounts/${actorId}` });
  }

  /** Newest first; one more than the limit, if there are that many. */
  listOfTenant(tenantId: TenantId, { limit, after }: Page): Promise<AuditEvent[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${COLUMNS} FROM audit_events WHERE tenant_id = $1 AND ($2::text IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
      [after, limit + 1],
    );
  }

  listOfAccount(actorId: UserId, { limit, after }: Page): Promise<AuditEvent[]> {
    return this.database.rows(
      `SELECT ${COLUMNS} FROM audit_events WHERE account_id = $1 AND ($2::text IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
      [actorId, after, limit + 1],
    );
  }
}
