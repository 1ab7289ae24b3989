import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { prepared, TenantDatabase } from '../../platform/database/index.js';
import { RECORD } from '../chain/entry-hash.js';
import type { ChainedEvent } from './ocsf.js';

/** Reads events in the order of their chain. */
@Injectable()
export class StreamRepository {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Each event is looked up by index: the planner would read whole tables. */
  read(tenantId: TenantId, after: number, limit: number): Promise<ChainedEvent[]> {
    return this.tenants.rows<ChainedEvent>(
      tenantId,
      prepared(`SELECT n.sequence::float8 AS sequence, encode(n.hash, 'hex') AS hash, encode(n.details_hash, 'hex') AS "detailsHash", ${RECORD} AS record,
         e.id, e.action, e.account_id AS "actorId", e.tenant_id AS "tenantId", e.subject, e.impersonator_id AS "impersonatorId",
         e.ticket, e.created_at AS "createdAt", d.details
       FROM (SELECT * FROM audit_entries WHERE tenant_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3) AS n
         CROSS JOIN LATERAL (SELECT * FROM audit_events WHERE id = n.event_id LIMIT 1) AS e
         LEFT JOIN LATERAL (SELECT * FROM audit_details WHERE event_id = n.event_id AND n.details_hash IS NOT NULL LIMIT 1) AS d ON true
       ORDER BY n.sequence`),
      [after, limit],
    );
  }
}
