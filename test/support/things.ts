import { ChangeRepository } from '../../src/connection/changes/change.repository.js';
import type { TenantId, UserId } from '../../src/kernel/index.js';
import { ulid } from 'ulid';
import { KeyDerivation, Sealer } from '../../src/platform/crypto/index.js';
import { Organization } from './organization.js';
import { itemsOf, type TestApp } from './test-app.js';

/** Creates one item of a kind within an organization and returns its id. */
type Make = (organization: Organization) => Promise<string>;

const made = (method: string, below: string, body: () => object): Make => {
  return async (organization) => {
    const { status, body: thing } = await organization.call(method, below, body());
    if (status !== 201) throw new Error(`${method} ${below} answered ${status}.`);
    return String(thing['id']);
  };
};

const worker: Make = async (organization) => {
  const given = { number: ulid(), firstName: 'Grace', roles: ['member'] };
  const { status, body } = await organization.call('POST', '/workers', given);
  if (status !== 201) throw new Error(`The worker was answered ${status}.`);
  return String(body['userId']);
};
const newStation = made('POST', '/stations', () => ({ name: 'Gate 3' }));
/** A station whose device has registered. */
const station: Make = async (organization) => {
  const id = await newStation(organization);
  await organization.service.sql(`UPDATE stations SET status = 'active', jwk = '{}' WHERE id = $1`, [id]);
  return id;
};

/** A request of another member than the owner. */
const accessRequest: Make = async (organization) => {
  const { token } = await organization.join('member');
  await organization.call('PUT', '/access-request-policy', { maxHours: 24 });
  const on = `gatehouse:///freight/orders/${ulid()}`;
  const request = { role: 'member', on, hours: 1, reason: 'Ticket 4711' };
  const { status, body } = await organization.call('POST', '/access-requests', request, token);
  if (status !== 201) throw new Error(`The request was answered ${status}.`);
  return String(body['id']);
};

/** Modules and collections of other services, which differ by organization as ids do. */
const otherModule: Make = async ({ id }) => `m${id.toLowerCase()}`;
const otherCollection: Make = async ({ id }) => `c${id.toLowerCase()}`;

/** A thing of another service, one for each organization. */
const registeredThing: Make = async (organization) => {
  const path = `${await otherModule(organization)}/${await otherCollection(organization)}`;
  const { status } = await organization.call('PUT', `/things/${path}/${organization.id}`, {
    parents: [`gatehouse:///freight/depots/${organization.id}`],
  });
  if (status !== 200) throw new Error(`The thing was answered ${status}.`);
  return organization.id;
};

/** The things of an organization have its id. */
const registeredThings: Make = async (organization) => {
  await registeredThing(organization);
  return organization.id;
};

/** The organization itself, with what it has one of. */
const tenant: Make = async (organization) => {
  await organization.call('PUT', '/audit-retention', { days: 730 });
  return organization.id;
};
const member: Make = async (organization) => {
  const { id } = (await organization.join('member')).person;
  await organization.call('POST', `/members/${id}/assignments`, {
    role: 'member',
    on: `gatehouse:///logistics/shipments/${id}`,
  });
  return id;
};
const role = made('POST', '/roles', () => ({
  key: `role-${ulid().toLowerCase()}`,
  name: 'Packer',
  scopes: ['iam:member:read'],
}));
const invitation = made('POST', '/invitations', () => ({
  email: `${ulid().toLowerCase()}@example.com`,
  roles: ['member'],
}));
const auditEvent: Make = async (organization) =>
  itemsOf<{ id: string }>(await organization.call('GET', '/audit-events'))[0]?.id ?? '';
/** The assignment of the same member. */
const assignment: Make = async ({ service, id: tenantId }) => {
  const [{ id } = { id: '' }] = await service.sql<{ id: string }>(
    'SELECT id FROM role_assignments WHERE tenant_id = $1 ORDER BY id LIMIT 1',
    [tenantId],
  );
  return id;
};
const partnership = made('POST', '/partnerships', () => ({
  email: `${ulid().toLowerCase()}@example.com`,
  roles: ['member'],
}));
/** An active partnership, of which the organization is the partner. */
const partnerAccess: Make = async (organization) => {
  const { service, owner } = organization;
  const offer = made('POST', '/partnerships', () => ({ email: owner.person.email, roles: ['member'] }));
  const id = await offer(await Organization.found(service));
  await organization.call('POST', `/partner-access/${id}/accept`);
  return id;
};
const session: Make = async ({ service, owner }) => (await service.login(owner.person)).sessionId;

const identity: Make = async ({ service, owner }) => {
  const id = ulid();
  await service.sql(
    "INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) VALUES ($1, $2, 'oidc', 'env:oidc', 'https://idp.example.com', $1)",
    [id, owner.person.id],
  );
  return id;
};

