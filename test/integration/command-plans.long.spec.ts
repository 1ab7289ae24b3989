import { FIRST_PARTY_CLIENT, newId } from '../../src/kernel/index.js';
import { CodeExchange } from '../../src/session/index.js';
import { codeChallengeOf, hashOneTimeToken } from '../../src/platform/crypto/index.js';
import { Database } from '../../src/platform/database/index.js';
import { CleanupService } from '../../src/platform/cleanup/cleanup.js';
import { TenantDeletionCleanup } from '../../src/iam/organizations/tenants/deletion/tenant-deletion.cleanup.js';
import { SamlStandIn } from '../lab/saml-stand-in.js';
import { ExternalVisitor } from '../support/external.js';
import { GrantRefreshRepository } from '../../src/session/grants/grant-refresh.repository.js';
import { Organization, Person } from '../support/organization.js';
import { readWhole, type Statement, statementsOf } from '../support/plans.js';
import { RelyingParty } from '../support/relying-party.js';
import { signUpOperator, TestSatellite } from '../support/satellite.js';
import { eventually, tokenIn, withApp } from '../support/test-app.js';

/** Enough for an index to be cheaper than the whole of a table. */
const ROWS = 5_000;

/** Creates rows of many other people in every table that grows with their number. */
const SEEDS = [
  "INSERT INTO accounts (id, email, email_key, first_name) SELECT ID, n || '@many.example', n || '@many.example', 'Ada' FROM MANY",
  'INSERT INTO tenants (id, name) SELECT ID, n::text FROM MANY',
  "INSERT INTO retired_slugs (slug_key, expires_at) SELECT sha256(n::text::bytea), now() + interval '1 day' FROM MANY",
  "INSERT INTO roles (tenant_id, id, key, name, scopes, built_in) SELECT ID, ID, 'owner', 'Owner', '{}', true FROM MANY",
  'INSERT INTO members (tenant_id, user_id) SELECT ID, ID FROM MANY',
  'INSERT INTO member_roles (tenant_id, user_id, role_id) SELECT ID, ID, ID FROM MANY',
  "INSERT INTO role_assignments (tenant_id, id, user_id, role_id, thing, created_by) SELECT ID, ID, ID, ID, 'logistics/shipments/' || ID, ID FROM MANY",
  `INSERT INTO partnerships (id, tenant_id, partner_id, status, email, email_key, role_ids, created_by, expires_at, accepted_at)
   SELECT ID, ID, ID, CASE WHEN n % 2 = 0 THEN 'active' ELSE 'offered' END, n || '@x.example', n || '@x.example', '{}', ID, now() + interval '1 day', now() FROM MANY`,
  `INSERT INTO partner_people (partnership_id, user_id, tenant_id, role_ids, created_by) SELECT ID, ID, ID, '{}', ID FROM MANY`,
  `INSERT INTO access_requests (tenant_id, id, user_id, role_id, hours, reason, expires_at)
   SELECT ID, ID, ID, ID, 1, 'Ticket', now() + interval '1 day' FROM MANY`,
  'INSERT INTO access_request_policies (tenant_id, max_hours) SELECT ID, 8 FROM MANY',
  "INSERT INTO registered_things (tenant_id, thing, id) SELECT ID, 'freight/orders/' || ID, ID FROM MANY",
  "INSERT INTO registered_parents (tenant_id, thing, parent, height) SELECT ID, 'freight/orders/' || ID, 'freight/depots/' || ID, 0 FROM MANY",
  'INSERT INTO registered_thing_counts (tenant_id, things) SELECT ID, 1 FROM MANY',
  `INSERT INTO apis (id, tenant_id, identifier, name, access_token_seconds, access_token_alg)
   SELECT ID, ID, 'https://' || n || '.example', 'Orders', 300, 'ES256' FROM MANY`,
  `INSERT INTO agent_policies (id, tenant_id, clients, listed, scopes) SELECT ID, ID, 'off', '{}', '{}' FROM MANY`,
  'INSERT INTO workers (tenant_id, user_id, number, number_key) SELECT ID, ID, n::text, n::text FROM MANY',
  "INSERT INTO stations (tenant_id, id, name, idle_seconds, shift_seconds, created_by) SELECT ID, ID, 'Gate', 300, 43200, ID FROM MANY",
  `INSERT INTO invitations (tenant_id, id, email, email_key, role_ids, token_hash, invited_by, expires_at)
   SELECT ID, ID, n || '@x.example', n || '@x.example', '{}', sha256(n::text::bytea), ID, now() + interval '1 day' FROM MANY`,
  "INSERT INTO sessions (id, account_id, amr, expires_at) SELECT ID, ID, '{pwd}', now() + interval '1 day' FROM MANY",
  `INSERT INTO grants (id, session_id, account_id, tenant_id, client_id, idle_expires_at)
   SELECT ID, ID, ID, ID, 'gatehouse', now() + interval '1 day' FROM MANY`,
  "INSERT INTO session_evidence (session_id, method, acr) SELECT ID, 'password', 'aal1' FROM MANY",
  "INSERT INTO upstream_sessions (session_id, connection_id, name_id_hash, sealed) SELECT ID, ID, sha256(n::text::bytea), '-' FROM MANY",
  "INSERT INTO totp_authenticators (account_id, id, name, sealed_secret, confirmed_at) SELECT ID, ID, 'App', '', now() FROM MANY",
  'INSERT INTO passkey_users (account_id, handle) SELECT ID, sha256(n::text::bytea) FROM MANY',
  `INSERT INTO passkeys (account_id, id, name, credential_id, public_key, sign_count, backup_eligible, backed_up, transports)
   SELECT ID, ID, 'Passkey', sha256(n::text::bytea), '', 0, false, false, '{}' FROM MANY`,
  'INSERT INTO recovery_codes (account_id, code_hash) SELECT ID, sha256(n::text::bytea) FROM MANY',
  "INSERT INTO trusted_devices (account_id, id, secret_hash, expires_at) SELECT ID, ID, '', now() + interval '1 day' FROM MANY",
  "INSERT INTO erasure_requests (account_id, operator_id, expires_at) SELECT ID, ID, now() + interval '1 day' FROM MANY",
  `INSERT INTO factor_resets (account_id, id, reason, token_hash, effective_at)
   SELECT ID, ID, 'Lost', sha256(n::text::bytea), now() + interval '1 day' FROM MANY`,
  `INSERT INTO sign_in_challenges (challenge_hash, account_id, password_version, method, expires_at)
   SELECT sha256(n::text::bytea), ID, 1, 'password', now() + interval '1 day' FROM MANY`,
  "INSERT INTO spent_ceremonies (flow_id, expires_at) SELECT sha256(n::text::bytea), now() + interval '1 day' FROM MANY",
  "INSERT INTO audit_events (id, account_id, action) SELECT MONTHLY, ID, 'session.started' FROM MONTHS",
  "INSERT INTO audit_details (event_id, account_id, details) SELECT MONTHLY, ID, '{}' FROM MONTHS",
  'INSERT INTO audit_retentions (tenant_id, days) SELECT ID, 400 FROM MANY',
  "INSERT INTO former_names (tenant_id, subject, name) SELECT ID, 'iam/roles/' || ID, '-' FROM MANY",
  "INSERT INTO audit_chains (tenant_id, last, hash) SELECT ID, 1, '' FROM MANY",
  "INSERT INTO audit_anchors (tenant_id, sequence, jws) SELECT ID, 1, '' FROM MANY",
  "INSERT INTO audit_entries (tenant_id, sequence, event_id, hash) SELECT ID, 1, MONTHLY, '' FROM MONTHS",
  `INSERT INTO password_resets (token_hash, account_id, expires_at) SELECT sha256(n::text::bytea), ID, now() + interval '1 day' FROM MANY`,
  `INSERT INTO email_codes (subject_key, code_hash, expires_at) SELECT sha256(n::text::bytea), '', now() + interval '1 day' FROM MANY`,
  `INSERT INTO email_changes (account_id, token_hash, email, email_key, expires_at)
   SELECT ID, sha256(n::text::bytea), n || '@z.example', n || '@z.example', now() + interval '1 day' FROM MANY`,
  `INSERT INTO email_undos (token_hash, account_id, email, email_key, expires_at)
   SELECT sha256(n::text::bytea), ID, n || '@z.example', n || '@z.example', now() + interval '1 day' FROM MANY`,
  `INSERT INTO pending_registrations (token_hash, email, email_key, password_hash, first_name, marketing_opt_in, expires_at)
   SELECT sha256(n::text::bytea), n || '@y.example', n || '@y.example', '-', 'Ada', false, now() + interval '1 day' FROM MANY`,
  `INSERT INTO outgoing_mails (id, recipient_key, kind, expires_at) SELECT ID, sha256(n::text::bytea), 'invitation', now() + interval '1 day' FROM MANY`,
  "INSERT INTO account_exports (account_id, id, expires_at) SELECT ID, ID, now() + interval '1 day' FROM MANY",
  "INSERT INTO mail_records (id, recipient_key, kind, state, attempts, created_at) SELECT ID, sha256(n::text::bytea), 'invitation', 'sent', 1, now() FROM MANY",
  `INSERT INTO login_throttles (account_key, network_key, failures, blocked_until, expires_at)
   SELECT sha256(n::text::bytea), '', 1, now(), now() + interval '1 day' FROM MANY`,
  `INSERT INTO known_networks (account_id, network_key, expires_at)
   SELECT ID, sha256(n::text::bytea), now() + interval '1 day' FROM MANY`,
  `INSERT INTO satellites (id, client_id, name, redirect_uris, scopes, secret_hash)
   SELECT ID, 'many-' || n, 'Many', '{}', '{}', sha256(n::text::bytea) FROM MANY`,
  `INSERT INTO one_time_codes (code_hash, purpose, client_id, session_id, account_id, tenant_id, redirect_uri, code_challenge, scopes, grant_id, expires_at)
   SELECT sha256(n::text::bytea), 'openid', CLIENT, ID, ID, ID, '-', '-', '{}', ID, now() + interval '1 day' FROM MANY`,
  `INSERT INTO oidc_requests (request_hash, client_id, pushed, redirect_uri, scopes, code_challenge, prompts, subject_hint, expires_at)
   SELECT sha256(n::text::bytea), CLIENT, false, '-', '{}', '-', '{}', ID, now() + interval '1 day' FROM MANY`,
  `INSERT INTO oidc_devices (device_hash, user_code_hash, client_id, scopes, status, session_id, account_id, tenant_id, interval_seconds, expires_at)
   SELECT sha256(n::text::bytea), sha256(n::text::bytea), CLIENT, '{}', 'approved', ID, ID, ID, 5, now() + interval '1 day' FROM MANY`,
  "INSERT INTO oidc_device_guesses (session_id, failures, begun_at) SELECT ID, 1, now() + interval '1 day' FROM MANY",
  "INSERT INTO oidc_subjects (account_id, sector, subject) SELECT ID, 'many.example', ID FROM MANY",
  "INSERT INTO signal_events (id, stream_id, type, details) SELECT ID, ID, '-', '{}' FROM MANY",
  "INSERT INTO logout_notices (client_id, session_id, due_at) SELECT ID, ID, now() + interval '1 day' FROM MANY",
  "INSERT INTO signal_ended_sessions (session_id, client_ids) SELECT ID, '{}' FROM MANY",
  "INSERT INTO oidc_consents (account_id, client_id, scopes) SELECT ID, CLIENT, '{openid}' FROM MANY",
  "INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) SELECT ID, ID, 'oidc', 'env:oidc', 'https://idp.example.com', n::text FROM MANY",
  `INSERT INTO one_time_codes (code_hash, purpose, account_id, content, expires_at)
   SELECT sha256(('link' || n)::bytea), 'link', ID, '""', now() + interval '1 day' FROM MANY`,
  `INSERT INTO idempotent_responses (account_id, key_hash, request_hash, sealed, expires_at)
   SELECT ID, sha256(n::text::bytea), '', '-', now() + interval '1 day' FROM MANY`,
  "INSERT INTO external_flows (id, expires_at) SELECT ID, now() + interval '1 day' FROM MANY",
  `INSERT INTO external_forms (key_hash, slot, network, sealed, bytes, expires_at)
   SELECT sha256(n::text::bytea), sha256(n::text::bytea), sha256(n::text::bytea), '-', 1, now() + interval '1 day' FROM MANY`,
  "INSERT INTO external_proofs (proof_hash, expires_at) SELECT sha256(n::text::bytea), now() + interval '1 day' FROM MANY",
  `INSERT INTO external_states (key_hash, account_id, state, expires_at)
   SELECT sha256(n::text::bytea), ID, '-', now() + interval '1 day' FROM MANY`,
  `INSERT INTO events (created_at, id, xid, type, tenant_ids, subject, data)
   SELECT now() + make_interval(months => n % 4 - 1), ID, '3', 'iam.role.created', ARRAY[ID], '-', '{}' FROM MANY`,
  `INSERT INTO event_entries (tenant_id, sequence, created_at, event_id)
   SELECT ID, n, now() + make_interval(months => n % 4 - 1), ID FROM MANY`,
  'INSERT INTO event_streams (tenant_id, last) SELECT ID, n FROM MANY',
  "INSERT INTO webhook_endpoints (tenant_id, id, url, types, sealed_secret, created_by, status) SELECT ID, ID, '-', '{}', '', ID, 'disabled' FROM MANY",
  "INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event_id, type, sequence, state) SELECT ID, ID, ID, ID, '-', 1, 'delivered' FROM MANY",
  'INSERT INTO webhook_attempts (tenant_id, delivery_id, at, id, ms) SELECT ID, ID, now(), ID, 1 FROM MANY',
  "INSERT INTO connections (tenant_id, id, kind, name, status, provisioning) SELECT ID, ID, CASE n % 2 WHEN 0 THEN 'oidc' ELSE 'saml' END, '-', 'active', '{}' FROM MANY",
  "INSERT INTO oidc_connections (tenant_id, connection_id, issuer, client_id, client_authentication) SELECT ID, ID, '-', '-', 'private_key_jwt' FROM MANY WHERE n % 2 = 0",
  "INSERT INTO saml_connections (tenant_id, connection_id, entity_id, sso_url, next_fetch_at) SELECT ID, ID, '-', '-', now() + interval '1 day' FROM MANY WHERE n % 2 = 1",
  `INSERT INTO connection_certificates (tenant_id, connection_id, sha256, certificate, source, not_after, warn_at)
   SELECT ID, ID, '-', '-', 'manual', now() + interval '90 days', now() + interval '60 days' FROM MANY`,
  "INSERT INTO tenant_domains (tenant_id, id, domain, token, status, checked_at) SELECT ID, ID, n || '.many.example', '-', 'verified', now() FROM MANY",
  'INSERT INTO connection_domains (tenant_id, connection_id, domain_id) SELECT ID, ID, ID FROM MANY',
  "INSERT INTO connection_rules (tenant_id, connection_id, ordinal, attribute, operator, value, role_ids) SELECT ID, ID, 0, '-', 'equals', '-', '{}' FROM MANY",
  "INSERT INTO connection_tests (tenant_id, id, connection_id, created_by, settings_version, expires_at) SELECT ID, ID, ID, ID, 1, now() + interval '1 day' FROM MANY",
  "INSERT INTO setup_links (tenant_id, id, token_hash, intents, created_by, expires_at) SELECT ID, ID, sha256(n::text::bytea), '{}', ID, now() + interval '1 day' FROM MANY",
  "INSERT INTO directories (tenant_id, id, name) SELECT ID, ID, '-' FROM MANY",
  "INSERT INTO directory_tokens (tenant_id, directory_id, id, name, secret_hash, expires_at) SELECT ID, ID, ID, '-', '', now() + interval '1 day' FROM MANY",
  "INSERT INTO directory_users (tenant_id, directory_id, id, user_name_key, external_id, email_key, display_name_key, attributes, account_id) SELECT ID, ID, ID, ID, ID, ID, ID, '{}', ID FROM MANY",
  "INSERT INTO directory_groups (tenant_id, directory_id, id, external_id, display_name_key, attributes) SELECT ID, ID, ID, ID, ID, '{}' FROM MANY",
  'INSERT INTO directory_group_members (tenant_id, directory_id, group_id, user_id) SELECT ID, ID, ID, ID FROM MANY',
  "INSERT INTO directory_rules (tenant_id, directory_id, ordinal, group_name, role_ids) SELECT ID, ID, 1, '-', '{}' FROM MANY",
  "INSERT INTO impersonations (id, account_id, tenant_id, operator_id, operator_session_id, reason, expires_at) SELECT ID, ID, ID, ID, ID, '-', now() + interval '1 day' FROM MANY",
  "INSERT INTO service_accounts (tenant_id, id, name, created_by) SELECT ID, ID, '-', ID FROM MANY",
  'INSERT INTO service_account_roles (tenant_id, account_id, role_id) SELECT ID, ID, ID FROM MANY',
  "INSERT INTO machine_credentials (tenant_id, owner_id, id, owner_kind, kind, name, created_by, expires_at, warn_at) SELECT ID, ID, ID, 'person', 'key', '-', ID, now() + interval '90 days', now() + interval '83 days' FROM MANY",
  "INSERT INTO ended_keys (tenant_id, account_id, id, lookup, name, networks, created_at, reason) SELECT ID, ID, ID, ID, '-', '{}', now(), 'revoked' FROM MANY",
  "INSERT INTO platform_accounts (id, name, role) SELECT ID, '-', 'support' FROM MANY",
  "INSERT INTO platform_keys (id, account_id, lookup, name, secret_hash, expires_at) SELECT ID, ID, ID, '-', '', now() + interval '90 days' FROM MANY",
  'INSERT INTO brandings (tenant_id) SELECT ID FROM MANY',
  'INSERT INTO key_policies (tenant_id, personal_keys) SELECT ID, true FROM MANY',
  "INSERT INTO trust_rules (tenant_id, account_id, id, issuer, audience, conditions, created_by) SELECT ID, ID, ID, 'https://' || n || '.example', '-', '{}', ID FROM MANY",
  "INSERT INTO used_assertions (assertion_hash, expires_at) SELECT sha256(n::text::bytea), now() + interval '1 day' FROM MANY",
  "INSERT INTO directory_log (tenant_id, directory_id, id, method, path, status) SELECT ID, ID, ID, 'GET', '-', 200 FROM MANY",
  "INSERT INTO directory_suspensions (tenant_id, account_id, kind) SELECT ID, ID, 'member' FROM MANY",
  `INSERT INTO connection_changes (tenant_id, id, connection_id, kind, settings_version, sha256, sealed_change, requested_by, by_setup_link, expires_at)
   SELECT ID, ID, ID, 'settings', 1, '{}', '-', ID, false, now() + interval '1 day' FROM MANY`,
  "INSERT INTO import_requests (digest, operator_id, expires_at) SELECT sha256(n::text::bytea), ID, now() + interval '1 day' FROM MANY",
  "INSERT INTO daily_uses (kind, holder, day, used) SELECT 'mails', ID, (now() + interval '1 day')::date, 1 FROM MANY",
  'INSERT INTO tenant_limits (tenant_id, mails_per_day) SELECT ID, 100 FROM MANY',
  "INSERT INTO activity_counts (tenant_id, span, name, starts_at, source, value, count) SELECT ID, span, 'sign-in', date_trunc(span, now(), 'UTC'), '', 'password', 1 FROM MANY, unnest(ARRAY['hour', 'day']) span",
  `INSERT INTO saml_requests (client_id, request_hash, state_hash, consumer, name_id_format, allow_create, expires_at)
   SELECT 'many-' || n, sha256(n::text::bytea), sha256(n::text::bytea), '-', 'persistent', true, now() + interval '1 day' FROM MANY`,
  `INSERT INTO saml_client_keys (kid, client_id, certificate, sealed_private_key, signs_from, expires_at)
   SELECT ID, 'many-' || n, '-', '-', now() - interval '90 days', CASE WHEN n % 2 = 0 THEN now() + interval '1 day' END FROM MANY`,
  "INSERT INTO import_runs (id, operator_id, file_name) SELECT ID, ID, 'people.csv' FROM MANY",
  "INSERT INTO bulk_actions (id, operator_id, kind, total) SELECT ID, ID, 'end-sessions', 1 FROM MANY",
];

