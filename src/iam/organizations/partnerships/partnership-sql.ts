/** What a person `pp` has of the roles that a partnership `p` offers now. */
export const GRANTED_ROLES = 'ARRAY(SELECT unnest(pp.role_ids) INTERSECT SELECT unnest(p.role_ids))';

/** What a person `pp` has of the things that a partnership offers now; null for the whole host. */
export const GRANTED_THINGS = `CASE WHEN p.things IS NULL THEN pp.things WHEN pp.things IS NULL THEN p.things
  ELSE ARRAY(SELECT unnest(pp.things) INTERSECT SELECT unnest(p.things) ORDER BY 1) END`;

/** Keys of roles of the host of a partnership `p`. @param ids SQL of the ids */
export const keysOf = (ids: string): string =>
  `ARRAY(SELECT r.key FROM roles r WHERE r.tenant_id = p.tenant_id AND r.id = ANY(${ids}) ORDER BY r.key)`;