const authenticator: Make = async ({ service, owner }) => {
  const id = ulid();
  await service.sql(
    "INSERT INTO totp_authenticators (account_id, id, name, sealed_secret, confirmed_at) VALUES ($1, $2, 'App', '', now())",
    [owner.person.id, id],
  );
  return id;
};
const trustedDevice: Make = async ({ service, owner }) => {
  const id = ulid();
  await service.sql(
    "INSERT INTO trusted_devices (account_id, id, secret_hash, expires_at) VALUES ($1, $2, '', now() + interval '1 day')",
    [owner.person.id, id],
  );
  return id;
};

const subscription: Make = async ({ service, id: tenantId, owner }) => {
  const id = ulid();
  await service.sql(
    "INSERT INTO webhook_endpoints (tenant_id, id, url, types, sealed_secret, created_by, status, reason) VALUES ($1, $2, 'https://hooks.example.com/', '{iam.role.*}', '', $3, 'disabled', 'by-user')",
    [tenantId, id, owner.person.id],
  );
  return id;
};
const delivery: Make = async (organization) => {
  const id = ulid();
  await organization.service.sql(
    "INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event_id, type, sequence, state) VALUES ($1, $2, $3, $2, 'iam.role.created', 1, 'dead')",
    [organization.id, id, await subscription(organization)],
  );
  await organization.service.sql(
    'INSERT INTO webhook_attempts (tenant_id, delivery_id, at, id, ms) VALUES ($1, $2, now(), $2, 1)',
    [organization.id, id],
  );
  return id;
};

const domain: Make = async ({ service, id: tenantId }) => {
  const id = ulid();
  await service.sql(
    "INSERT INTO tenant_domains (tenant_id, id, domain, token) VALUES ($1, $2, lower($2) || '.example', 'token')",
    [tenantId, id],
  );
  return id;
};

/** A connection of both kinds, so that each of its tables has a row; tested, to be activated. */
const connection: Make = async ({ service, id: tenantId }) => {
  const id = ulid();
  const domainId = ulid();
  const rows: readonly (readonly [table: string, columns: string, values: string])[] = [
    [
      'connections',
      'id, kind, name, provisioning, tested_version',
      `$2, 'oidc', 'Provider', '{"justInTime": false, "defaultRoleIds": [], "onNoMatch": "default", "syncRoles": "first-sign-in"}', 1`,
    ],
    [
      'oidc_connections',
      'connection_id, issuer, client_id, client_authentication',
      "$2, 'https://idp.example', 'id', 'secret'",
    ],
    ['saml_connections', 'connection_id, entity_id, sso_url', "$2, 'idp', 'https://idp.example'"],
    [
      'connection_certificates',
      'connection_id, sha256, certificate, source, not_after',
      "$2, 'x', '', 'manual', now()",
    ],
    ['tenant_domains', 'id, domain, token', "$3, lower($3) || '.example', $3"],
    ['connection_domains', 'connection_id, domain_id', '$2, $3'],
    [
      'connection_rules',
      'connection_id, ordinal, attribute, operator, value, role_ids',
      "$2, 1, 'a', 'equals', 'b', '{}'",
    ],
    [
      'connection_tests',
      'id, connection_id, settings_version, expires_at',
      "$3, $2, 1, now() + interval '1 day'",
    ],
    [
      'setup_links',
      'id, token_hash, intents, connection_id, created_by, expires_at',
      "$3, decode(md5($3), 'hex'), '{sso}', $2, $3, now() + interval '1 day'",
    ],
  ];
  for (const [table, columns, values] of rows)
    await service.sql(
      `WITH named AS (SELECT $2::text, $3::text) INSERT INTO ${table} (tenant_id, ${columns}) SELECT $1, ${values} FROM named`,
      [tenantId, id, domainId],
    );
  return id;
};

const setupLink: Make = async ({ service, id: tenantId }) => {
  const id = ulid();
  await service.sql(
    `INSERT INTO setup_links (tenant_id, id, token_hash, intents, created_by, expires_at)
     VALUES ($1, $2, decode(md5($2), 'hex'), '{sso}', $2, now() + interval '1 day')`,
    [tenantId, id],
  );
  return id;
};

/** The test of the same connection. */
const testOfConnection: Make = async ({ service, id: tenantId }) => {
  const [{ id } = { id: '' }] = await service.sql<{ id: string }>(
    'SELECT id FROM connection_tests WHERE tenant_id = $1 ORDER BY id LIMIT 1',
    [tenantId],
  );
  return id;
};

/** A change of the settings of the same connection that waits for an owner. */
const changeOfConnection: Make = async ({ service, id: tenantId, owner }) => {
  const [row] = await service.sql<{ id: string; version: number }>(
    'SELECT id, settings_version AS version FROM connections WHERE tenant_id = $1 ORDER BY id LIMIT 1',
    [tenantId],
  );
  const settings = {
    issuer: 'https://idp.example',
    clientId: 'id',
    clientAuthentication: 'private_key_jwt' as const,
    scopes: [],
    claims: {},
    acrValues: [],
    trustedAudiences: [],
  };
  return (service as TestApp).app.get(ChangeRepository, { strict: false }).insert(
    tenantId as TenantId,
    row?.id ?? '',
    { kind: 'settings', given: { kind: 'oidc', settings, clientSecret: null } },
    {
      requestedBy: owner.person.id as UserId,
      bySetupLink: false,
      settingsVersion: row?.version ?? 1,
      sha256: [],
    },
  );
};

