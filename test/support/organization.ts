import type { Organization, Person } from '../../src/testing/organization.js';

export { type Member, Organization, Person } from '../../src/testing/organization.js';

/** Makes a user the owner of this many organizations directly in the database. */
export async function ownMany({ service, id }: Person, count: number): Promise<void> {
  await service.sql(
    `WITH t AS (INSERT INTO tenants (id, name) SELECT substr($1, 10) || lpad(n::text, 9, '0'), 'One of many' FROM generate_series(1, $2::int) n RETURNING id),
       r AS (INSERT INTO roles (tenant_id, id, key, name, scopes, built_in) SELECT id, id, 'owner', 'Owner', '{}', true FROM t RETURNING tenant_id),
       m AS (INSERT INTO members (tenant_id, user_id) SELECT tenant_id, $1 FROM r RETURNING tenant_id)
     INSERT INTO member_roles (tenant_id, user_id, role_id) SELECT tenant_id, $1, tenant_id FROM m`,
    [id, count],
  );
}

/**
 * Sets the sign-in policy of an organization directly in the database, past its rules. What is not
 * given asks for nothing; null removes the policy.
 */
export async function setSignInPolicy({ service, id }: Organization, policy: object | null): Promise<void> {
  const asksNothing = {
    secondFactor: 'optional',
    graceDays: 0,
    sso: 'optional',
    otherConnections: false,
    trustedDevices: true,
    maxAuthAgeSeconds: null,
    sessionMaxHours: null,
    supportAccess: 'never',
    stations: 'off',
    pinReset: 'second-factor',
    secondFactorSince: null,
  };
  await service.sql(
    "WITH changed AS (UPDATE tenants SET sign_in_policy = $2 WHERE id = $1 RETURNING id) SELECT pg_notify('gatehouse_tenant_changed', id) FROM changed",
    [id, policy && JSON.stringify({ ...asksNothing, ...policy })],
  );
}
