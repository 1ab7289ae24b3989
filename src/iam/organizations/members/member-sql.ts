import { OWNER } from '../roles/role-scopes.js';

/** The keys of the roles of a member `m`, in a statement of this module. */
export const ROLE_KEYS_OF_M = `ARRAY(
  SELECT DISTINCT r.key FROM member_roles mr JOIN roles r ON r.tenant_id = mr.tenant_id AND r.id = mr.role_id
  WHERE mr.tenant_id = m.tenant_id AND mr.user_id = m.user_id ORDER BY r.key)`;

/** Roles `r` with the active members `m` who hold them, once for each source `mr`. */
export const ACTIVE_HOLDERS = `roles r JOIN member_roles mr ON mr.tenant_id = r.tenant_id AND mr.role_id = r.id
  JOIN members m ON m.tenant_id = mr.tenant_id AND m.user_id = mr.user_id AND m.status = 'active'`;

/** Owners with access, other than the member itself. */
const OTHER_OWNERS = `SELECT 1 FROM member_roles o JOIN roles r ON r.tenant_id = o.tenant_id AND r.id = o.role_id
    JOIN members om ON om.tenant_id = o.tenant_id AND om.user_id = o.user_id AND om.status = 'active'
  WHERE o.tenant_id = m.tenant_id AND r.key = '${OWNER}' AND o.user_id <> m.user_id`;

/** Whether a member `m` is the only owner of their tenant. */
export const IS_LAST_OWNER = `'${OWNER}' = ANY(${ROLE_KEYS_OF_M}) AND NOT EXISTS (${OTHER_OWNERS})`;

/** Ids of the roles of a member `m`. */
export const ROLE_IDS_OF_M = `ARRAY(SELECT DISTINCT role_id FROM member_roles mr WHERE mr.tenant_id = m.tenant_id AND mr.user_id = m.user_id) AS "roleIds"`;

/**
 * SQL for statements of other modules: selects the `place` of each row of `asked` whose person
 * (`user_id`) is an active member of its tenant (`tenant_id`), and locks these memberships until
 * the end of the transaction.
 * @param skip SKIP LOCKED, to leave out what another transaction holds
 */
export const heldMemberships = (skip: '' | 'SKIP LOCKED'): string =>
  `SELECT asked.place FROM asked JOIN members m ON m.tenant_id = asked.tenant_id AND m.user_id = asked.user_id AND m.status = 'active'
   ORDER BY m.tenant_id, m.user_id FOR SHARE OF m ${skip}`;