/** A certificate of the same connection, next to the one that it has. */
const certificateOfConnection: Make = async ({ service, id: tenantId }) => {
  const [{ sha256 } = { sha256: '' }] = await service.sql<{ sha256: string }>(
    `INSERT INTO connection_certificates (tenant_id, connection_id, sha256, certificate, source, not_after)
     SELECT tenant_id, connection_id, encode(sha256(tenant_id::bytea), 'hex'), '', 'manual', now() FROM saml_connections
     WHERE tenant_id = $1 ORDER BY connection_id LIMIT 1
     ON CONFLICT (tenant_id, connection_id, sha256) DO UPDATE SET retired_at = NULL RETURNING sha256`,
    [tenantId],
  );
  return sha256;
};

/** Limits that an operator has set, as they are by default. */
const limits: Make = async ({ service, id }) => {
  await service.sql('INSERT INTO tenant_limits (tenant_id, mails_per_day) VALUES ($1, 200)', [id]);
  return id;
};

/** A directory with a row in each of its tables. */
const newDirectory: Make = async ({ service, id: tenantId }) => {
  const id = ulid();
  const rows: readonly (readonly [table: string, columns: string, values: string])[] = [
    ['directories', 'id, name', "$2, 'Entra ID'"],
    [
      'directory_tokens',
      'directory_id, id, name, secret_hash, created_by',
      `$2, right($2, 10), 'First', '', (SELECT mr.user_id FROM member_roles mr JOIN roles o ON o.tenant_id = mr.tenant_id AND o.id = mr.role_id
        WHERE mr.tenant_id = $1 AND o.key = 'owner' LIMIT 1)`,
    ],
    ['directory_users', 'directory_id, id, user_name_key, attributes', "$2, $2, $2, '{}'"],
    [
      'directory_groups',
      'directory_id, id, display_name_key, attributes',
      `$2, $2, $2, '{"displayName":"Group"}'`,
    ],
    ['directory_group_members', 'directory_id, group_id, user_id', '$2, $2, $2'],
    ['directory_rules', 'directory_id, ordinal, group_name, role_ids', "$2, 1, 'Everyone', '{}'"],
    ['directory_suspensions', 'account_id, kind', "$2, 'member'"],
    ['directory_log', 'directory_id, id, method, path, status', "$2, $2, 'GET', '/Users', 200"],
  ];
  for (const [table, columns, values] of rows)
    await service.sql(
      `WITH named AS (SELECT $2::text) INSERT INTO ${table} (tenant_id, ${columns}) SELECT $1, ${values} FROM named`,
      [tenantId, id],
    );
  return id;
};

const accountExport: Make = async ({ service, owner }) => {
  const id = ulid();
  const sealer = new Sealer((service as TestApp).app.get(KeyDerivation, { strict: false }), 'account-export');
  const document = { createdAt: new Date().toISOString(), parts: [] };
  // Not of today: another one can be asked for.
  await service.sql(
    "INSERT INTO account_exports (account_id, id, sealed, created_at, expires_at) VALUES ($1, $2, $3, now() - interval '2 days', now() + interval '5 days')",
    [owner.person.id, id, sealer.seal(JSON.stringify(document))],
  );
  return id;
};

const personalKey: Make = async ({ service, id: tenantId, owner }) => {
  const id = ulid();
  await service.sql(
    "INSERT INTO machine_credentials (tenant_id, owner_id, id, owner_kind, kind, name, created_by) VALUES ($1, $2, $3, 'person', 'key', 'Mine', $2)",
    [tenantId, owner.person.id, id],
  );
  return id;
};

/** Service accounts by organization: their keys belong to the same one. */
const accounts = new WeakMap<Organization, Promise<string>>();

/** A service account with a key, one in each organization. */
const serviceAccount: Make = (organization) => {
  const made = accounts.get(organization) ?? makeServiceAccount(organization);
  accounts.set(organization, made);
  return made;
};
const makeServiceAccount: Make = async (organization) => {
  const { status, body } = await organization.call('POST', '/service-accounts', {
    name: 'Export',
    roles: ['member'],
  });
  if (status !== 201) throw new Error(`The service account was answered ${status}.`);
  await addCredential(organization, String(body['id']), 'key');
  await organization.service.sql(
    "INSERT INTO ended_keys (tenant_id, account_id, id, lookup, name, networks, created_at, reason) VALUES ($1, $2, $3, right($3, 10), 'Weekly', '{}', now(), 'leaked')",
    [organization.id, body['id'], ulid()],
  );
  await organization.service.sql(
    "INSERT INTO former_names (tenant_id, subject, name) VALUES ($1, $2, 'Driver')",
    [organization.id, `iam/roles/${ulid()}`],
  );
  return String(body['id']);
};
async function addCredential(
  { service, id }: Organization,
  accountId: string,
  kind: string,
): Promise<string> {
  const credentialId = ulid();
  await service.sql(
    "INSERT INTO machine_credentials (tenant_id, owner_id, id, owner_kind, kind, lookup, name, created_by) VALUES ($1, $2, $3, 'service-account', $4, right($3, 10), 'Nightly', $2)",
    [id, accountId, credentialId, kind],
  );
  return credentialId;
}

