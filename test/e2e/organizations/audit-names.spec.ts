import { OperatorService } from '../../../src/iam/index.js';
import { newId } from '../../../src/kernel/index.js';
import { byTwoFactors } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { statementsOf } from '../../support/plans.js';
import { itemsOf, withApp } from '../../support/test-app.js';

describe('Names in the audit trail of an organization', () => {
  let organization: Organization;
  const app = withApp();
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

  const trail = async (as?: string) =>
    itemsOf<Record<string, unknown>>(await organization.call('GET', '/audit-events', undefined, as));
  const eventOf = async (action: string, as?: string) =>
    (await trail(as)).find((event) => event['action'] === action);
  const rename = (displayName: string) =>
    app.call('PATCH', '/api/v1/iam/me', { displayName }, { token: organization.owner.person.token });
  const role = (name: string, scopes: string[], as?: string) =>
    organization.call('POST', '/roles', { key: name.toLowerCase(), name, scopes }, as);

  it('say who did what to what, as they are called now', async () => {
    await role('Driver', []);
    expect(await eventOf('role.created')).toMatchObject({
      actorKind: 'person',
      actorName: 'Ada',
      subjectName: 'Driver',
      impersonatorName: null,
    });
    await rename('Countess Lovelace');
    expect(await eventOf('role.created')).toMatchObject({ actorName: 'Countess Lovelace' });
  });

  it('name a member also after they have left', async () => {
    const member = await organization.join('member');
    await organization.call('DELETE', `/members/${member.person.id}`);
    expect(await eventOf('member.removed')).toMatchObject({ actorName: 'Ada', subjectName: 'Ada' });
  });

  it('name workers, until they are erased', async () => {
    const worker = { number: '4711', firstName: 'Kay', roles: ['member'] };
    const { body } = await organization.call('POST', '/workers', worker);
    expect(await eventOf('worker.created')).toMatchObject({ actorName: 'Ada', subjectName: 'Kay' });
    await organization.call('DELETE', `/workers/${String(body['userId'])}`);
    expect(await eventOf('worker.created')).toMatchObject({ subjectName: null, subjectDeleted: true });
  });

  it('are gone with an erased account, which the trail calls erased', async () => {
    const member = await organization.join('admin');
    await role('Driver', [], member.token);
    await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: member.person.token });
    expect(await eventOf('role.created')).toMatchObject({ actorKind: 'erased', actorName: null });
    expect(JSON.stringify(await trail())).not.toContain(member.person.email);
  });

  it('of things are for callers who may read these', async () => {
    await role('Auditor', ['iam:audit:read']);
    const auditor = await organization.join('auditor');
    await organization.call('POST', '/invitations', { email: 'grace@example.com', roles: ['member'] });
    const name = async (as?: string) => (await eventOf('invitation.created', as))?.['subjectName'];
    expect(await name()).toBe('grace@example.com');
    expect(await name(auditor.token)).toBeNull();
    expect(await eventOf('invitation.created', auditor.token)).toMatchObject({ actorName: 'Ada' });
  });

  it('name keys of service accounts', async () => {
    const { body } = await organization.call('POST', '/service-accounts', {
      name: 'Warehouse',
      roles: ['member'],
    });
    await organization.call('POST', `/service-accounts/${String(body['id'])}/keys`, { name: 'Scanner' });
    expect(await eventOf('key.created')).toMatchObject({ subjectName: 'Scanner' });
  });

  it('name APIs and agents', async () => {
    const scopes = [{ name: 'orders:read', title: 'Read orders' }];
    const api = { identifier: `https://${organization.id.toLowerCase()}.example`, name: 'Orders', scopes };
    expect((await organization.call('POST', '/apis', api)).status).toBe(201);
    expect(await eventOf('client-api.registered')).toMatchObject({ subjectName: 'Orders' });
    const agent = newId();
    await app.sql(
      `INSERT INTO satellites (id, client_id, name, redirect_uris, secret_hash) VALUES ($1, $2, 'Claude', '{}', '')`,
      [agent, `https://agents.example/${agent}`],
    );
    await app.sql(
      "INSERT INTO audit_events (id, account_id, tenant_id, action, subject) VALUES ($1, $2, $3, 'agent.ended', $4)",
      [newId(), organization.owner.person.id, organization.id, `iam/agents/${agent}`],
    );
    expect(await eventOf('agent.ended')).toMatchObject({ subjectName: 'Claude' });
  });

  it('tell a directory that acts from a person', async () => {
    const { body } = await organization.call('POST', '/directories', { name: 'Entra ID' });
    await app.sql(
      "INSERT INTO audit_events (id, account_id, tenant_id, action) VALUES ('01K3V9D7Q8Z4X5N6M7P8R9S0T1', $1, $2, 'member.suspended')",
      [body['id'], organization.id],
    );
    expect(await eventOf('member.suspended')).toMatchObject({
      actorKind: 'directory',
      actorName: 'Entra ID',
    });
    expect(await eventOf('directory.created')).toMatchObject({ subjectName: 'Entra ID' });
  });

  it('are not found in another organization', async () => {
    const other = await Organization.found(app);
    const { body } = await other.call('POST', '/directories', { name: 'Theirs' });
    await app.sql(
      "INSERT INTO audit_events (id, account_id, tenant_id, action, subject) VALUES ('01K3V9D7Q8Z4X5N6M7P8R9S0T2', $1, $2, 'member.suspended', 'iam/directories/' || $1)",
      [body['id'], organization.id],
    );
    expect(await eventOf('member.suspended')).toMatchObject({
      actorKind: 'unknown',
      actorName: null,
      subjectName: null,
    });
  });

  describe('of what is deleted', () => {
    /** Returns the different names of a subject in the trail. */
    const namesOf = async (path: string) => {
      const events = (await trail()).filter(({ subject }) => subject === path);
      return [...new Set(events.map((event) => `${event['subjectName']} ${event['subjectDeleted']}`))];
    };
    const make = async (path: string, body: object) =>
      (await organization.call('POST', path, body)).body as unknown as { id: string; clientId: string };

    it.each([
      ['roles', 'roles', { key: 'driver', name: 'Driver', scopes: [] }],
      ['clients', 'clients', { name: 'Driver', redirectUris: ['https://app.example/cb'] }],
      ['apis', 'client-apis', { identifier: 'https://driver.example', name: 'Driver', scopes: [] }],
      ['directories', 'directories', { name: 'Driver' }],
      ['stations', 'stations', { name: 'Driver' }],
      ['service-accounts', 'service-accounts', { name: 'Driver', roles: ['member'] }],
    ])('are the last ones: %s', async (path, collection, fields) => {
      const { id, clientId } = await make(`/${path}`, fields);
      expect(await namesOf(`iam/${collection}/${id}`)).toEqual(['Driver false']);
      expect((await organization.call('DELETE', `/${path}/${clientId ?? id}`)).status).toBe(204);
      expect(await namesOf(`iam/${collection}/${id}`)).toEqual(['Driver true']);
    });

    it('are the last ones: domains, connections', async () => {
      const domain = await make('/domains', { name: 'acme.example' });
      await organization.call('DELETE', `/domains/${domain.id}`);
      expect(await namesOf(`iam/domains/${domain.id}`)).toEqual(['acme.example true']);
      const connection = await make('/connections', {
        kind: 'oidc',
        name: 'Okta',
        settings: {
          issuer: 'https://idp.example',
          clientId: 'gatehouse',
          clientSecret: 'a-secret-of-the-lab',
        },
      });
      await organization.call('DELETE', `/connections/${connection.id}`);
      expect(await namesOf(`iam/connections/${connection.id}`)).toEqual(['Okta true']);
    });

    it('are the last ones: keys, also of an account that is deleted', async () => {
      const account = await make('/service-accounts', { name: 'Warehouse', roles: ['member'] });
      const of = `/service-accounts/${account.id}`;
      const [first, second] = [
        await make(`${of}/keys`, { name: 'A' }),
        await make(`${of}/keys`, { name: 'B' }),
      ];
      await organization.call('DELETE', `${of}/keys/${first.id}`);
      expect(await namesOf(`iam/api-keys/${first.id}`)).toEqual(['A true']);
      await organization.call('DELETE', of);
      expect(await namesOf(`iam/api-keys/${second.id}`)).toEqual(['B true']);
    });

    it('are the origins of webhooks without a description: a path may hold a secret', async () => {
      const insert = async (description: string | null) => {
        const id = newId();
        await app.sql(
          `INSERT INTO webhook_endpoints (tenant_id, id, url, types, description, created_by, sealed_secret)
           VALUES ($1, $2, 'https://hooks.example/T0/secret', '{*}', $3, $4, '')`,
          [organization.id, id, description, organization.owner.person.id],
        );
        await app.sql(
          "INSERT INTO audit_events (id, account_id, tenant_id, action, subject) VALUES ($1, $2, $3, 'webhook.created', 'webhooks/subscriptions/' || $4)",
          [newId(), organization.owner.person.id, organization.id, id],
        );
        return id;
      };
      for (const [description, name] of [
        ['To the ERP', 'To the ERP'],
        [null, 'https://hooks.example'],
      ] as const) {
        const id = await insert(description);
        const { token } = organization.owner;
        await app.call('DELETE', `/api/v1/webhooks/subscriptions/${id}`, undefined, { token });
        expect(await namesOf(`webhooks/subscriptions/${id}`)).toEqual([`${name} true`]);
      }
    });

    it('tell a directory that acted', async () => {
      const { id } = await make('/directories', { name: 'Entra ID' });
      await app.sql(
        "INSERT INTO audit_events (id, account_id, tenant_id, action) VALUES ($1, $2, $3, 'member.suspended')",
        [newId(), id, organization.id],
      );
      await organization.call('DELETE', `/directories/${id}`);
      expect(await eventOf('member.suspended')).toMatchObject({
        actorKind: 'directory',
        actorName: 'Entra ID',
        actorDeleted: true,
      });
    });

    it('are for callers who may read such things', async () => {
      await role('Auditor', ['iam:audit:read']);
      const auditor = await organization.join('auditor');
      const { id } = await make('/roles', { key: 'driver', name: 'Driver', scopes: [] });
      await organization.call('DELETE', `/roles/${id}`);
      const named = async (as?: string) => (await eventOf('role.deleted', as))?.['subjectName'];
      expect([await named(), await named(auditor.token)]).toEqual(['Driver', null]);
    });

    it('are not found in another organization', async () => {
      const { id } = await make('/roles', { key: 'driver', name: 'Driver', scopes: [] });
      await organization.call('DELETE', `/roles/${id}`);
      const other = await Organization.found(app);
      await app.sql(
        "INSERT INTO audit_events (id, account_id, tenant_id, action, subject) VALUES ($1, $2, $3, 'role.deleted', 'iam/roles/' || $4)",
        [newId(), other.owner.person.id, other.id, id],
      );
      const [event] = itemsOf<Record<string, unknown>>(await other.call('GET', '/audit-events'));
      expect(event).toMatchObject({ action: 'role.deleted', subjectName: null, subjectDeleted: false });
    });

    it('are none of people, who are erased, and of their keys', async () => {
      const member = await organization.join('member');
      await app.sql(
        `INSERT INTO machine_credentials (tenant_id, owner_id, id, owner_kind, kind, name, created_by, expires_at, warn_at)
         VALUES ($1, $2, $2, 'person', 'key', 'Mine', $2, now() + interval '90 days', now() + interval '83 days')`,
        [organization.id, member.person.id],
      );
      await organization.call('DELETE', `/members/${member.person.id}`);
      await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: member.person.token });
      expect(await eventOf('member.removed')).toMatchObject({ subjectName: null, subjectDeleted: true });
      expect(await app.sql('SELECT 1 FROM former_names WHERE tenant_id = $1', [organization.id])).toEqual([]);
    });

    it('are none of an organization that is being deleted', async () => {
      const { id } = await make('/roles', { key: 'driver', name: 'Driver', scopes: [] });
      await app.sql(
        "UPDATE tenants SET deletes_at = now() + interval '1 day', deletion_requested_by = $2, deletion_started_at = now() WHERE id = $1",
        [organization.id, organization.owner.person.id],
      );
      await app.sql('DELETE FROM roles WHERE tenant_id = $1 AND id = $2', [organization.id, id]);
      expect(await app.sql('SELECT 1 FROM former_names WHERE tenant_id = $1', [organization.id])).toEqual([]);
    });

    it('take one statement for a page', async () => {
      for (const name of ['Driver', 'Clerk']) {
        const { id } = await make('/roles', { key: name.toLowerCase(), name, scopes: [] });
        await organization.call('DELETE', `/roles/${id}`);
        await organization.call('DELETE', `/directories/${(await make('/directories', { name })).id}`);
      }
      const sent = await statementsOf(() => trail());
      expect(sent.filter(([sql]) => sql.includes('former_names'))).toHaveLength(1);
    });
  });

  describe('in the trail of the platform', () => {
    const operatorToken = async () => {
      const person = await Person.signUp(app);
      await app.app.get(OperatorService, { strict: false }).grant(person.email, 'support');
      return byTwoFactors(app, person.token);
    };
    const platformTrail = async (query = '') =>
      itemsOf<Record<string, unknown>>(
        await app.get(`/api/v1/operator/audit-events${query}`, await operatorToken()),
      );
    const record = (actorId: unknown, tenantId: string | null) =>
      app.sql(
        "INSERT INTO audit_events (id, account_id, tenant_id, action) VALUES ($1, $2, $3, 'member.suspended')",
        [newId(), actorId, tenantId],
      );
    const actorOf = async (actorId: unknown, query?: string) =>
      (await platformTrail(query)).find((event) => event['actorId'] === actorId);

    it('tell directories and service accounts, of whatever organization', async () => {
      const { body: directory } = await organization.call('POST', '/directories', { name: 'Entra ID' });
      const other = await Organization.found(app);
      const warehouse = { name: 'Warehouse', roles: ['member'] };
      const { body: account } = await other.call('POST', '/service-accounts', warehouse);
      await record(directory['id'], organization.id);
      await record(account['id'], other.id);
      const named = (await platformTrail()).slice(0, 8).filter(({ action }) => action === 'member.suspended');
      expect(named.map(({ actorKind, actorName }) => [actorKind, actorName])).toEqual([
        ['service-account', 'Warehouse'],
        ['directory', 'Entra ID'],
      ]);
    });

    it('take one statement for each kind of actor, of however many organizations', async () => {
      const token = await operatorToken();
      for (const tenantId of [organization.id, (await Organization.found(app)).id, null])
        await record(newId(), tenantId);
      const sent = await statementsOf(() => app.get('/api/v1/operator/audit-events?limit=3', token));
      const ofActors =
        /\bname FROM[^]*\b(connections|directories|platform_accounts|service_accounts|tenants)\b[^]*\bid = /;
      expect(sent.flatMap(([sql]) => ofActors.exec(sql)?.[1] ?? []).toSorted()).toEqual([
        'connections',
        'directories',
        'platform_accounts',
        'service_accounts',
        'tenants',
      ]);
    });

    it('tell things of whatever organization, and the organization', async () => {
      await organization.call('PATCH', '', { name: 'Hopper Freight' });
      await role('Driver', []);
      const other = await Organization.found(app);
      await other.call('POST', '/invitations', { email: 'grace@example.com', roles: ['member'] });
      const events = (await platformTrail()).slice(0, 20);
      const named = (action: string) => {
        const { subjectName, tenantName } = events.find((event) => event['action'] === action) ?? {};
        return [subjectName, tenantName];
      };
      expect(named('role.created')).toEqual(['Driver', 'Hopper Freight']);
      expect(named('invitation.created')).toEqual(['grace@example.com', 'Lovelace Logistics']);
      expect(named('tenant.renamed')).toEqual(['Hopper Freight', 'Hopper Freight']);
      expect(named('account.became-operator')[1]).toBeNull();
      expect(await eventOf('role.created')).not.toHaveProperty('tenantName');
    });

    it('tell a partnership by its other organization', async () => {
      await organization.call('PATCH', '', { name: 'Shipper' });
      const carrier = await Organization.found(app);
      await carrier.call('PATCH', '', { name: 'Carrier' });
      const [id, subject] = [newId(), 'iam/partnerships/'];
      await app.sql(
        `INSERT INTO partnerships (id, tenant_id, partner_id, email, email_key, role_ids, status, accepted_at, created_by, expires_at)
         VALUES ($1, $2, $3, 'grace@example.com', 'grace@example.com', '{}', 'active', now(), $4, now() + interval '1 day')`,
        [id, organization.id, carrier.id, organization.owner.person.id],
      );
      for (const { id: tenantId, owner } of [organization, carrier])
        await app.sql(
          "INSERT INTO audit_events (id, account_id, tenant_id, action, subject) VALUES ($1, $2, $3, 'partnership.updated', $4)",
          [newId(), owner.person.id, tenantId, subject + id],
        );
      const events = (await platformTrail()).filter(({ action }) => action === 'partnership.updated');
      expect(events.map(({ tenantName, subjectName }) => [tenantName, subjectName])).toEqual([
        ['Carrier', 'Shipper'],
        ['Shipper', 'Carrier'],
      ]);
    });

    it('take as many statements for many organizations as for one', async () => {
      const token = await operatorToken();
      const make = async (where: Organization) => {
        await where.call('POST', '/roles', { key: 'driver', name: 'Driver', scopes: [] });
        await where.call('POST', '/stations', { name: 'Gate' });
      };
      await make(organization);
      const path = '/api/v1/operator/audit-events?limit=20';
      const few = await statementsOf(() => app.get(path, token));
      for (let n = 0; n < 3; n++) await make(await Organization.found(app));
      const many = await statementsOf(() => app.get(path, token));
      expect(many.length).toBeLessThanOrEqual(few.length);
    });

    it('tell no actor of another organization', async () => {
      const { body } = await organization.call('POST', '/directories', { name: 'Entra ID' });
      await record(body['id'], (await Organization.found(app)).id);
      expect(await actorOf(body['id'])).toMatchObject({ actorKind: 'unknown', actorName: null });
    });

    it('tell another organization, which acts as a partner', async () => {
      const [partner, nowhere] = [await Organization.found(app), await Organization.found(app)];
      await record(partner.id, organization.id);
      await record(organization.id, organization.id);
      await record(nowhere.id, null);
      const recorded = (await platformTrail()).filter(({ action }) => action === 'member.suspended');
      expect(recorded.slice(0, 3).map(({ actorKind }) => actorKind)).toEqual([
        'unknown',
        'unknown',
        'partner',
      ]);
    });

    it('tell programs of the platform, there and in an organization', async () => {
      const { serviceAccountId } = (await app.command(
        'platform-account:create',
        '--name',
        'Helpdesk',
        '--role',
        'admin',
      )) as { serviceAccountId: string };
      const named = { actorKind: 'service-account', actorName: 'Helpdesk' };
      await record(serviceAccountId, null);
      expect(await actorOf(serviceAccountId)).toMatchObject(named);
      await record(serviceAccountId, organization.id);
      expect(await actorOf(serviceAccountId, `?tenantId=${organization.id}`)).toMatchObject(named);
      expect(await eventOf('member.suspended')).toMatchObject(named);
    });
  });
});
