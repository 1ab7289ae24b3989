import { randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { Client } from 'pg';
import { Organization, Person } from '../../support/organization.js';
import { signUpOperator, TestSatellite } from '../../support/satellite.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createDatabase, eventually, itemsOf, TestApp, type Answer } from '../../support/test-app.js';

const IAM = '/api/v1/iam';
const CUT = {
  status: 403,
  body: {
    type: '/errors/forbidden',
    code: 'scope_not_held',
    detail: 'This application does not have this permission. Try it in the main app.',
  },
};
const NOT_HERE = {
  status: 403,
  body: {
    type: '/errors/forbidden',
    detail: 'This is for the app that you signed in to, not for a satellite.',
  },
};
const NOT_A_MEMBER = { status: 403, body: { type: '/errors/not-a-member' } };

describe('The scopes of a satellite', () => {
  let app: TestApp;
  let replica: TestApp;
  let operator: Person;
  let acme: Organization;
  let member: Person;
  beforeAll(async () => {
    const shared = {
      DATABASE_URL: await createDatabase(),
      ROOT_SECRET: randomBytes(32).toString('base64'),
      DATA_DIR: temporaryFolder('scopes'), // where the mails are, whichever replica sends them
    };
    app = await TestApp.start(shared);
    replica = await TestApp.start(shared);
    operator = await signUpOperator(app);
  });
  beforeEach(async () => {
    acme = await Organization.found(app);
    ({ person: member } = await acme.join('member'));
  });
  afterAll(async () => {
    await replica.stop();
    await app.stop();
  });

  /** Signs the owner in at a satellite with these scopes, with the organization selected. */
  const visit = async (...scopes: string[]) => {
    const satellite = await TestSatellite.withScopes(app, ...scopes);
    const { accessToken, refreshToken } = await satellite.signIn(acme.owner.token);
    const call = (method: string, path: string, body?: object, at = app): Promise<Answer> =>
      at.call(method, path, body, { token: accessToken });
    return { satellite, accessToken, refreshToken, call };
  };
  const can = async (token: string, scopes: readonly string[], at = app) =>
    (await at.call('POST', '/api/auth/can', { scopes }, { token })).body;
  const setScopes = (clientId: string, scopes: readonly string[], at = app) =>
    at.call('PATCH', `${IAM}/satellites/${clientId}`, { scopes }, { token: operator.token });
  const invitations = async () => itemsOf(await acme.call('GET', '/invitations'));
  const members = async () =>
    itemsOf<{ userId: string; roles: string[] }>(await acme.call('GET', '/members'));

  describe('without any', () => {
    it('rejects an invitation of an outsider as owner, who is not mailed', async () => {
      const forum = await visit();
      const email = 'outsider@example.com';
      const body = { email, roles: ['owner'] };
      expect(await forum.call('POST', `${acme.path}/invitations`, body)).toMatchObject(CUT);
      expect(await invitations()).toEqual([expect.objectContaining({ status: 'accepted' })]);
      expect(await app.mails(email, 0)).toEqual([]);
    });

    it('rejects a change and the removal of a member, who stays what they are', async () => {
      const forum = await visit();
      const path = `${acme.path}/members/${member.id}`;
      expect(await forum.call('PATCH', path, { roles: ['owner'] })).toMatchObject(CUT);
      expect(await forum.call('DELETE', path)).toMatchObject(CUT);
      expect(await members()).toContainEqual(
        expect.objectContaining({ userId: member.id, roles: ['member'] }),
      );
    });

    it('rejects to archive, rename or leave the organization, which goes on', async () => {
      const forum = await visit();
      expect(await forum.call('POST', `${acme.path}/archive`)).toMatchObject(CUT);
      expect(await forum.call('PATCH', acme.path, { name: 'Mine' })).toMatchObject(CUT);
      expect(await forum.call('POST', `${acme.path}/leave`)).toMatchObject(CUT);
      expect((await acme.call('GET', '')).body).toMatchObject({
        status: 'active',
        name: 'Lovelace Logistics',
      });
    });

    it.each(['', '/members', '/invitations', '/roles', '/audit-events'])(
      'rejects to read the organization%s',
      async (below) => {
        const forum = await visit();
        expect(await forum.call('GET', `${acme.path}${below}`)).toMatchObject(CUT);
      },
    );

    it('tells the probe what it tells the commands', async () => {
      const forum = await visit();
      const scopes = ['iam:tenant:archive', 'iam:member:read', 'iam:session:end', 'iam:satellite:create'];
      const denial = { allowed: false, code: CUT.body.code, reason: CUT.body.detail };
      expect(await can(forum.accessToken, scopes)).toEqual(
        Object.fromEntries(scopes.map((scope) => [scope, denial])),
      );
    });

    it('leaves the scope claim of the access token empty', async () => {
      const forum = await visit();
      expect(decodeJwt(forum.accessToken)).toMatchObject({ tid: acme.id, scope: '' });
    });

    it('leaves open who is visiting, the probe and the logout of this session', async () => {
      const forum = await visit();
      expect(await forum.call('GET', `${IAM}/me`)).toMatchObject({ body: { id: acme.owner.person.id } });
      expect((await forum.call('POST', `${IAM}/auth/logout`)).status).toBe(204);
      expect((await app.get(`${IAM}/me`, acme.owner.token)).status).toBe(401);
    });
  });

  describe('with every permission of the visitor', () => {
    const refused: [string, string, string, object?][] = [
      ['to read the trail of the account', 'GET', `${IAM}/me/audit-events`],
      ['to list the organizations of the visitor', 'GET', `${IAM}/me/tenants`],
      ['to list the sessions of the visitor', 'GET', `${IAM}/me/sessions`],
      ['to list the identities of the visitor', 'GET', `${IAM}/me/identities`],
      ['to change the profile', 'PATCH', `${IAM}/me`, { firstName: 'Eve' }],
      ['to found an organization', 'POST', `${IAM}/tenants`, { name: 'Mine' }],
      ['to accept an invitation', 'POST', `${IAM}/auth/accept-invitation`, { token: 'A'.repeat(43) }],
      ['to log out everywhere', 'POST', `${IAM}/auth/logout-all`],
      ['to log out other devices', 'POST', `${IAM}/auth/logout-others`],
    ];
    // With fewer arguments than parameters, Jest would hand in a callback and wait for it.
    it.each(refused)('rejects %s', async (...[, method, path, body]) => {
      const shop = await visit('*');
      const { person } = acme.owner;
      const other = await Person.again(person);
      expect(await shop.call(method, path, body)).toMatchObject(NOT_HERE);
      for (const token of [other.token, person.token])
        expect(await app.get(`${IAM}/me`, token)).toMatchObject({ status: 200, body: { firstName: 'Ada' } });
      expect(itemsOf(await app.get(`${IAM}/me/tenants`, person.token))).toHaveLength(1);
    });

    it('rejects to end another session of the visitor, which goes on', async () => {
      const shop = await visit('*');
      const other = await Person.again(acme.owner.person);
      const path = `${IAM}/me/sessions/${other.sessionId}`;
      expect(await shop.call('DELETE', path)).toMatchObject(CUT);
      expect((await app.get(`${IAM}/me`, other.token)).status).toBe(200);
    });

    it('rejects to unlink an identity', async () => {
      const shop = await visit('*');
      const path = `${IAM}/me/identities/01K3V9D7Q8Z4X5N6M7P8R9S0T2`;
      expect(await shop.call('DELETE', path)).toMatchObject(CUT);
    });

    it('rejects what operators do, also where the visitor is one', async () => {
      const shop = await TestSatellite.withScopes(app, '*');
      const { accessToken: token } = await shop.signIn(operator.token);
      expect(await app.call('GET', `${IAM}/satellites`, undefined, { token })).toMatchObject(CUT);
    });

    it('does what the visitor may, and no more', async () => {
      const shop = await visit('*');
      expect((await shop.call('PATCH', acme.path, { name: 'Renamed' })).status).toBe(200);
      const { scope } = decodeJwt<{ scope: string }>(shop.accessToken);
      const ofVisitor = decodeJwt<{ scope: string }>(acme.owner.token).scope;
      const ofAppAlone = [
        'iam:api-key:create',
        'iam:client:create',
        'iam:client:delete',
        'iam:client:rotate-secret',
        'iam:client:update',
        'iam:connection:activate',
        'iam:connection:confirm',
        'iam:connection:create',
        'iam:connection:delete',
        'iam:connection:test',
        'iam:connection:update',
        'iam:directory-token:create',
        'iam:setup-link:create',
        'iam:trust-rule:create',
        'iam:worker:reset-pin',
        'webhooks:subscription:rotate',
      ];
      expect(ofVisitor.split(' ')).toEqual(expect.arrayContaining(ofAppAlone));
      const others = ofVisitor.split(' ').filter((one) => !ofAppAlone.includes(one));
      expect(scope.split(' ')).toEqual(others);
      const property = await TestSatellite.withScopes(app, '*');
      const { accessToken: token } = await property.signIn(await member.select(acme.id));
      expect((await acme.call('GET', '/members', undefined, token)).status).toBe(200);
      expect(await acme.call('POST', '/archive', undefined, token)).toMatchObject({
        body: { code: 'scope_not_held', detail: 'Your roles do not include this permission.' },
      });
    });
  });

  describe('with some', () => {
    it('opens those that the visitor holds, and no others', async () => {
      const forum = await visit('iam:member:read');
      expect((await forum.call('GET', `${acme.path}/members`)).status).toBe(200);
      expect(await forum.call('GET', `${acme.path}/roles`)).toMatchObject(CUT);
      expect(decodeJwt(forum.accessToken)['scope']).toBe('iam:member:read');
      const both = ['iam:member:read', 'iam:role:read'];
      expect(await can(forum.accessToken, both)).toMatchObject({
        'iam:member:read': { allowed: true },
        'iam:role:read': { allowed: false, code: 'scope_not_held' },
      });
    });

    it('gives the visitor nothing that their roles do not', async () => {
      const forum = await TestSatellite.withScopes(app, 'iam:tenant:archive');
      const { accessToken } = await forum.signIn(await member.select(acme.id));
      expect(await acme.call('POST', '/archive', undefined, accessToken)).toMatchObject({
        status: 403,
        body: { code: 'scope_not_held', detail: 'Your roles do not include this permission.' },
      });
      expect(decodeJwt(accessToken)['scope']).toBe('');
    });

    it('gives away no role that exceeds them, in the name of an owner', async () => {
      const forum = await visit('iam:invitation:create', 'iam:member:update', 'iam:member:read');
      const reader = { key: 'reader', name: 'Reader', scopes: ['iam:member:read'] };
      expect((await acme.call('POST', '/roles', reader)).status).toBe(201);
      for (const role of ['owner', 'admin']) {
        const invited = { email: 'outsider@example.com', roles: [role] };
        const violations = [{ propertyPath: 'roles[0]' }];
        expect(await forum.call('POST', `${acme.path}/invitations`, invited)).toMatchObject({
          status: 400,
          body: { violations },
        });
        const path = `${acme.path}/members/${member.id}`;
        expect(await forum.call('PATCH', path, { roles: [role] })).toMatchObject({
          status: 403,
          body: { code: 'state_forbids' }, // the member holds more than the satellite
        });
      }
      expect(await invitations()).toEqual([expect.objectContaining({ status: 'accepted' })]);
      expect(await members()).toContainEqual(
        expect.objectContaining({ userId: member.id, roles: ['member'] }),
      );
      const body = { email: 'reader@example.com', roles: ['reader'] };
      expect((await forum.call('POST', `${acme.path}/invitations`, body)).status).toBe(201);
    });

    it('puts no scope into a role that exceeds them, and changes no such role', async () => {
      const forum = await visit('iam:role:create', 'iam:role:update', 'iam:role:delete');
      const sly = { key: 'sly', name: 'Sly', scopes: ['iam:role:create', 'iam:tenant:archive'] };
      expect(await forum.call('POST', `${acme.path}/roles`, sly)).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'scopes[1]' }] },
      });
      const { body } = await acme.call('POST', '/roles', { ...sly, key: 'real' });
      const path = `${acme.path}/roles/${String(body['id'])}`;
      const exceeds = { code: 'state_forbids' };
      expect((await forum.call('PATCH', path, { scopes: [] })).body).toMatchObject(exceeds);
      expect((await forum.call('DELETE', path)).body).toMatchObject(exceeds);
      expect(itemsOf(await acme.call('GET', '/roles'))).toContainEqual(
        expect.objectContaining({ key: 'real', scopes: expect.arrayContaining(sly.scopes) }),
      );
    });
  });

  describe('and the tenant of the exchanged code', () => {
    it('rejects a refresh into another tenant, and rotates nothing', async () => {
      const other = await Organization.found(app, acme.owner.person);
      const shop = await visit('*');
      expect(await shop.satellite.refresh(shop.refreshToken, { tenantId: other.id })).toMatchObject(
        NOT_A_MEMBER,
      );
      const grants = await app.sql('SELECT generation, tenant_id FROM grants WHERE client_id = $1', [
        shop.satellite.clientId,
      ]);
      expect(grants).toEqual([{ generation: 1, tenant_id: acme.id }]);
      const stays = await shop.satellite.refresh(shop.refreshToken, { tenantId: acme.id });
      expect(stays).toMatchObject({ status: 200, body: { tenantId: acme.id } });
      const again = await shop.satellite.refresh(shop.refreshToken, { tenantId: other.id }); // within the retry window
      expect(again).toMatchObject(NOT_A_MEMBER);
    });

    it('rejects the selection of another tenant, and moves nothing', async () => {
      const other = await Organization.found(app, acme.owner.person);
      const shop = await visit('*');
      const select = (tenantId: string) => shop.call('POST', `${IAM}/auth/select-tenant`, { tenantId });
      expect(await select(other.id)).toMatchObject(NOT_A_MEMBER);
      expect(await select('01K3V9D7Q8Z4X5N6M7P8R9S0T2')).toMatchObject(NOT_A_MEMBER);
      expect(await shop.satellite.refresh(shop.refreshToken)).toMatchObject({ body: { tenantId: acme.id } });
      expect(await select(acme.id)).toMatchObject({ status: 200, body: { tenantId: acme.id } });
    });

    it('has none where the visitor had selected none', async () => {
      const shop = await TestSatellite.withScopes(app, '*');
      const { accessToken: token, refreshToken } = await shop.signIn(acme.owner.person.token);
      const body = { tenantId: acme.id };
      expect(await app.call('POST', `${IAM}/auth/select-tenant`, body, { token })).toMatchObject(
        NOT_A_MEMBER,
      );
      expect(await shop.refresh(refreshToken, body)).toMatchObject(NOT_A_MEMBER);
      expect(await shop.refresh(refreshToken)).toMatchObject({ status: 200, body: { tenantId: null } });
    });

    it('does not come back with a membership that had ended', async () => {
      const shop = await TestSatellite.withScopes(app, '*');
      const { refreshToken } = await shop.signIn(await member.select(acme.id));
      await acme.call('DELETE', `/members/${member.id}`);
      await acme.admit(member, 'member');
      expect(await shop.refresh(refreshToken, { tenantId: acme.id })).toMatchObject(NOT_A_MEMBER);
      expect(await shop.refresh(refreshToken)).toMatchObject({ body: { tenantId: null } });
    });
  });

  describe('when an operator changes them', () => {
    it('act on every replica within the bound of the live cache', async () => {
      const forum = await visit('iam:member:read');
      const read = async (at: TestApp) =>
        (await forum.call('GET', `${acme.path}/members`, undefined, at)).status;
      for (const at of [app, replica]) expect(await read(at)).toBe(200);
      expect(await setScopes(forum.satellite.clientId, [])).toMatchObject({
        status: 200,
        body: { scopes: [] },
      });
      for (const at of [app, replica])
        await eventually('the scope is gone', async () => (await read(at)) === 403, 5_000);
      await setScopes(forum.satellite.clientId, ['iam:member:read'], replica);
      for (const at of [app, replica])
        await eventually('the scope is there', async () => (await read(at)) === 200, 5_000);
    });

    it('count in the next access token', async () => {
      const forum = await visit('*');
      await setScopes(forum.satellite.clientId, ['iam:role:read']);
      let { refreshToken } = forum;
      await eventually('the claim has changed', async () => {
        const { body } = await forum.satellite.refresh(refreshToken);
        refreshToken = String(body['refreshToken']);
        return decodeJwt(String(body['accessToken']))['scope'] === 'iam:role:read';
      });
    });

    describe('while a command runs', () => {
      let other: Client;
      beforeEach(async () => {
        other = new Client({ connectionString: app.databaseUrl });
        await other.connect();
        await other.query('BEGIN');
      });
      afterEach(() => other.end());

      const nameOf = async () => (await acme.call('GET', '')).body['name'];
      const waiting = (count: number) =>
        eventually(`${count} wait for a lock`, async () => (await app.waitingForLocks()) === count);

      it('the removal of a scope waits for the command, which was allowed', async () => {
        const shop = await visit('iam:tenant:update');
        // The command has read the scopes of the satellite when it comes to the visitor's.
        await other.query('SELECT 1 FROM members WHERE tenant_id = $1 FOR UPDATE', [acme.id]);
        const renamed = shop.call('PATCH', acme.path, { name: 'Renamed' });
        await waiting(1);
        const removed = setScopes(shop.satellite.clientId, []);
        await waiting(2);
        await other.query('COMMIT');
        expect([(await renamed).status, (await removed).status]).toEqual([200, 200]);
        expect(await nameOf()).toBe('Renamed');
        expect(await shop.call('PATCH', acme.path, { name: 'Again' })).toMatchObject(CUT);
      });

      it('the command waits for the removal of its scope, and changes nothing', async () => {
        const shop = await visit('iam:tenant:update');
        expect((await shop.call('PATCH', acme.path, { name: 'Before' })).status).toBe(200);
        await other.query("UPDATE satellites SET scopes = '{}' WHERE client_id = $1", [
          shop.satellite.clientId,
        ]);
        const renamed = shop.call('PATCH', acme.path, { name: 'Renamed' });
        await waiting(1);
        await other.query('COMMIT');
        expect(await renamed).toMatchObject(CUT);
        expect(await nameOf()).toBe('Before');
      });
    });
  });
});