const trustRule: Make = async (organization) => {
  const id = ulid();
  await organization.service.sql(
    "INSERT INTO trust_rules (tenant_id, account_id, id, issuer, audience, conditions, created_by) VALUES ($1, $2, $3, 'https://ci.example', 'gatehouse', '{}', $2)",
    [organization.id, await serviceAccount(organization), id],
  );
  return id;
};

/** A client credential of the organization's service account. */
const clientCredential: Make = async (organization) =>
  addCredential(organization, await serviceAccount(organization), 'secret');

/** The key of the organization's service account. */
const apiKey: Make = async (organization) => {
  const [row] = await organization.service.sql<{ id: string }>(
    "SELECT id FROM machine_credentials WHERE owner_id = $1 AND kind = 'key'",
    [await serviceAccount(organization)],
  );
  return row?.id ?? '';
};
/** A client of the organization. */
const client: Make = async ({ service, id: tenantId }) => {
  const id = ulid();
  const clientId = `org-${id.toLowerCase()}`;
  await service.sql(
    "INSERT INTO satellites (id, client_id, tenant_id, name, redirect_uris, secret_hash) VALUES ($1, $2, $3, 'Dashboards', '{https://grafana.example/callback}', '')",
    [id, clientId, tenantId],
  );
  return clientId;
};
/** An app of the organization that speaks SAML. */
const samlClient: Make = async (organization) => {
  const clientId = (await client(organization)) as string;
  await organization.service.sql("UPDATE satellites SET protocol = 'saml' WHERE client_id = $1", [clientId]);
  await organization.service.sql(
    `INSERT INTO saml_clients (client_id, entity_id, consumers, certificates, require_signed_requests, name_id_format, attributes, idp_initiated)
     VALUES ($1, 'urn:grafana', '[{"url": "https://grafana.example/callback", "index": 0}]', '{}', false, 'persistent', '[]', false)`,
    [clientId],
  );
  return clientId;
};
/** An API of the organization. */
const apiOfOrganization: Make = async ({ service, id: tenantId }) => {
  const id = ulid();
  await service.sql(
    "INSERT INTO apis (id, tenant_id, identifier, name, scopes, access_token_seconds, access_token_alg) VALUES ($1, $2, 'https://api.example/' || $1, 'Orders', $3, 600, 'ES256')",
    [id, tenantId, JSON.stringify([{ name: 'orders:read', title: 'Read orders' }])],
  );
  return id;
};
/** A client by metadata document, with a grant of the owner, and the policy that allows it. */
const agent: Make = async ({ service, id: tenantId, owner }) => {
  const id = ulid();
  const clientId = `https://agent.example/${id}`;
  await service.sql(
    "INSERT INTO satellites (id, client_id, name, redirect_uris, secret_hash, document_fetched_at) VALUES ($1, $2, 'Agent', '{}', '', now())",
    [id, clientId],
  );
  await service.sql(
    "INSERT INTO grants (id, session_id, account_id, client_id, tenant_id, granted_scopes, idle_expires_at) VALUES ($1, $2, $3, $4, $5, '{openid}', now() + interval '1 day')",
    [id, owner.person.sessionId, owner.person.id, clientId, tenantId],
  );
  await service.sql(
    "INSERT INTO agent_policies (id, tenant_id, clients, listed, scopes) VALUES ($1, $1, 'any', '{}', '{}') ON CONFLICT DO NOTHING",
    [tenantId],
  );
  return id;
};
const directories = new WeakMap<Organization, Promise<string>>();
const directory: Make = (organization) => {
  const known = directories.get(organization) ?? newDirectory(organization);
  directories.set(organization, known);
  return known;
};
/** The token of the same directory. */
const directoryToken: Make = async (organization) => (await directory(organization)).slice(-10);

/**
 * Type of each path parameter, by its path so far; null where it names no item of a tenant or user.
 */
