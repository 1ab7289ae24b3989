import { OWNER } from '../roles/role-scopes.js';

/**
 * Whether a row with a column `until` has not ended. Compares with the start of the statement: a
 * command may have waited for its locks since its transaction began.
 * @param row alias of the row
 */
export const notEnded = (row: string): string =>
  `(${row}.until IS NULL OR ${row}.until > statement_timestamp())`;

/** Whether a member `m` has access now. */
export const IS_ACTIVE = `m.status = 'active' AND ${notEnded('m')}`;

/** The tenants of the person of an event `e`. */
export const TENANTS_OF_E = `SELECT m.tenant_id FROM members m WHERE m.user_id = e.person AND ${notEnded('m')}`;

/** Whether a member holds a role on one of some things. @param row alias of the member */
export const holdsOn = (row: string, things: string): string =>
  `EXISTS (SELECT 1 FROM role_assignments ra WHERE ra.tenant_id = ${row}.tenant_id AND ra.user_id = ${row}.user_id AND ra.thing = ANY(${things}::text[]) AND ${notEnded('ra')})`;

/** When a notice that access ends at a time is next due: a week before, then a day before. */
export const nextNotice = (until: string): string =>
  `CASE WHEN now() < ${until} - interval '168 hours' THEN ${until} - interval '168 hours'
     WHEN now() < ${until} - interval '24 hours' THEN ${until} - interval '24 hours' END`;

/** The keys of the roles of a member `m`, in a statement of this module. */
export const ROLE_KEYS_OF_M = `ARRAY(
  SELECT DISTINCT r.key FROM member_roles mr JOIN roles r ON r.tenant_id = mr.tenant_id AND r.id = mr.role_id
  WHERE mr.tenant_id = m.tenant_id AND mr.user_id = m.user_id AND ${notEnded('mr')} ORDER BY r.key)`;

/** Roles `r` with the members `m` who hold them and match, once for each source `mr`. */
const holders = (conditions: string): string =>
  `roles r JOIN member_roles mr ON mr.tenant_id = r.tenant_id AND mr.role_id = r.id
  JOIN members m ON m.tenant_id = mr.tenant_id AND m.user_id = mr.user_id AND ${conditions}`;

/** Roles `r` with the active members `m` who hold them now. */
export const ACTIVE_HOLDERS = holders(`${IS_ACTIVE} AND ${notEnded('mr')}`);

/** Roles `r` with the active members `m` who hold them without an end. */
export const LASTING_HOLDERS = holders(`m.status = 'active' AND m.until IS NULL AND mr.until IS NULL`);

/** Owners with access that does not end, other than the member itself. */
const OTHER_OWNERS = `SELECT 1 FROM member_roles o JOIN roles r ON r.tenant_id = o.tenant_id AND r.id = o.role_id
    JOIN members om ON om.tenant_id = o.tenant_id AND om.user_id = o.user_id AND om.status = 'active' AND om.until IS NULL
  WHERE o.tenant_id = m.tenant_id AND r.key = '${OWNER}' AND o.until IS NULL AND o.user_id <> m.user_id`;

/** Whether a member `m` is the only owner of their tenant whose access does not end. */
export const IS_LAST_OWNER = `'${OWNER}' = ANY(${ROLE_KEYS_OF_M}) AND NOT EXISTS (${OTHER_OWNERS})`;

/** Roles that people hold, in an organization or on a thing of it. */
export const HELD_ROLES = `SELECT mr.tenant_id, mr.user_id, mr.role_id FROM member_roles mr WHERE ${notEnded('mr')}
    UNION ALL SELECT ra.tenant_id, ra.user_id, ra.role_id FROM role_assignments ra WHERE ${notEnded('ra')}`;

/** Ids of the roles of a member `m`. */
export const ROLE_IDS_OF_M = `ARRAY(SELECT DISTINCT role_id FROM member_roles mr WHERE mr.tenant_id = m.tenant_id AND mr.user_id = m.user_id AND ${notEnded('mr')}) AS "roleIds"`;

/** Ids of the roles that a member `m` has in the organization or on a thing. */
export const ALL_ROLE_IDS_OF_M = `ARRAY(SELECT DISTINCT h.role_id FROM (${HELD_ROLES}) h WHERE h.tenant_id = m.tenant_id AND h.user_id = m.user_id) AS "allRoleIds"`;

/** Permission that puts people on partnerships: members who have it could join one themselves. */
export const PUTS_ON_PARTNERSHIPS = 'iam:partner-access:assign';

/** Whether a member `m` is on a partnership of their organization with another one. */
export const IS_ON_PARTNERSHIP_OF_M = `EXISTS (SELECT FROM partner_people pp JOIN partnerships p ON p.id = pp.partnership_id
    WHERE pp.user_id = m.user_id AND ${notEnded('pp')} AND p.partner_id = m.tenant_id AND p.status = 'active' AND ${notEnded('p')}) AS "isOnPartnership"`;

/** Ends of the roles of a member `m`, without roles that a source gives without an end. */
export const ROLE_ENDS_OF_M = `coalesce((
  SELECT json_agg(json_build_object('key', e.key, 'until', e.until) ORDER BY e.key) FROM (
    SELECT r.key, max(mr.until) AS until FROM member_roles mr JOIN roles r ON r.tenant_id = mr.tenant_id AND r.id = mr.role_id
    WHERE mr.tenant_id = m.tenant_id AND mr.user_id = m.user_id AND ${notEnded('mr')}
    GROUP BY r.key HAVING bool_and(mr.until IS NOT NULL)) e), '[]')`;

/** Milliseconds until the membership `m` or one of its roles ends next; null for never. */
export const ENDS_IN_MS_OF_M = `(extract(epoch FROM least(m.until, (
    SELECT min(mr.until) FROM member_roles mr WHERE mr.tenant_id = m.tenant_id AND mr.user_id = m.user_id
      AND mr.until > statement_timestamp())) - statement_timestamp()) * 1000)::float8 AS "endsInMs"`;

/**
 * SQL for statements of other modules: selects the `place` of each row of `asked` whose person
 * (`user_id`) is an active member of its tenant (`tenant_id`), and locks these memberships until
 * the end of the transaction.
 * @param skip SKIP LOCKED, to leave out what another transaction holds
 */
export const heldMemberships = (skip: '' | 'SKIP LOCKED'): string =>
  `SELECT asked.place FROM asked JOIN members m ON m.tenant_id = asked.tenant_id AND m.user_id = asked.user_id AND ${IS_ACTIVE}
   ORDER BY m.tenant_id, m.user_id FOR SHARE OF m ${skip}`;

/** The people of tenant $1 whose membership, or a role of whom, ends before a time. */
export const endingBefore = (time: string): string =>
  ['members', 'member_roles']
    .map(
      (table) =>
        `SELECT e.user_id FROM ${table} e WHERE e.tenant_id = $1 AND e.until < ${time}::timestamptz AND e.until > statement_timestamp()`,
    )
    .join(' UNION ');
