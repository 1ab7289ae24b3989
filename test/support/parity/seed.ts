import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { HOOK, SEEDED_TYPE } from './webhooks.js';
import { PLATFORM, type Policy, type World } from './world.js';

const HOUR_MS = 3_600_000;
const before = () => new Date(Date.now() - HOUR_MS);
const longAgo = () => new Date(Date.now() - 1_000 * HOUR_MS);
const later = () => new Date(Date.now() + 100 * HOUR_MS);

/** Issuer of the configured provider. */
export const ISSUER = 'https://idp.example.com';

/** Inserts a world into the database by SQL, because doing it by requests would take too long. */
export async function seed(
  pool: Pool,
  hashOfKey: (plainKey: string) => Buffer,
  {
    users,
    operators,
    suspended,
    withPassword,
    resets,
    sessions,
    tenants,
    satellites,
    identities,
    subscriptions,
    deliveries,
    directories,
  }: World,
): Promise<void> {
  const insert = async (table: string, rows: readonly object[]): Promise<void> => {
    const columns = Object.keys(rows[0] ?? {}).join(', ');
    if (columns === '') return;
    await pool.query(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1)`,
      [JSON.stringify(rows)],
    );
  };
  await insert(
    'accounts',
    users.map(({ id }) => ({
      id,
      ...addressOf(id),
      first_name: 'Ada',
      password_hash: withPassword.has(id) ? '-' : null,
      suspended_at: suspended.has(id) ? before() : null,
    })),
  );
  await insert(
    'operators',
    [...operators].map(([id, role]) => ({ account_id: id, role, created_at: before() })),
  );
  await insert(
    'totp_authenticators',
    users
      .filter(({ isEnrolled, isEnrolledInFirst }) => isEnrolled || isEnrolledInFirst)
      .map(({ id, isEnrolled }) => ({
        account_id: id,
        id,
        name: 'App',
        sealed_secret: '',
        created_at: before(),
        confirmed_at: before(),
        last_step: 0,
        failures: 0,
        assured_by: isEnrolled ? null : tenants[0]!.id,
      })),
  );
  await insert(
    'factor_resets',
    [...resets].map((userId) => ({
      account_id: userId,
      id: userId,
      reason: 'Lost phone',
      token_hash: `\\x${randomBytes(32).toString('hex')}`,
      created_at: before(),
      effective_at: later(),
    })),
  );
  await insert(
    'external_identities',
    [...identities].map(([id, { userId, opens }]) => ({
      id,
      account_id: userId,
      kind: 'oidc',
      connection_id: 'env:oidc',
      issuer: opens ? ISSUER : 'https://was-here-before.example.com',
      subject: id,
      created_at: before(),
      last_used_at: before(),
    })),
  );
  await insert(
    'satellites',
    [...satellites.values()].map(({ id, clientId, disabled, scopes }) => ({
      id,
      client_id: clientId,
      name: 'Seeded',
      redirect_uris: ['https://seeded.example.com/'],
      scopes,
      scopes_inherited: false,
      secret_hash: `\\x${randomBytes(32).toString('hex')}`,
      created_at: before(),
      disabled_at: disabled ? before() : null,
    })),
  );
  await insert(
    'disabled_clients',
    [...satellites.values()]
      .filter(({ disabled }) => disabled)
      .map(({ clientId }) => ({ client_id: clientId })),
  );
  await insert(
    'sessions',
    [...sessions.values()].map(({ id, userId, state }) => ({
      id,
      account_id: userId,
      amr: ['pwd'],
      created_at: before(),
      expires_at: state === 'expired' ? before() : later(),
      ended_at: state === 'ended' ? before() : null,
    })),
  );
  await insert(
    'tenants',
    tenants.map(({ id, archived, deletionScheduled, otherConnections, policy }) => ({
      id,
      name: 'Seeded',
      archived_at: archived ? before() : null,
      deletes_at: deletionScheduled ? later() : null,
      deletion_requested_by: deletionScheduled ? users[0]!.id : null,
      sign_in_policy: policy && stored(policy),
      other_connections: otherConnections,
      other_connections_told: true,
    })),
  );
  const ofEach = <T>(rows: (tenant: (typeof tenants)[number]) => T[]) =>
    tenants.flatMap((tenant) => rows(tenant).map((row) => ({ tenant_id: tenant.id, ...row })));
  await insert(
    'roles',
    ofEach(({ roles }) =>
      [...roles.values()].map(({ id, key, builtIn, scopes }) => ({
        id,
        key,
        name: key,
        scopes: builtIn ? [] : scopes,
        built_in: builtIn,
      })),
    ),
  );
  /** What has ended counts as if it had never been: roles of members, and other memberships. */
  const insertEnded = async (): Promise<void> => {
    const builtIn = (roles: (typeof tenants)[number]['roles']) =>
      [...roles.values()].flatMap((role) => (role.builtIn ? role.id : []));
    await insert(
      'member_roles',
      ofEach(({ members, roles }) =>
        [...members].flatMap(([id, held]) =>
          builtIn(roles)
            .filter((roleId) => !held.includes(roleId))
            .map((roleId) => ({ user_id: id, role_id: roleId, source: 'manual', until: before() })),
        ),
      ),
    );
    const former = ({ members, partners }: (typeof tenants)[number]) =>
      users.filter(({ id }) => !members.has(id) && !partners.has(id));
    await insert(
      'members',
      ofEach((tenant) =>
        former(tenant).map(({ id }) => ({
          user_id: id,
          joined_at: longAgo(),
          status: 'active',
          source: 'manual',
          until: before(),
        })),
      ),
    );
    await insert(
      'member_roles',
      ofEach((tenant) =>
        former(tenant).flatMap(({ id }) =>
          builtIn(tenant.roles).map((roleId) => ({ user_id: id, role_id: roleId, source: 'manual' })),
        ),
      ),
    );
  };
  await insert(
    'members',
    ofEach(({ members, suspended }) =>
      [...members.keys()].map((id) => ({
        user_id: id,
        joined_at: longAgo(),
        status: suspended.has(id) ? 'suspended' : 'active',
      })),
    ),
  );
  await insert(
    'member_roles',
    ofEach(({ members }) =>
      [...members].flatMap(([id, roleIds]) => roleIds.map((roleId) => ({ user_id: id, role_id: roleId }))),
    ),
  );
  await insertEnded();
  await insert(
    'partnerships',
    ofEach(({ id, partnershipId, partnership, offeredBy, offeredRoles, offeredThings }) => [
      {
        id: partnershipId,
        partner_id: tenants.find((other) => other.id !== id)!.id,
        status: partnership === 'over' ? 'ended' : partnership,
        slug: 'partner',
        role_ids: offeredRoles,
        things: offeredThings,
        created_at: before(),
        created_by: offeredBy,
        expires_at: later(),
        accepted_at: partnership === 'offered' ? null : before(),
        over_at: partnership === 'over' ? before() : null,
      },
    ]),
  );
  await insert(
    'partner_people',
    ofEach(({ partnershipId, partners }) =>
      [...partners].map(([userId, roleIds]) => ({
        partnership_id: partnershipId,
        user_id: userId,
        role_ids: roleIds,
        created_at: longAgo(),
        created_by: users[0]!.id,
      })),
    ),
  );
  await insert(
    'role_assignments',
    ofEach(({ assignments }) =>
      [...assignments].map(([id, { userId, roleId, thing, ended }]) => ({
        id,
        user_id: userId,
        role_id: roleId,
        thing,
        until: ended ? before() : null,
        created_at: longAgo(),
        created_by: userId,
        source: 'manual',
      })),
    ),
  );
  await insert(
    'access_requests',
    ofEach(({ requests }) =>
      [...requests].map(([id, { userId, roleId }]) => ({
        id,
        user_id: userId,
        role_id: roleId,
        hours: 1,
        reason: 'Seeded',
        status: 'pending',
        created_at: before(),
        expires_at: later(),
      })),
    ),
  );
  await insert(
    'service_accounts',
    ofEach(({ serviceAccounts }) =>
      [...serviceAccounts].map(([id, { disabled }]) => ({
        id,
        name: 'Seeded',
        status: disabled ? 'disabled' : 'active',
        created_by: users[0]!.id,
        created_at: before(),
      })),
    ),
  );
  await insert(
    'machine_credentials',
    ofEach(({ keys, personalKeys }) =>
      [...keys, ...personalKeys].map(([ownerId, { id, owner, lookup, plainKey, scopes, acr }]) => ({
        owner_id: ownerId,
        id,
        owner_kind: owner,
        kind: 'key',
        lookup,
        secret_hash: `\\x${hashOfKey(plainKey).toString('hex')}`,
        scopes,
        acr,
        name: 'Seeded',
        networks: [],
        created_by: users[0]!.id,
        created_at: before(),
      })),
    ),
  );
  await insert(
    'trust_rules',
    ofEach(({ trustRules }) =>
      [...trustRules].map(([id, accountId]) => ({
        account_id: accountId,
        id,
        issuer: 'https://ci.example',
        audience: 'gatehouse',
        conditions: {},
        created_by: users[0]!.id,
        created_at: before(),
      })),
    ),
  );
  await insert(
    'service_account_roles',
    ofEach(({ serviceAccounts }) =>
      [...serviceAccounts].flatMap(([id, { roleIds }]) =>
        roleIds.map((roleId) => ({ account_id: id, role_id: roleId })),
      ),
    ),
  );
  await insert(
    'invitations',
    ofEach(({ invitations }) =>
      [...invitations.values()].map(({ id, roleIds, state }) => ({
        id,
        ...addressOf(id),
        role_ids: roleIds,
        token_hash: `\\x${randomBytes(32).toString('hex')}`,
        invited_by: users[0]?.id,
        expires_at: state === 'expired' ? before() : later(),
        accepted_at: state === 'accepted' ? before() : null,
        revoked_at: state === 'revoked' ? before() : null,
      })),
    ),
  );
  await insert(
    'tenant_domains',
    ofEach(({ domains }) =>
      [...domains].map((id) => ({
        id,
        domain: `${id.toLowerCase()}.example`,
        token: id,
        status: 'pending',
        created_at: before(),
      })),
    ),
  );
  await insert(
    'setup_links',
    ofEach(({ setupLinks }) =>
      [...setupLinks].map((id) => ({
        id,
        token_hash: Buffer.from(id),
        intents: ['sso'],
        created_by: users[0]?.id,
        created_at: before(),
        expires_at: later(),
      })),
    ),
  );
  const connected = ofEach(({ connections }) =>
    [...connections].map(([id, connection]) => ({ id, ...connection })),
  );
  await insert(
    'connections',
    connected.map(({ tenant_id, id, isActive, isTested }) => ({
      tenant_id,
      id,
      kind: 'oidc',
      name: 'Seeded',
      status: isActive ? 'active' : 'draft',
      settings_version: 1,
      tested_version: isTested ? 1 : null,
      provisioning: {},
      trusts_second_factor: false,
      idp_initiated: false,
      created_at: before(),
    })),
  );
  await insert(
    'oidc_connections',
    connected.map(({ tenant_id, id }) => ({
      tenant_id,
      connection_id: id,
      issuer: ISSUER,
      client_id: 'gatehouse',
      client_authentication: 'client_secret',
      scopes: [],
      claims: {},
      acr_values: [],
    })),
  );
  await insert(
    'connection_domains',
    connected.flatMap(({ tenant_id, id, domainId }) =>
      domainId === null ? [] : [{ tenant_id, connection_id: id, domain_id: domainId }],
    ),
  );
  await insert(
    'directories',
    [...directories].map(([id, { tenantId }]) => ({
      tenant_id: tenantId,
      id,
      name: 'Seeded',
      status: 'active',
      on_delete: 'suspend',
      match_attribute: 'externalId',
      created_at: before(),
    })),
  );
  await insert(
    'directory_users',
    [...directories].map(([id, { tenantId }]) => ({
      tenant_id: tenantId,
      directory_id: id,
      id,
      user_name_key: id,
      active: false,
      attributes: {},
      state: 'pending',
      made_account: false,
      version: 1,
      created_at: before(),
      updated_at: before(),
    })),
  );
  await insert(
    'directory_tokens',
    [...directories].map(([id, { tenantId }]) => ({
      tenant_id: tenantId,
      directory_id: id,
      id,
      name: 'Seeded',
      secret_hash: '',
      created_at: before(),
    })),
  );
  await insert(
    'webhook_endpoints',
    [...subscriptions].map(([id, tenantId]) => ({
      tenant_id: tenantId,
      id,
      url: HOOK,
      types: [tenantId === PLATFORM ? '*' : SEEDED_TYPE],
      ordering: 'none',
      personal_data: false,
      signing: 'hmac',
      status: 'disabled',
      reason: 'by-user',
      paused: false,
      failures: 0,
      sealed_secret: '',
      created_by: users[0]!.id,
      created_at: before(),
    })),
  );
  await insert(
    'webhook_deliveries',
    [...deliveries].map(([id, { tenantId, subscriptionId }]) => ({
      tenant_id: tenantId,
      id,
      endpoint_id: subscriptionId,
      event_id: id,
      type: 'iam.role.created',
      sequence: 1,
      is_test: false,
      state: 'dead',
      attempts: 1,
      due_at: before(),
      created_at: before(),
      finished_at: before(),
    })),
  );
}

/** Deletes the subscriptions of the platform, which all worlds share: there can be 50. */
export async function clear(pool: Pool, { subscriptions }: World): Promise<void> {
  const ofPlatform = [...subscriptions].filter(([, tenantId]) => tenantId === PLATFORM).map(([id]) => id);
  await pool.query("UPDATE webhook_endpoints SET status = 'deleted' WHERE tenant_id = $1 AND id = ANY($2)", [
    PLATFORM,
    ofPlatform,
  ]);
}

/** Returns a policy as the service stores it. */
function stored({ since, ...policy }: Policy): object {
  const secondFactorSince = since === null ? null : new Date(since).toISOString();
  const stations = { stations: 'off', pinReset: 'second-factor' };
  return { ...policy, sso: 'optional', supportAccess: 'never', ...stations, secondFactorSince };
}

function addressOf(id: string): { email: string; email_key: string } {
  const email = `${id.toLowerCase()}@example.com`;
  return { email, email_key: email };
}