const PARAMETERS: Readonly<Record<string, Make | null>> = {
  '/api/docs/:asset': null,
  '/api/docs/operations/:operationId': null,
  '/errors/:code': null,
  '/api/scim/v2/:directoryId': null, // of tokens of directories: see architecture/tenant-isolation.spec.ts
  '/api/scim/v2/:directoryId/Users/:id': null,
  '/api/scim/v2/:directoryId/Groups/:id': null,
  '/api/scim/v2/:directoryId/ResourceTypes/:id': null,
  '/api/scim/v2/:directoryId/Schemas/:id': null,
  '/api/iam/auth/external/:kind': null,
  '/api/iam/auth/external/:kind/callback/:connection': null, // public: e2e/connection/connection-sign-in.spec.ts
  '/api/iam/auth/external/:kind/begin/:connection': null,
  '/api/iam/auth/external/facebook_oauth/data-deletion/:code': null, // public: e2e/external-identity/provider-notices.spec.ts
  '/api/iam/auth/external/oidc/backchannel-logout/:connection': null, // public: e2e/connection/connection-logout.spec.ts
  '/api/iam/auth/external/oidc/signals/:connection': null, // public: e2e/connection/connection-signals.spec.ts
  '/api/iam/auth/external/saml/logout/:connection': null,
  '/api/iam/auth/external/saml/metadata/:connection': null,
  '/api/iam/saml/:clientId': null, // public: e2e/saml-provider
  '/api/iam/auth/external/saml/request/:connection': null, // public: e2e/connection/connection-saml-post.spec.ts
  '/api/v1/iam/me/authenticators/:id': authenticator,
  '/api/v1/iam/me/authenticators/totp/:id': null, // no request can guess its code: e2e/authenticator/totp.spec.ts
  '/api/v1/iam/me/export/:id': accountExport,
  '/api/v1/iam/me/export/:id/page': accountExport,
  '/api/v1/iam/me/identities/:id': identity,
  '/api/v1/iam/me/identities/:kind': null,
  '/api/v1/iam/me/sessions/:id': session,
  '/api/v1/iam/me/tenants/:id': null, // one's own memberships: e2e/organizations/sign-in-policy.spec.ts
  '/api/v1/iam/me/trusted-devices/:id': trustedDevice,
  '/api/v1/iam/auth/stations/:stationId': null, // public: integration/frontline-stations.spec.ts
  '/api/v1/iam/auth/logos/:id': null, // public: e2e/organizations/branding.spec.ts
  '/api/v1/iam/auth/logos/:id/:hash': null,
  '/api/v1/iam/auth/client-logos/:clientId': null, // public: e2e/satellite/client-logos.spec.ts
  '/api/v1/iam/auth/client-logos/:clientId/:hash': null,
  '/api/v1/iam/auth/authorizations/:id': null, // random: e2e/openid/openid-provider.spec.ts
  '/api/v1/iam/me/authorized-apps/:clientId': null, // one's own: e2e/openid/openid-provider.spec.ts
  '/api/v1/iam/permissions/:module': null, // of operators alone: e2e/operator/permission-modules.spec.ts
  '/api/v1/iam/apis/:apiId': null, // of operators: e2e/openid/openid-apis.spec.ts
  '/api/v1/iam/saml-clients/:clientId': null,
  '/api/v1/iam/satellites/:clientId': null,
  '/api/v1/iam/satellites/:clientId/apis/:apiId': null,
  '/api/v1/signals/streams/:streamId': null, // of a client: e2e/extras/signals.spec.ts
  '/api/v1/operator/operators/:userId': null, // e2e/operator/operators.spec.ts
  '/api/v1/operator/impersonations/:impersonationId': null, // of operators alone: e2e/operator/impersonation.spec.ts
  '/api/v1/operator/jobs/:jobId': null,
  '/api/v1/operator/tenants/:tenantId': null,
  '/api/v1/operator/people/:userId/mails/:mailId': null, // of operators alone: e2e/operator/people.spec.ts
  '/api/v1/operator/people/:userId/sessions/:sessionId': null, // e2e/operator/people.spec.ts
  '/api/v1/operator/people/:userId': null, // of operators alone: e2e/authenticator/factor-resets.spec.ts
  '/api/v1/iam/tenants/:id': tenant,
  '/api/v1/iam/tenants/:id/agents/:agentId': agent,
  '/api/v1/iam/tenants/:id/apis/:apiId': apiOfOrganization,
  '/api/v1/iam/tenants/:id/clients/:clientId': client,
  '/api/v1/iam/tenants/:id/saml-clients/:clientId': samlClient,
  '/api/v1/iam/tenants/:id/clients/:clientId/apis/:apiId': apiOfOrganization,
  '/api/v1/iam/tenants/:id/connections/:connectionId': connection,
  '/api/v1/iam/tenants/:id/connections/:connectionId/certificates/:sha256': certificateOfConnection,
  '/api/v1/iam/tenants/:id/connections/:connectionId/changes/:changeId': changeOfConnection,
  '/api/v1/iam/tenants/:id/connections/:connectionId/tests/:testId': testOfConnection,
  '/api/v1/iam/tenants/:id/domains/:domainId': domain,
  '/api/v1/iam/tenants/:id/setup-links/:linkId': setupLink,
  '/api/v1/iam/setup/connection/certificates/:sha256': null, // of links alone: e2e/connection/setup-links.spec.ts
  '/api/v1/iam/setup/connection/tests/:testId': null,
  '/api/v1/iam/setup/domains/:domainId': null,
  '/api/v1/iam/tenants/:id/directories/:directoryId': directory,
  '/api/v1/iam/tenants/:id/directories/:directoryId/tokens/:tokenId': directoryToken,
  '/api/v1/iam/tenants/:id/directories/:directoryId/users/:userId': directory, // has the same id
  '/api/v1/iam/tenants/:id/invitations/:invitationId': invitation,
  '/api/v1/iam/tenants/:id/members/:userId': member,
  '/api/v1/iam/tenants/:id/partnerships/:partnershipId': partnership,
  '/api/v1/iam/tenants/:id/partner-access/:partnershipId': partnerAccess,
  '/api/v1/iam/tenants/:id/partner-access/:partnershipId/people/:userId': member,
  '/api/v1/iam/tenants/:id/members/:userId/assignments/:assignmentId': assignment,
  '/api/v1/iam/tenants/:id/access-requests/:requestId': accessRequest,
  '/api/v1/iam/tenants/:id/things/:module': otherModule,
  '/api/v1/iam/tenants/:id/things/:module/:collection': otherCollection,
  '/api/v1/iam/tenants/:id/things/:module/:collection/:thingId': registeredThing,
  '/api/v1/iam/tenants/:id/stations/:stationId': station,
  '/api/v1/iam/tenants/:id/workers/:userId': worker,
  '/api/v1/iam/tenants/:id/roles/:roleId': role,
  '/api/v1/iam/me/keys/:keyId': personalKey,
  '/api/v1/iam/tenants/:id/service-accounts/:accountId': serviceAccount,
  '/api/v1/iam/tenants/:id/service-accounts/:accountId/credentials/:credentialId': clientCredential,
  '/api/v1/iam/tenants/:id/service-accounts/:accountId/keys/:keyId': apiKey,
  '/api/v1/iam/tenants/:id/service-accounts/:accountId/trust-rules/:ruleId': trustRule,
  '/api/v1/operator/webhooks/deliveries/:deliveryId': null,
  '/api/v1/operator/webhooks/subscriptions/:id': null,
  '/api/v1/webhooks/deliveries/:deliveryId': delivery,
  '/api/v1/webhooks/subscriptions/:id': subscription,
};

