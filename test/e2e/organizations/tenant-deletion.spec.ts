/** @service separate */
import { Injectable, Module } from '@nestjs/common';
import { migrations } from '../../../migrations/index.js';
import { CreateShipments1795300000000 } from '../../../examples/shipments/src/migrations/1795300000000-create-shipments.js';
import { ShipmentsModule } from '../../../examples/shipments/src/shipments/shipments.module.js';
import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';
import { TenantDeletionCleanup } from '../../../src/iam/organizations/tenants/deletion/tenant-deletion.cleanup.js';
import { migrateDatabase } from '../../../src/platform/database/migrate.js';
import { OnLifecycle } from '../../../src/platform/lifecycle/index.js';
import { signedInAgo } from '../../support/aged.js';
import { inTurnBehind } from '../../support/locks.js';
import { roundsOf } from '../../support/long.js';
import { Organization } from '../../support/organization.js';
import { TestSatellite } from '../../support/satellite.js';
import { eventually, itemsOf, TestApp, type Answer } from '../../support/test-app.js';

const NAME = 'Lovelace Logistics';
const DAY = 86_400;
const WEEK = 7 * DAY;

const ended: string[] = [];

@Injectable()
class EndedMemberships {
  @OnLifecycle('memberships.ended')
  async note({ userId, tenantIds }: { userId: string; tenantIds: readonly string[] }): Promise<void> {
    ended.push(...tenantIds.map((tenantId) => `${tenantId} ${userId}`));
  }
}

@Module({ providers: [EndedMemberships] })
class EndedMembershipsModule {}