/** Tables that stay small, however many users there are. */
const SMALL = [
  'audit_cursors',
  'audit_keys',
  'satellites',
  'connection_keys',
  'disabled_clients',
  'event_cursors',
  'event_entries_default',
  'events_default',
  'id_token_keys',
  'operators',
  'pg_inherits',
  'signal_streams',
  'signing_keys',
];

/**
 * The cost of a command does not depend on the number of people: checked by the plans of its
 * statements.
 */
describe('With many other people', () => {
  const saml = new SamlStandIn();
  const app = withApp(saml.settings);
  let organization: Organization;
  let satellite: TestSatellite;
  let ada: Person;
  beforeAll(async () => {
    satellite = await TestSatellite.register(app);
    const rows = SEEDS.join(';')
      .replaceAll('ID', "'01BX' || lpad(n::text, 22, '0')")
      .replaceAll(
        'MONTHLY',
        "left(first_id_at(now() + make_interval(months => n % 6)), 10) || lpad(n::text, 16, '0')",
      )
      // As many for each month that a partition of them is not cheaper to read whole.
      .replaceAll('MONTHS', `generate_series(1, ${6 * ROWS}) n`)
      .replaceAll('MANY', `generate_series(1, ${ROWS}) n`)
      .replaceAll('CLIENT', `'${satellite.clientId}'`);
    // Without the triggers of foreign keys: the rows of all tables fit together.
    await app.sql(`SET session_replication_role = replica; ${rows}; RESET session_replication_role`);
    await app.sql('ANALYZE');
  }, 120_000); // half a million rows
  beforeEach(async () => {
    organization = await Organization.found(app);
    ada = (await organization.join('admin')).person;
  });

  /** Rotates the tokens of people by one statement. */
  async function refreshTogether(...people: Person[]): Promise<{ status: number }> {
    const refreshes = app.app.get(GrantRefreshRepository, { strict: false });
    const rotated = await Promise.all(
      people.map(({ refreshToken }) => {
        const [, grantId = '', generation] = /^ghr_(\w+)\.(\d+)/.exec(refreshToken) ?? [];
        const of = { grantId, generation: Number(generation), clientId: FIRST_PARTY_CLIENT };
        return refreshes.rotate({ ...of, idleSeconds: 60, ofOpenId: false });
      }),
    );
    expect(rotated).toEqual(people.map(() => expect.objectContaining({ generation: 2 })));
    return { status: 200 };
  }

  /** Exchanges codes of OpenID Connect in one transaction, of people who have many grants. */
  async function exchangeTogether(...people: Person[]): Promise<{ status: number }> {
    const codes = people.map(({ id }) => ({ id, code: newId(), verifier: newId().padEnd(43, '-') }));
    const { clientId } = satellite;
    for (const [n, { id, code, verifier }] of codes.entries()) {
      const { sessionId } = people[n] as Person;
      await app.sql(
        `INSERT INTO one_time_codes (code_hash, purpose, client_id, session_id, account_id, redirect_uri, code_challenge, scopes, grant_id, expires_at)
         VALUES ($1, 'openid', $2, $3, $4, '-', $5, '{openid}', $6, now() + interval '1 minute')`,
        [hashOneTimeToken(code), clientId, sessionId, id, codeChallengeOf(verifier), newId()],
      );
      await app.sql(
        `INSERT INTO grants (id, session_id, account_id, client_id, idle_expires_at)
         SELECT $1 || n, $2, $3, $4, now() + interval '1 day' FROM generate_series(1, 30) n`,
        [newId(), sessionId, id, clientId],
      );
    }
    const exchanges = app.app.get(CodeExchange, { strict: false });
    const given = await Promise.all(
      codes.map(({ code, verifier: codeVerifier }) =>
        exchanges.exchange({
          purpose: 'openid',
          code,
          codeVerifier,
          clientId,
          redirectUri: '-',
          jkt: null,
          event: { action: 'session.handed-over' },
        }),
      ),
    );
    expect(given).toEqual(people.map(() => expect.objectContaining({ nonce: null })));
    return { status: 200 };
  }

  it.each<[string, () => Promise<{ status: number }>]>([
    [
      'selecting a tenant',
      () => app.post('select-tenant', { tenantId: organization.id }, { token: ada.token }),
    ],
    ['a refresh', () => app.post('refresh', { refreshToken: ada.refreshToken, tenantId: organization.id })],
    ['refreshes of one turn', () => refreshTogether(organization.owner.person, ada)],
    ['code exchanges of one turn', () => exchangeTogether(organization.owner.person, ada)],
    ['a login', () => app.post('login', { email: ada.email, password: ada.password })],
    [
      'a step-up',
      () => app.post('step-up', { method: 'password', password: ada.password }, { token: ada.token }),
    ],
    ['a logout', () => app.post('logout', undefined, { token: ada.token })],
    ['a logout from all devices', () => app.post('logout-all', undefined, { token: ada.token })],
    ['a sign-in at a satellite', async () => ({ status: 200, ...(await satellite.signIn(ada.token)) })],
    [
      'an invitation',
      () => organization.call('POST', '/invitations', { email: 'new@example.com', roles: ['member'] }),
    ],
    ['a change of roles', () => organization.call('PATCH', `/members/${ada.id}`, { roles: ['member'] })],
    ['a removal', () => organization.call('DELETE', `/members/${ada.id}`)],
    [
      'a leaving',
      async () => organization.call('POST', '/leave', undefined, await ada.select(organization.id)),
    ],
    [
      'a scheduled deletion of an organization',
      async () => {
        await organization.call('POST', '/archive');
        return organization.call('POST', '/deletion', { name: 'Lovelace Logistics' });
      },
    ],
    [
      'a deletion of an organization',
      async () => {
        await organization.call('POST', '/archive');
        await organization.call('POST', '/deletion', { name: 'Lovelace Logistics' });
        await app.sql("UPDATE tenants SET deletes_at = now() - interval '1 day' WHERE id = $1", [
          organization.id,
        ]);
        await app.app.get(TenantDeletionCleanup, { strict: false }).deleteDue();
        const left = await app.sql('SELECT 1 FROM tenants WHERE id = $1', [organization.id]);
        return { status: left.length === 0 ? 200 : 500 };
      },
    ],
    ['a new role', () => organization.call('POST', '/roles', { key: 'clerk', name: 'Clerk', scopes: [] })],
    [
      'a request with an idempotency key',
      () =>
        app.call(
          'POST',
          `${organization.path}/roles`,
          { key: 'clerk', name: 'Clerk', scopes: [] },
          { token: organization.owner.token, headers: { 'idempotency-key': 'command-plans' } },
        ),
    ],
    [
      'a registration of a thing',
      () => {
        const uri = (collection: string) => `gatehouse:///freight/${collection}/${newId()}`;
        return organization.call('PUT', `/things/freight/orders/${newId()}`, {
          parents: [uri('depots'), uri('depots')],
        });
      },
    ],
    ['an archiving', () => organization.call('POST', '/archive')],
    ['a login after a wrong password', loginAfterFailure],
    ['a change of address that is undone', changeAddress],
    ['a linked identity', linkIdentity],
    ['a form that waits for its browser', () => postForm()],
    ['an erasure', () => app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: ada.token })],
  ])('%s scans no table sequentially', async (_what, work) => {
    const statements = await statementsOf(async () => expect((await work()).status).toBeLessThan(300));
    expect(await scannedBy(statements)).toEqual([]);
  });

  /** The large tables that a command's statements read whole. */
  async function scannedBy(statements: readonly Statement[]) {
    expect(statements.length).toBeGreaterThan(0);
    return (await readWhole(app, statements)).filter(({ table }) => !SMALL.includes(table));
  }

  async function loginAfterFailure(): Promise<{ status: number }> {
    await app.post('login', { email: ada.email, password: 'a-wrong-guess' });
    return app.post('login', { email: ada.email, password: ada.password });
  }

  async function changeAddress(): Promise<{ status: number }> {
    const { id, token, email: former } = ada;
    const email = `changed-${id.toLowerCase()}@example.com`;
    await app.call('PUT', '/api/v1/iam/me/email', { email }, { token });
    await app.post('confirm-email', { token: await app.mailedToken(email) });
    const links = async () => (await app.mails(former)).filter((mail) => mail.includes('undo-email'));
    await eventually('the link arrives', async () => (await links()).length === 1);
    return app.post('undo-email', { token: tokenIn((await links()).join()) });
  }

  async function linkIdentity(): Promise<{ status: number }> {
    const visitor = new ExternalVisitor(app, 'saml');
    const { body } = await visitor.link(ada.token);
    return visitor.redeem(
      ada.token,
      await visitor.post(saml.answer(String(body['authorizationUrl']), ada.id)),
    );
  }

  async function postForm(): Promise<{ status: number }> {
    const browser = ExternalVisitor.browser(app, 'saml');
    const { body } = await browser.start();
    const { returnUri } = await browser.post(saml.answer(String(body['authorizationUrl']), ada.id));
    const { fragment } = await browser.open(returnUri);
    return { status: 'access_token' in fragment ? 200 : 500 };
  }

  it.each<[string, () => Promise<{ status: number }>]>([
    [
      'a command of a satellite',
      () => satelliteCall('GET', `/api/v1/iam/tenants/${organization.id}/members`),
    ],
    [
      'a change by a satellite',
      () => satelliteCall('PATCH', `/api/v1/iam/tenants/${organization.id}`, { name: 'Renamed' }),
    ],
    ['a refresh of a satellite', refreshAtSatellite],
    ['a sign-in at a client of OpenID Connect, its refresh and revocation', useOpenId],
    ['a change of the scopes of a satellite', setScopes],
  ])('%s finds its registration among many by an index', async (_what, work) => {
    const statements = await statementsOf(async () => expect((await work()).status).toBeLessThan(300));
    const ofScopes = statements.filter(([sql]) => /\bscopes\b.*\bsatellites\b|UPDATE satellites/s.test(sql));
    expect(ofScopes.length).toBeGreaterThan(0);
    expect(await readWhole(app, ofScopes)).toEqual([]);
  });

  async function visit(): Promise<{ at: TestSatellite; accessToken: string; refreshToken: string }> {
    const at = await TestSatellite.withScopes(app, 'iam:member:read', 'iam:tenant:update');
    return { at, ...(await at.signIn(organization.owner.token)) };
  }

  async function useOpenId(): Promise<{ status: number }> {
    const client = await RelyingParty.register(app, { firstParty: false });
    const { refresh_token: token = '', access_token: access } = await client.signIn(ada.token);
    await client.post('/oauth2/token', { grant_type: 'refresh_token', refresh_token: token });
    await client.post('/oauth2/introspect', { token });
    const userinfo = await app.get('/oauth2/userinfo', access);
    await client.post('/oauth2/revoke', { token });
    return userinfo;
  }

  async function satelliteCall(method: string, path: string, body?: object): Promise<{ status: number }> {
    const { accessToken: token } = await visit();
    return app.call(method, path, body, { token });
  }

  async function refreshAtSatellite(): Promise<{ status: number }> {
    const { at, refreshToken } = await visit();
    return at.refresh(refreshToken);
  }

  async function setScopes(): Promise<{ status: number }> {
    const { token } = await signUpOperator(app);
    return app.call('PATCH', `/api/v1/iam/satellites/${satellite.clientId}`, { scopes: [] }, { token });
  }

  it('is recorded without background work', async () => {
    let isRunning = true;
    const background = (async () => {
      while (isRunning) await app.app.get(Database, { strict: false }).rows('SELECT 1 AS background');
    })();
    const statements = await statementsOf(() =>
      app.post('login', { email: ada.email, password: ada.password }),
    );
    isRunning = false;
    await background;
    expect(statements).not.toEqual([]);
    expect(statements.filter(([sql]) => sql.includes('background'))).toEqual([]);
  });

  it('the cleanup finds expired rows of every table without a sequential scan', async () => {
    const tables = await app.sql<{ table: string }>(
      `SELECT c.table_name AS table FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE c.column_name = 'expires_at' AND c.table_schema = 'public' AND t.table_type = 'BASE TABLE' ORDER BY 1`,
    );
    const statements = await statementsOf(() => app.app.get(CleanupService).run());
    const emptied = statements.flatMap(([sql]) => /^DELETE FROM (\w+)/.exec(sql)?.[1] ?? []);
    const left = tables.map(({ table }) => table).filter((table) => !emptied.includes(table));
    expect(left).toEqual([]);
    expect(await scannedBy(statements)).toEqual([]);
  });
});