/** The key policy of the organization, which has its id. */
const keyPolicy: Make = async ({ service, id }) => {
  await service.sql(
    'INSERT INTO key_policies (tenant_id, personal_keys) VALUES ($1, true) ON CONFLICT DO NOTHING',
    [id],
  );
  return id;
};

/** The branding of the organization, which has its id. */
const branding: Make = async ({ service, id }) => {
  await service.sql(
    "INSERT INTO brandings (tenant_id, display_name) VALUES ($1, 'Shown') ON CONFLICT DO NOTHING",
    [id],
  );
  return id;
};

/** Collections of which the permission check can be asked. */
const COLLECTIONS: Readonly<Record<string, Make>> = {
  'iam/apis': async () => ulid(),
  'iam/audit-events': auditEvent,
  'iam/overview': async () => ulid(),
  'iam/client-registries': tenant,
  'iam/connections': connection,
  'iam/domains': domain,
  'iam/setup-links': setupLink,
  'iam/directories': directory,
  'iam/directory-tokens': async () => ulid(),
  'iam/identities': identity,
  'iam/invitations': invitation,
  'iam/members': member,
  'iam/partner-accesses': partnerAccess,
  'iam/partnerships': partnership,
  'iam/roles': role,
  'iam/service-accounts': serviceAccount,
  'iam/api-keys': apiKey,
  'iam/trust-rules': trustRule,
  'iam/satellites': async () => ulid(),
  'iam/sessions': session,
  'iam/key-policies': keyPolicy,
  'iam/sign-in-policies': tenant,
  'iam/stations': station,
  'iam/workers': worker,
  'iam/support-access': tenant,
  'iam/brandings': branding,
  'iam/tenants': tenant,
  'iam/access-requests': accessRequest,
  'access/decisions': tenant,
  'access/things': registeredThings,
  'platform/questions': async () => ulid(),
  'platform/trail': async () => ulid(),
  'platform/overview': async () => ulid(),
  'platform/impersonations': async () => ulid(),
  'platform/imports': async () => ulid(),
  'platform/jobs': async () => ulid(),
  'platform/operators': async () => ulid(),
  'platform/organizations': async () => ulid(),
  'platform/people': async () => ulid(),
  'platform/permissions': async () => ulid(),
  'webhooks/deliveries': delivery,
  'webhooks/events': async () => ulid(),
  'webhooks/operator-webhooks': async () => ulid(),
  'webhooks/subscriptions': subscription,
};

/** A session in which an operator acts as the owner. */
const impersonation: Make = async ({ service, id: tenantId, owner }) => {
  const id = ulid();
  await service.sql(
    "INSERT INTO impersonations (id, account_id, tenant_id, operator_id, operator_session_id, reason, expires_at) VALUES ($1, $2, $3, $1, $1, 'Ticket', now())",
    [id, owner.person.id, tenantId],
  );
  return id;
};

