import { Injectable } from '@nestjs/common';
import { nameColumns, ROLE_ENDS_OF_M, ROLE_KEYS_OF_M } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';

/** Maximum number of items of a part, the newest ones. */
export const MAX_EXPORTED = 10_000;

/** Part of what is kept about an organization. */
export interface TenantPart {
  readonly name: string;
  readonly items: readonly object[];
  /** Whether there are no more items than these. */
  readonly complete: boolean;
}

/** People on a partnership `p`. */
const PEOPLE_OF_P =
  'ARRAY(SELECT pp.user_id FROM partner_people pp WHERE pp.partnership_id = p.id ORDER BY pp.user_id)';

/** Statements of the parts, by name. Secrets and their hashes are left out. */
const PARTS: Readonly<Record<string, string>> = {
  organization: `SELECT id, name, slug, created_at AS "createdAt", archived_at AS "archivedAt", deletes_at AS "deletesAt", sign_in_policy AS "signInPolicy"
    FROM tenants WHERE id = $1`,
  branding: `SELECT display_name AS "displayName", accent_color AS "accentColor", support_url AS "supportUrl", mail_sender_name AS "mailSenderName", logo_hash AS "logoHash"
    FROM brandings WHERE tenant_id = $1`,
  roles: `SELECT id, key, name, scopes, built_in AS "builtIn" FROM roles WHERE tenant_id = $1 ORDER BY id DESC`,
  members: `SELECT m.user_id AS "userId", a.email, ${nameColumns('a')}, m.status, m.source, m.joined_at AS "joinedAt", m.until,
      ${ROLE_KEYS_OF_M} AS roles, ${ROLE_ENDS_OF_M} AS "roleEnds"
    FROM members m JOIN accounts a ON a.id = m.user_id WHERE m.tenant_id = $1 ORDER BY m.user_id DESC`,
  assignments: `SELECT a.id, a.user_id AS "userId", r.key AS role, a.thing AS on, a.until, a.created_at AS "createdAt", a.created_by AS "createdBy", a.source
    FROM role_assignments a JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id WHERE a.tenant_id = $1 ORDER BY a.id DESC`,
  accessRequests: `SELECT q.id, q.user_id AS "userId", r.key AS role, q.thing AS on, q.hours, q.reason, q.status, q.created_at AS "createdAt", q.decided_by AS "decidedBy", q.decided_at AS "decidedAt", q.until
    FROM access_requests q JOIN roles r ON r.tenant_id = q.tenant_id AND r.id = q.role_id WHERE q.tenant_id = $1 ORDER BY q.id DESC`,
  things: `SELECT t.thing, t.name, ARRAY(SELECT p.parent FROM registered_parents p WHERE p.tenant_id = t.tenant_id AND p.thing = t.thing ORDER BY p.parent) AS parents
    FROM registered_things t WHERE t.tenant_id = $1 ORDER BY t.id DESC`,
  partnerships: `SELECT p.id, p.partner_id AS "partnerId", p.status, p.email, p.slug, p.role_ids AS "roleIds", p.things AS on, p.until, p.max_people AS "maxPeople", p.created_at AS "createdAt",
      ${PEOPLE_OF_P} AS people
    FROM partnerships p WHERE p.tenant_id = $1 ORDER BY p.id DESC`,
  partnerAccess: `SELECT p.id, p.tenant_id AS "hostId", p.status, p.until, ${PEOPLE_OF_P} AS people
    FROM partnerships p WHERE p.partner_id = $1 AND p.accepted_at IS NOT NULL ORDER BY p.id DESC`,
  workers: `SELECT user_id AS "userId", number, until, badge_expires_at AS "badgeExpiresAt", last_sign_in_at AS "lastSignInAt", created_at AS "createdAt"
    FROM workers WHERE tenant_id = $1 ORDER BY user_id DESC`,
  stations: `SELECT id, name, place, status, idle_seconds AS "idleSeconds", shift_seconds AS "shiftSeconds", networks, created_at AS "createdAt", last_seen_at AS "lastSeenAt"
    FROM stations WHERE tenant_id = $1 ORDER BY id DESC`,
  invitations: `SELECT id, email, role_ids AS "roleIds", expires_at AS "expiresAt", accepted_at AS "acceptedAt", revoked_at AS "revokedAt"
    FROM invitations WHERE tenant_id = $1 ORDER BY id DESC`,
  domains: `SELECT domain, status FROM tenant_domains WHERE tenant_id = $1 ORDER BY id DESC`,
  connections: `SELECT id, kind, name, status, created_at AS "createdAt" FROM connections WHERE tenant_id = $1 ORDER BY id DESC`,
  directories: `SELECT id, name, created_at AS "createdAt" FROM directories WHERE tenant_id = $1 ORDER BY id DESC`,
  serviceAccounts: `SELECT id, name, status, created_at AS "createdAt" FROM service_accounts WHERE tenant_id = $1 ORDER BY id DESC`,
  webhooks: `SELECT id, url, types, status FROM webhook_endpoints WHERE tenant_id = $1 AND status <> 'deleted' ORDER BY id DESC`,
  events: `SELECT id, action, account_id AS "actorId", impersonator_id AS "impersonatorId", subject, ticket, created_at AS "createdAt",
      (SELECT d.details FROM audit_details d WHERE d.event_id = audit_events.id AND d.details ? 'role') AS by
    FROM audit_events WHERE tenant_id = $1 ORDER BY id DESC`,
};

/** Reads what is kept about an organization, for one that leaves with its data. */
@Injectable()
export class TenantExportRepository {
  constructor(private readonly database: Database) {}

  /**
   * @param omitted names of parts that are not wanted
   * @param max items of a part
   * @param stop ends it between two parts, as the caller has gone
   */
  async readParts(
    tenantId: string,
    omitted: readonly string[] = [],
    max: number = MAX_EXPORTED,
    stop?: AbortSignal,
  ): Promise<TenantPart[]> {
    const parts: TenantPart[] = [];
    for (const [name, sql] of Object.entries(PARTS)) {
      if (stop?.aborted === true) break;
      if (omitted.includes(name)) continue;
      const rows = await this.database.rows<object>(`${sql} LIMIT ${max + 1}`, [tenantId]);
      parts.push({ name, items: rows.slice(0, max), complete: rows.length <= max });
    }
    return parts;
  }
}