describe('The deletion of an organization', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.with(ShipmentsModule, EndedMembershipsModule);
    await migrateDatabase(app.databaseUrl, migrations, [CreateShipments1795300000000]);
  });
  afterAll(() => app.stop());

  const schedule = (organization: Organization, name = NAME, token?: string) =>
    organization.call('POST', '/deletion', { name }, token);
  const cancel = (organization: Organization) => organization.call('DELETE', '/deletion');
  const archived = async (): Promise<Organization> => {
    const organization = await Organization.found(app);
    await organization.call('POST', '/archive');
    return organization;
  };
  const scheduled = async (organization?: Organization): Promise<Organization> => {
    const doomed = organization ?? (await archived());
    if (organization) await organization.call('POST', '/archive');
    expect((await schedule(doomed)).status).toBe(202);
    return doomed;
  };
  /** Moves the schedule, as if time had passed. */
  const pass = ({ id }: Organization, seconds = WEEK) =>
    app.sql('UPDATE tenants SET deletes_at = deletes_at - make_interval(secs => $2) WHERE id = $1', [
      id,
      seconds,
    ]);
  /** Moves the time of creation back. */
  const grow = ({ id }: Organization, seconds: number) =>
    app.sql('UPDATE tenants SET created_at = created_at - make_interval(secs => $2) WHERE id = $1', [
      id,
      seconds,
    ]);
  const cleanUp = () => app.app.get(CleanupService, { strict: false }).run();
  const exists = async ({ id }: Organization) =>
    (await app.sql('SELECT 1 FROM tenants WHERE id = $1', [id])).length === 1;
  const codeOf = ({ status, body }: Answer) => (status < 300 ? 'done' : String(body['detail']));

  /** Tables with rows of the tenant, of all tables that name tenants. */
  async function tablesOf(id: string): Promise<string[]> {
    const tables = await app.sql<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
    );
    const found: string[] = [];
    for (const { name } of tables)
      if ((await app.sql(`SELECT 1 FROM ${name} WHERE tenant_id = $1 LIMIT 1`, [id])).length > 0)
        found.push(name);
    return found;
  }

  /** Events that are numbered or chained after a deletion leave rows. */
  const numbered = ({ id }: Organization) =>
    eventually('its events are numbered and chained', async () => {
      const waiting = await app.sql(
        'SELECT 1 FROM events e WHERE $1 = ANY(tenant_ids) AND NOT EXISTS (SELECT 1 FROM event_entries n WHERE n.event_id = e.id)',
        [id],
      );
      const unchained = await app.sql(
        'SELECT 1 FROM audit_events e WHERE tenant_id = $1 AND NOT EXISTS (SELECT 1 FROM audit_entries n WHERE n.event_id = e.id) LIMIT 1',
        [id],
      );
      return waiting.length + unchained.length === 0 && (await tablesOf(id)).includes('event_entries');
    });

  it('requires an archived organization, its name and a recent sign-in', async () => {
    const organization = await Organization.found(app);
    expect(await schedule(organization)).toMatchObject({
      status: 403,
      body: { code: 'state_forbids', detail: 'The organization is not archived.' },
    });
    await organization.call('POST', '/archive');
    expect((await schedule(organization, 'lovelace logistics')).body).toMatchObject({
      violations: [{ propertyPath: 'name' }],
    });
    const { accessToken } = await signedInAgo(app, organization.owner.person);
    expect(await schedule(organization, NAME, accessToken)).toMatchObject({
      status: 401,
      body: { code: 'authentication_insufficient', maxAge: 600 },
    });
    expect((await organization.call('GET', '/deletion')).body).toMatchObject({ deletesAt: null });
  });

  it('is scheduled by owners only', async () => {
    const organization = await Organization.found(app);
    const { token } = await organization.join('admin');
    await organization.call('POST', '/archive');
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(
        await organization.call(method, '/deletion', method === 'POST' ? { name: NAME } : undefined, token),
      ).toMatchObject({ status: 403, body: { code: 'scope_not_held' } });
  });

  it('waits a week, says what goes and tells all owners in their languages', async () => {
    const organization = await Organization.found(app);
    const second = await organization.join('owner');
    await app.call('PATCH', '/api/v1/iam/me', { locale: 'de' }, { token: second.person.token });
    const member = await organization.join('member');
    await app.call(
      'POST',
      '/api/v1/logistics/shipments',
      { contents: 'Tea', speed: 'express', weight: 2 },
      {
        token: organization.owner.token,
      },
    );
    await organization.call('POST', '/archive');
    const told = (await app.mails(organization.owner.person.email)).length;
    const { status, body } = await schedule(organization);
    expect(status).toBe(202);
    const wait = Date.parse(String(body['deletesAt'])) - Date.now();
    expect(Math.abs(wait - WEEK * 1_000)).toBeLessThan(60_000);
    expect(body).toMatchObject({ requestedBy: organization.owner.person.id, delaySeconds: WEEK });
    const events = itemsOf(await organization.call('GET', '/audit-events?limit=100')).length;
    expect(body['contents']).toEqual([
      { kind: 'members', count: 3 },
      { kind: 'roles', count: 0 },
      { kind: 'invitations', count: 2 },
      { kind: 'audit-events', count: events },
      { kind: 'things', count: 0 },
      { kind: 'service-accounts', count: 0 },
      { kind: 'stations', count: 0 },
      { kind: 'clients', count: 0 },
      { kind: 'connections', count: 0 },
      { kind: 'domains', count: 0 },
      { kind: 'webhooks', count: 0 },
      { kind: 'directories', count: 0 },
      { kind: 'shipments', count: 1 },
    ]);
    expect((await organization.call('GET', '/deletion')).body).toEqual(body);
    const mails = await app.mails(organization.owner.person.email, told + 1);
    expect(mails.at(-1)).toContain('An organization will be deleted');
    await eventually('the other owner is told in German', async () =>
      (await app.mails(second.person.email)).some((mail) => mail.includes('Eine Organisation wird')),
    );
    const ofMember = await app.mails(member.person.email);
    expect(ofMember.filter((mail) => mail.includes('will be deleted'))).toEqual([]);
    await cleanUp();
    expect(await exists(organization)).toBe(true);
  });

  it('is scheduled once and cancelled once, and ends with a restore', async () => {
    const organization = await scheduled();
    expect(codeOf(await schedule(organization))).toBe(
      'The deletion of the organization is scheduled already.',
    );
    expect((await cancel(organization)).status).toBe(204);
    expect(codeOf(await cancel(organization))).toBe('No deletion of the organization is scheduled.');
    expect((await schedule(organization)).status).toBe(202);
    expect((await organization.call('POST', '/restore')).body).toMatchObject({ status: 'active' });
    expect((await organization.call('GET', '/deletion')).body).toMatchObject({
      deletesAt: null,
      requestedBy: null,
    });
    await pass(organization);
    await cleanUp();
    expect(await exists(organization)).toBe(true);
    const actions = itemsOf<{ action: string }>(await organization.call('GET', '/audit-events'));
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['tenant.deletion-scheduled', 'tenant.deletion-cancelled', 'tenant.restored']),
    );
  });

  it('leaves nothing of the organization, in batches, and everything of another', async () => {
    const satellite = await TestSatellite.register(app);
    const [organization, other] = [await Organization.found(app), await Organization.found(app)];
    for (const { owner } of [organization, other]) {
      const shipment = { contents: 'Tea', speed: 'express', weight: 2 };
      await app.call('POST', '/api/v1/logistics/shipments', shipment, { token: owner.token });
      await satellite.signIn(owner.token);
    }
    for (const { id } of [organization, other]) {
      await app.sql(
        "INSERT INTO invitations (tenant_id, id, email, email_key, role_ids, token_hash, invited_by, expires_at) SELECT $1, substr($1, 1, 20) || lpad(n::text, 6, '0'), n || '@x.example', n || '@x.example', '{}', sha256(($1 || n)::bytea), $1, now() FROM generate_series(1, 250) n",
        [id],
      );
      await app.sql(
        "INSERT INTO activity_counts (tenant_id, span, name, starts_at, source, value, count) SELECT $1, 'hour', 'test', now() - make_interval(hours => n), '', 'test', 1 FROM generate_series(1, 250) n",
        [id],
      );
      await app.sql('UPDATE grants SET ended_at = now() WHERE tenant_id = $1 AND client_id <> $2', [
        id,
        'gatehouse',
      ]);
    }
    await app.sql(
      "INSERT INTO audit_events (id, account_id, tenant_id, action) SELECT substr($1, 1, 20) || lpad(n::text, 6, '0'), $1, $1, 'test.noted' FROM generate_series(1, 250) n",
      [organization.id],
    );
    await app.sql(
      "INSERT INTO grants (id, session_id, account_id, client_id, tenant_id, idle_expires_at, ended_at) SELECT substr($2, 1, 20) || lpad(n::text, 6, '0'), $1, $3, 'gatehouse', $2, now(), now() FROM generate_series(1, 250) n",
      [organization.owner.person.sessionId, organization.id, organization.owner.person.id],
    );
    for (const one of [organization, other]) await numbered(one);
    const before = await tablesOf(other.id);
    expect(await tablesOf(organization.id)).toEqual(before);
    expect(before).toEqual([
      'activity_counts',
      'audit_chains',
      'audit_entries',
      'audit_events',
      'event_entries',
      'event_streams',
      'grants',
      'invitations',
      'member_roles',
      'members',
      'one_time_codes',
      'roles',
      'shipments',
    ]);
    await scheduled(organization);
    await pass(organization);
    await cleanUp();
    expect(await exists(organization)).toBe(false);
    expect(await tablesOf(organization.id)).toEqual([]);
    expect(await tablesOf(other.id)).toEqual(before);
    const { id, token } = organization.owner.person;
    expect(ended).toContain(`${organization.id} ${id}`);
    const kept = await app.sql(
      "SELECT account_id, tenant_id FROM audit_events WHERE action = 'tenant.deleted' AND subject = $1",
      [`iam/tenants/${organization.id}`],
    );
    expect(kept).toEqual([{ account_id: id, tenant_id: null }]);
    expect((await app.post('select-tenant', { tenantId: organization.id }, { token })).status).toBe(403);
  });

  it('keeps its slugs from others for two years, and no word of them', async () => {
    const [organization, other] = [await Organization.found(app), await Organization.found(app)];
    const [earlier, slug] = ['before', 'later'].map((word) => `${word}-${organization.id.toLowerCase()}`);
    await organization.call('PATCH', '', { slug: earlier });
    await organization.call('PATCH', '', { slug });
    await grow(organization, 30 * DAY + 60);
    await scheduled(organization);
    await pass(organization);
    await cleanUp();
    expect(await exists(organization)).toBe(false);
    const { token } = other.owner.person;
    for (const taken of [earlier, slug]) {
      expect((await other.call('PATCH', '', { slug: taken })).status).toBe(409);
      const founded = { name: 'Another', slug: taken };
      expect((await app.call('POST', '/api/v1/iam/tenants', founded, { token })).status).toBe(409);
    }
    const options = await app.post('sign-in-options', { organization: slug });
    expect(options.body).toEqual((await app.post('sign-in-options', { organization: 'never-used' })).body);
    const kept = await app.sql<{ row: string }>('SELECT r::text AS row FROM retired_slugs r');
    expect(kept.map(({ row }) => row).join()).not.toContain(organization.id.toLowerCase());
    await app.sql("UPDATE retired_slugs SET expires_at = expires_at - interval '730 days'");
    await cleanUp();
    expect(await app.sql('SELECT 1 FROM retired_slugs')).toEqual([]);
    expect((await other.call('PATCH', '', { slug })).status).toBe(200);
  });

  it('keeps no slug of an organization that has existed for less than thirty days', async () => {
    const [organization, other] = [await Organization.found(app), await Organization.found(app)];
    const slug = `young-${organization.id.toLowerCase()}`;
    await organization.call('PATCH', '', { slug });
    await grow(organization, 30 * DAY - 3_600);
    await scheduled(organization);
    await pass(organization);
    await cleanUp();
    expect(await exists(organization)).toBe(false);
    expect((await other.call('PATCH', '', { slug })).status).toBe(200);
  });

  it('removes what events leave that are numbered after it', async () => {
    const organization = await Organization.found(app);
    await numbered(organization);
    await scheduled(organization);
    await pass(organization);
    await cleanUp();
    expect(await exists(organization)).toBe(false);
    await app.sql(
      `INSERT INTO events (id, type, tenant_ids, subject, data)
       SELECT $1 || n, 'iam.tenant.updated', ARRAY[$1], 'iam/tenants/' || $1, '{}' FROM generate_series(1, 1100) AS n`,
      [organization.id],
    );
    await numbered(organization);
    const jobs = "graphile_worker.jobs WHERE task_identifier = 'webhooks.remove-of-deleted'";
    await app.sql(`SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at := now()) FROM ${jobs}`);
    await eventually('they are gone', async () => (await tablesOf(organization.id)).length === 0);
  });

  it.each([
    [
      'events of the audit trail',
      "INSERT INTO audit_events (id, account_id, tenant_id, action) SELECT substr($1, 1, 20) || lpad(n::text, 6, '0'), $2, $1, 'test.noted' FROM generate_series(1, 250) n",
    ],
    [
      'grants that have ended',
      "INSERT INTO grants (id, session_id, account_id, client_id, tenant_id, idle_expires_at, ended_at) SELECT substr($1, 1, 20) || lpad(n::text, 6, '0'), $3, $2, 'gatehouse', $1, now(), now() FROM generate_series(1, 250) n",
    ],
    [
      'one-time codes',
      "INSERT INTO one_time_codes (code_hash, purpose, client_id, redirect_uri, code_challenge, session_id, account_id, tenant_id, grant_id, expires_at) SELECT sha256(($1 || n)::bytea), 'satellite', (SELECT client_id FROM satellites LIMIT 1), 'https://x.example', 'x', $3, $2, $1, 'x', now() + interval '1 hour' FROM generate_series(1, 250) n",
    ],
    [
      'clients',
      "INSERT INTO satellites (id, client_id, tenant_id, name, redirect_uris, secret_hash) SELECT $1 || n, 'org-' || lower($1) || n, $1, 'App', '{}', '' FROM generate_series(1, 250) n",
    ],
    [
      'devices that wait for their tokens',
      "INSERT INTO oidc_devices (device_hash, user_code_hash, client_id, scopes, status, session_id, account_id, tenant_id, interval_seconds, expires_at) SELECT sha256(($1 || n)::bytea), sha256(($1 || n)::bytea), (SELECT client_id FROM satellites LIMIT 1), '{}', 'approved', $3, $2, $1, 5, now() + interval '1 hour' FROM generate_series(1, 250) n",
    ],
  ])('leaves none of many %s', async (_, insert) => {
    await TestSatellite.register(app);
    const organization = await Organization.found(app);
    const { id, sessionId } = organization.owner.person;
    // Each statement names all three.
    await app.sql(`WITH one AS (SELECT $1::text, $2::text, $3::text) ${insert}`, [
      organization.id,
      id,
      sessionId,
    ]);
    await scheduled(organization);
    await pass(organization);
    await cleanUp();
    expect(await exists(organization)).toBe(false);
    expect(await tablesOf(organization.id)).toEqual([]);
  });

  it('ends the tokens for it within a second', async () => {
    const organization = await Organization.found(app);
    const { token, person } = await organization.join('member');
    await scheduled(organization);
    expect((await organization.call('GET', '', undefined, token)).status).toBe(200);
    await pass(organization);
    await cleanUp();
    const deleted = Date.now();
    await eventually(
      'the token is refused',
      async () => (await organization.call('GET', '', undefined, token)).status === 401,
    );
    expect(Date.now() - deleted).toBeLessThan(1_000);
    const mine = await app.get('/api/v1/iam/me/tenants', person.token);
    expect(itemsOf(mine)).toEqual([]);
  });

  it('conceals an organization whose deletion has started, and continues after a stop', async () => {
    const organization = await Organization.found(app);
    await scheduled(organization);
    await pass(organization);
    // As a killed process leaves it.
    await app.sql('UPDATE tenants SET deletion_started_at = now() WHERE id = $1', [organization.id]);
    await app.sql("SELECT pg_notify('gatehouse_tenant_changed', $1)", [organization.id]);
    await eventually('it is unknown', async () => (await organization.call('GET', '')).status === 404);
    for (const [method, below] of [
      ['POST', '/restore'],
      ['DELETE', '/deletion'],
      ['GET', '/deletion'],
      ['POST', '/leave'],
    ] as const)
      expect((await organization.call(method, below)).status).toBe(404);
    expect(itemsOf(await app.get('/api/v1/iam/me/tenants', organization.owner.person.token))).toEqual([]);
    await cleanUp();
    expect(await tablesOf(organization.id)).toEqual([]);
  });

  it.each<[string, (organization: Organization) => Promise<Answer>]>([
    ['a restore', (organization) => organization.call('POST', '/restore')],
    ['a cancellation', cancel],
  ])('is complete or does not happen beside %s', async (_, stop) => {
    for (let round = 0; round < roundsOf({ short: 3, long: 10 }); round += 1) {
      const organization = await scheduled();
      await pass(organization);
      await numbered(organization);
      const deletion = app.app.get(TenantDeletionCleanup, { strict: false });
      const [answer] = await Promise.all([stop(organization), deletion.deleteDue()]);
      const stopped = answer.status < 300;
      // Refused as a caller who is no member: by the guard, or by the decision under the locks.
      if (!stopped)
        expect(['401', '403 scope_not_held', '404 subject_not_found']).toContain(
          `${answer.status} ${answer.body['code'] ?? ''}`.trim(),
        );
      expect(await exists(organization)).toBe(stopped);
      if (!stopped) expect(await tablesOf(organization.id)).toEqual([]);
    }
  });

  it('does not happen if a restore that holds the lock commits first', async () => {
    const organization = await scheduled();
    await pass(organization);
    await inTurnBehind(
      app,
      [
        'UPDATE tenants SET archived_at = NULL, deletes_at = NULL, deletion_requested_by = NULL WHERE id = $1',
        organization.id,
      ],
      () => app.app.get(TenantDeletionCleanup, { strict: false }).deleteDue(),
    );
    expect(await exists(organization)).toBe(true);
  });

  it('does not happen after a release that knows no deletion has restored it', async () => {
    const organization = await scheduled();
    await pass(organization);
    await app.sql('UPDATE tenants SET archived_at = NULL WHERE id = $1', [organization.id]);
    await cleanUp();
    expect(await exists(organization)).toBe(true);
  });

  it('is scheduled by one of two concurrent requests', async () => {
    for (let round = 0; round < 5; round += 1) {
      const organization = await archived();
      const answers = await Promise.all([schedule(organization), schedule(organization)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 403]);
    }
  });

  it('allows no event to be deleted while it waits', async () => {
    const organization = await scheduled();
    await pass(organization);
    await expect(app.sql('DELETE FROM audit_events WHERE tenant_id = $1', [organization.id])).rejects.toThrow(
      'append-only',
    );
  });

  it('refuses an invitation that is accepted during the deletion', async () => {
    const organization = await Organization.found(app);
    const { person } = await (await Organization.found(app)).join('member');
    const mailed = (await app.mails(person.email)).length;
    await organization.call('POST', '/invitations', { email: person.email, roles: ['member'] });
    const token = await app.mailedToken(person.email, mailed + 1);
    await scheduled(organization);
    await pass(organization);
    const [accepted] = await Promise.all([
      app.post('accept-invitation', { token }, { token: person.token }),
      cleanUp(),
    ]);
    expect([400, 403]).toContain(accepted.status);
    expect(await tablesOf(organization.id)).toEqual([]);
  });
});