/** A partnership of the organization with a person of the partner on it. */
const partnerPerson: Make = async (organization) => {
  const { service } = organization;
  const partner = await Organization.found(service);
  const { id: userId, email } = partner.owner.person;
  const id = await made('POST', '/partnerships', () => ({ email, roles: ['member'] }))(organization);
  await partner.call('POST', `/partner-access/${id}/accept`);
  await partner.call('PUT', `/partner-access/${id}/people/${userId}`, { roles: ['member'] });
  return id;
};

/** Items that no permission names. */
const OTHERS: readonly Make[] = [
  agent,
  client,
  samlClient,
  apiOfOrganization,
  personalKey,
  clientCredential,
  certificateOfConnection,
  changeOfConnection,
  limits,
  impersonation,
  partnerPerson,
];

/** Enables the subscriptions, which are created disabled so that nothing is sent. */
async function enableSubscriptions(things: Things): Promise<void> {
  await things.named('/api/v1/webhooks/subscriptions/:id');
  await things.named('/api/v1/webhooks/deliveries/:deliveryId');
  const { service, id } = things.organization;
  await service.sql("UPDATE webhook_endpoints SET status = 'active', reason = NULL WHERE tenant_id = $1", [
    id,
  ]);
}

/** Creates the domain that the documented example of a connection names. */
async function withDomainOfExample({ organization: { service, id } }: Things): Promise<void> {
  await service.sql(
    "INSERT INTO tenant_domains (tenant_id, id, domain, token) VALUES ($1, $2, 'example.example', 'x') ON CONFLICT (tenant_id, id) DO NOTHING",
    [id, '01K3V9D7Q8Z4X5N6M7P8R9S0D1'],
  );
}

/** Id of the documented example of a body that names a user. */
const EXAMPLE_OF_USER = '01K3V9D7Q8Z4X5N6M7P8R9S0T2';

const withPartnership =
  (status: 'offered' | 'active') =>
  async (things: Things): Promise<void> => {
    const id = await things.named('/api/v1/iam/tenants/:id/partner-access/:partnershipId');
    await things.organization.service.sql('UPDATE partnerships SET status = $2 WHERE id = $1', [id, status]);
  };

/** Preparations of a request, where a new item is not in the right state for it. */
const BEFORE: Readonly<Record<string, (things: Things) => Promise<unknown>>> = {
  'PATCH /api/v1/iam/tenants/:id/connections/:connectionId': withDomainOfExample,
  'GET /api/v1/iam/tenants/:id/connections/:connectionId/tests/:testId': (things) =>
    things.named('/api/v1/iam/tenants/:id/connections/:connectionId'),
  'POST /api/v1/iam/tenants/:id/connections/:connectionId/changes/:changeId/confirm': (things) =>
    things.named('/api/v1/iam/tenants/:id/connections/:connectionId'),
  'DELETE /api/v1/iam/tenants/:id/connections/:connectionId/changes/:changeId': (things) =>
    things.named('/api/v1/iam/tenants/:id/connections/:connectionId'),
  'DELETE /api/v1/iam/tenants/:id/connections/:connectionId/certificates/:sha256': (things) =>
    things.named('/api/v1/iam/tenants/:id/connections/:connectionId'),
  'POST /api/v1/iam/tenants/:id/connections/:connectionId/refresh-metadata': async (things) => {
    const id = await things.named('/api/v1/iam/tenants/:id/connections/:connectionId');
    await things.organization.service.sql(
      "UPDATE saml_connections SET metadata_url = 'https://idp.example/m' WHERE connection_id = $1",
      [id],
    );
  },
  'POST /api/v1/iam/tenants/:id/connections': withDomainOfExample,
  'DELETE /api/v1/iam/tenants/:id/deletion': async ({ organization }) => {
    await organization.call('POST', '/archive');
    await organization.call('POST', '/deletion', { name: 'Lovelace Logistics' });
  },
  'POST /api/v1/iam/tenants/:id/deletion': ({ organization }) => organization.call('POST', '/archive'),
  'POST /api/v1/iam/tenants/:id/support-access': ({ organization }) =>
    organization.call('PUT', '/sign-in-policy', { supportAccess: 'on_request' }),
  'DELETE /api/v1/iam/tenants/:id/support-access': ({ organization: { service, id } }) =>
    service.sql("UPDATE tenants SET support_until = now() + interval '1 hour' WHERE id = $1", [id]),
  'POST /api/v1/iam/tenants/:id/leave': ({ organization }) => organization.join('owner'),
  'POST /api/v1/iam/tenants/:id/ownership-transfer': async ({ organization: { service, id } }) => {
    await service.sql(
      "INSERT INTO accounts (id, email, email_key, first_name) VALUES ($1, 'heir@example.com', 'heir@example.com', 'Heir') ON CONFLICT DO NOTHING",
      [EXAMPLE_OF_USER],
    );
    await service.sql('INSERT INTO members (tenant_id, user_id) VALUES ($1, $2)', [id, EXAMPLE_OF_USER]);
  },
  'GET /api/v1/iam/tenants/:id/members/:userId/assignments/:assignmentId': (things) =>
    things.named('/api/v1/iam/tenants/:id/members/:userId'),
  'DELETE /api/v1/iam/tenants/:id/members/:userId/assignments/:assignmentId': (things) =>
    things.named('/api/v1/iam/tenants/:id/members/:userId'),
  'POST /api/v1/iam/tenants/:id/access-requests/:requestId/withdraw': async (things) => {
    const id = await things.named('/api/v1/iam/tenants/:id/access-requests/:requestId');
    const { service, owner } = things.organization;
    await service.sql('UPDATE access_requests SET user_id = $2 WHERE id = $1', [id, owner.person.id]);
  },
  'POST /api/v1/iam/tenants/:id/members/:userId/restore': async (things) => {
    const id = await things.named('/api/v1/iam/tenants/:id/members/:userId');
    await things.organization.call('POST', `/members/${id}/suspend`);
  },
  'POST /api/v1/iam/tenants/:id/partner-access/:partnershipId/accept': withPartnership('offered'),
  'POST /api/v1/iam/tenants/:id/partner-access/:partnershipId/decline': withPartnership('offered'),
  'POST /api/v1/iam/tenants/:id/partner-access/:partnershipId/leave': withPartnership('active'),
  'PUT /api/v1/iam/tenants/:id/partner-access/:partnershipId/people/:userId': withPartnership('active'),
  'DELETE /api/v1/iam/tenants/:id/partner-access/:partnershipId/people/:userId': async (things) => {
    await withPartnership('active')(things);
    const id = await things.named('/api/v1/iam/tenants/:id/partner-access/:partnershipId');
    const userId = await things.named('/api/v1/iam/tenants/:id/members/:userId');
    const body = { roles: ['member'] };
    await things.organization.call('PUT', `/partner-access/${id}/people/${userId}`, body);
  },
  'POST /api/v1/iam/tenants/:id/service-accounts/:accountId/enable': async (things) => {
    const id = await things.named('/api/v1/iam/tenants/:id/service-accounts/:accountId');
    await things.organization.call('POST', `/service-accounts/${id}/disable`);
  },
  'POST /api/v1/iam/tenants/:id/workers/:userId/reinstate': async (things) => {
    const id = await things.named('/api/v1/iam/tenants/:id/workers/:userId');
    await things.organization.call('POST', `/workers/${id}/suspend`);
  },
  'POST /api/v1/iam/tenants/:id/restore': ({ organization }) => organization.call('POST', '/archive'),
  'POST /api/v1/webhooks/deliveries/:deliveryId/redeliver': enableSubscriptions,
  'POST /api/v1/webhooks/subscriptions/:id/recover': enableSubscriptions,
  'POST /api/v1/webhooks/subscriptions/:id/test': enableSubscriptions,
};

/**
 * Path parameters of a route that name an item of an organization or user, each as its path so far.
 */
export function namedThingsOf(path: string): string[] {
  return [...path.matchAll(/:\w+/g)]
    .map(({ index, 0: name }) => path.slice(0, index + name.length))
    .filter((parameter) => makerOf(PARAMETERS, parameter) !== null);
}

/** Items of one organization, one of each kind, created on first use. */
export class Things {
  private readonly ids = new Map<Make, Promise<string>>();

  constructor(readonly organization: Organization) {}

  /** @param parameter as {@link namedThingsOf} returns it */
  named(parameter: string): Promise<string> {
    return this.once(makerOf(PARAMETERS, parameter));
  }

  /** @param collection `<module>/<collection>` */
  in(collection: string): Promise<string> {
    return this.once(makerOf(COLLECTIONS, collection));
  }

  /** Brings the items into the state in which the route's command succeeds. */
  async prepareFor({ method, path }: { readonly method: string; readonly path: string }): Promise<void> {
    await BEFORE[`${method} ${path}`]?.(this);
  }

  async all(): Promise<string[]> {
    const ids: string[] = [];
    for (const collection of Object.keys(COLLECTIONS)) ids.push(await this.in(collection));
    for (const make of OTHERS) ids.push(await this.once(make));
    return ids;
  }

  private once(make: Make | null): Promise<string> {
    if (!make) throw new Error('This parameter names nothing.');
    const id = this.ids.get(make) ?? make(this.organization);
    this.ids.set(make, id);
    return id;
  }
}

/**
 * @throws for an unlisted parameter or collection, so that a new route or policy is not forgotten
 */
function makerOf<M extends Make | null>(makers: Readonly<Record<string, M>>, key: string): M {
  const make = makers[key];
  if (make === undefined) throw new Error(`Teach test/support/things.ts what ${key} is.`);
  return make;
}
