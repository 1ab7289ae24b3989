/** @service separate */
import { readFileSync } from 'node:fs';
import { Injectable, Module } from '@nestjs/common';
import { Client } from 'pg';
import { ulid } from 'ulid';
import { CreateShipments1795300000000 } from '../../../examples/shipments/src/migrations/1795300000000-create-shipments.js';
import { ShipmentsModule } from '../../../examples/shipments/src/shipments/shipments.module.js';
import { migrations } from '../../../migrations/index.js';
import { RouteManifest } from '../../../src/access/index.js';
import { migrateDatabase } from '../../../src/platform/database/migrate.js';
import { TenantDatabase } from '../../../src/platform/database/tenant-database.js';
import type { TenantId } from '../../../src/kernel/principal.js';
import { OnLifecycle } from '../../../src/platform/lifecycle/lifecycle.js';
import { byTwoFactors, signedAs } from '../../support/factors.js';
import { type Json, OpenApi } from '../../support/openapi.js';
import { Organization, type Member } from '../../support/organization.js';
import { eventually, itemsOf, TestApp, type Answer } from '../../support/test-app.js';

const DISPATCH = 'logistics:shipment:dispatch';
const DELIVER = 'logistics:shipment:deliver';
const LEFT_ALREADY = 'The shipment has been dispatched already.';
const FOLDER = 'examples/shipments/src/shipments';

/** Plans again the dispatched shipments of a person whose membership has ended. */
@Injectable()
class Returns {
  constructor(private readonly database: TenantDatabase) {}

  @OnLifecycle('memberships.ended')
  async takeBack({ tenantIds }: { tenantIds: readonly TenantId[] }): Promise<void> {
    const sql = `UPDATE shipments s SET state = 'planned' FROM unnest($1::text[]) asked (tenant_id)
      WHERE s.tenant_id = asked.tenant_id AND s.state = 'dispatched'`;
    await this.database.rowsOfEach(tenantIds, sql);
  }
}

@Module({ providers: [Returns] })
class ReturnsModule {}

/** examples/shipments is a module as another team would write it: see docs/extending.md. */
describe('A module of another team', () => {
  let app: TestApp;
  let organization: Organization;
  let dispatcher: Member;
  beforeAll(async () => {
    app = await TestApp.with(ShipmentsModule, ReturnsModule);
    await migrateDatabase(app.databaseUrl, migrations, [CreateShipments1795300000000]);
    organization = await Organization.found(app);
    const role = { key: 'dispatcher', name: 'Dispatcher', scopes: [DISPATCH] };
    expect(await organization.call('POST', '/roles', role)).toMatchObject({ status: 201, body: role });
    dispatcher = await organization.join('dispatcher');
  });
  afterAll(() => app.stop());

  it('brings its permissions, with texts in the language of the caller', async () => {
    const path = `/api/v1/iam/tenants/${organization.id}/permissions`;
    const headers = { 'accept-language': 'de' };
    const answer = await app.call('GET', path, undefined, { token: organization.owner.token, headers });
    const [read, , dispatch] = itemsOf<{ scope: string }>(answer).filter(({ scope }) =>
      scope.startsWith('logistics:'),
    );
    expect(read).toMatchObject({ title: 'Sendungen ansehen', description: null, group: 'Sendungen' });
    expect(dispatch).toEqual({
      scope: DISPATCH,
      title: 'Sendungen verschicken',
      description: 'Geplante Sendungen dem Transporteur übergeben.',
      group: 'Sendungen',
      givable: true,
    });
  });

  async function shipment(state: string, of = organization): Promise<string> {
    const id = ulid();
    await app.sql('INSERT INTO shipments (tenant_id, id, state) VALUES ($1, $2, $3)', [of.id, id, state]);
    return id;
  }
  const send = (id: string, command: string, token = dispatcher.token): Promise<Answer> =>
    app.call('POST', `/api/v1/logistics/shipments/${id}/${command}`, undefined, { token });
  const stateOf = async (id: string) => (await app.sql('SELECT state FROM shipments WHERE id = $1', [id]))[0];
  async function verdict(id: string, scope: string, token = dispatcher.token): Promise<unknown> {
    const question = { subject: `gatehouse:///logistics/shipments/${id}`, scopes: [scope] };
    return (await app.call('POST', '/api/auth/can', question, { token })).body[scope];
  }

  /** Lets the shipment go when everything that was started waits for it. */
  async function whileLocked<T>(id: string, start: () => Promise<T>[]): Promise<T[]> {
    const holder = new Client({ connectionString: app.databaseUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM shipments WHERE id = $1 FOR UPDATE', [id]);
      const started = start();
      await eventually('all of them wait', async () => (await app.waitingForLocks()) === started.length);
      await holder.query('COMMIT');
      return await Promise.all(started);
    } finally {
      await holder.end();
    }
  }

  it('declares scopes that an organization can put into its own roles', async () => {
    const id = await shipment('planned');
    expect(await verdict(id, DISPATCH)).toEqual({ allowed: true });
    expect((await send(id, 'dispatch')).status).toBe(204);
    expect(await stateOf(id)).toEqual({ state: 'dispatched' });
  });

  it('declares an event, which its command emits once and readers of shipments see', async () => {
    const type = 'logistics.shipment.dispatched';
    const id = await shipment('planned');
    const events = async (token = organization.owner.token) =>
      itemsOf<{ subject: string }>(
        await app.get(`/api/v1/webhooks/events?types=${type}&limit=100`, token),
      ).filter(({ subject }) => subject === `logistics/shipments/${id}`);
    expect((await send(id, 'dispatch')).status).toBe(204);
    expect((await send(id, 'dispatch')).status).toBe(403);
    await eventually('the event is listed', async () => (await events()).length > 0);
    expect(await events()).toEqual([
      expect.objectContaining({ type, actor: dispatcher.person.id, data: { shipmentId: id } }),
    ]);
    const types = async (token: string) =>
      itemsOf<{ type: string }>(await app.get('/api/v1/webhooks/event-types', token)).map((one) => one.type);
    expect(await types(organization.owner.token)).toContain(type);
    expect(await types(dispatcher.token)).not.toContain(type);
  });

  it('refuses by the state of an entity with its own reason, as does the permission check', async () => {
    const id = await shipment('dispatched');
    const previewed = await verdict(id, DISPATCH);
    expect(previewed).toEqual({ allowed: false, code: 'state_forbids', reason: LEFT_ALREADY });
    expect(await send(id, 'dispatch')).toMatchObject({
      status: 403,
      body: { type: '/errors/forbidden', code: 'state_forbids', detail: LEFT_ALREADY },
    });
    expect(await stateOf(id)).toEqual({ state: 'dispatched' });
  });

  it('refuses a caller without the scope', async () => {
    const id = await shipment('dispatched');
    expect(await verdict(id, DELIVER)).toMatchObject({ allowed: false, code: 'scope_not_held' });
    expect(await send(id, 'deliver')).toMatchObject({ status: 403, body: { code: 'scope_not_held' } });
    const member = await organization.join('member');
    expect(await send(id, 'deliver', member.token)).toMatchObject({ body: { code: 'scope_not_held' } });
    expect(await send(id, 'deliver', dispatcher.person.token)).toMatchObject({
      status: 403,
      body: { code: 'tenant_required' },
    });
    expect(await stateOf(id)).toEqual({ state: 'dispatched' });
  });

  it('does not find entities of another organization', async () => {
    const other = await Organization.found(app);
    const theirs = await shipment('planned', other);
    const { body, ...answer } = await send(theirs, 'dispatch');
    expect(answer.status).toBe(404);
    expect({ ...body, instance: '' }).toEqual({ ...(await send(ulid(), 'dispatch')).body, instance: '' });
    expect(await verdict(theirs, DISPATCH)).toEqual(await verdict(ulid(), DISPATCH));
    expect(await stateOf(theirs)).toEqual({ state: 'planned' });
  });

  it('runs exactly one of two concurrent commands', async () => {
    const id = await shipment('planned');
    const answers = await whileLocked(id, () => [send(id, 'dispatch'), send(id, 'dispatch')]);
    const [done, refused] = answers.toSorted((one, other) => one.status - other.status);
    expect(done?.status).toBe(204);
    expect(refused).toMatchObject({ status: 403, body: { detail: LEFT_ALREADY } });
  });

  it('gives its scopes to owners and admins by default', async () => {
    const id = await shipment('planned');
    const admin = await organization.join('admin');
    expect((await send(id, 'dispatch', organization.owner.token)).status).toBe(204);
    const strong = byTwoFactors(app, admin.token);
    expect((await send(id, 'deliver', strong)).status).toBe(204);
    const roles = itemsOf<{ key: string; scopes: string[] }>(await organization.call('GET', '/roles'));
    const holders = roles.filter(({ scopes }) => scopes.includes(DELIVER)).map(({ key }) => key);
    expect(holders.toSorted()).toEqual(['admin', 'owner']);
  });

  it('asks for the sign-in that its scope requires, as the probe says', async () => {
    const id = await shipment('dispatched');
    const [minute, time] = [60_000, Date.now()];
    const { token } = organization.owner;
    const long = { authTime: new Date(), aal2Time: new Date(time - 11 * minute), phrTime: null };
    for (const lesser of [token, signedAs(app, token, long)]) {
      expect(await send(id, 'deliver', lesser)).toMatchObject({
        status: 401,
        body: { type: '/errors/insufficient-user-authentication', acr: 'aal2', maxAge: 600, enrol: true },
      });
      expect(await verdict(id, DELIVER, lesser)).toMatchObject({ code: 'authentication_insufficient' });
    }
    expect(await verdict(id, DELIVER, byTwoFactors(app, token))).toEqual({ allowed: true });
    const planned = await shipment('planned'); // state first: the person confirms for nothing otherwise
    expect((await send(planned, 'deliver')).status).toBe(403);
    expect(await send(planned, 'deliver', token)).toMatchObject({ body: { code: 'state_forbids' } });
  });

  it('is refused in an archived organization without code of its own', async () => {
    const archived = await Organization.found(app);
    const id = await shipment('planned', archived);
    await archived.call('POST', '/archive');
    const reason = 'The organization is archived. Restore it first.';
    const { token } = archived.owner;
    expect(await verdict(id, DISPATCH, token)).toEqual({ allowed: false, code: 'state_forbids', reason });
    expect(await send(id, 'dispatch', token)).toMatchObject({ status: 403, body: { detail: reason } });
    await archived.call('POST', '/restore');
    expect((await send(id, 'dispatch', token)).status).toBe(204);
  });

  it('releases its entities when a membership ends', async () => {
    const [member, id] = [await organization.join('dispatcher'), await shipment('planned')];
    expect((await send(id, 'dispatch', member.token)).status).toBe(204);
    await organization.call('DELETE', `/members/${member.person.id}`);
    expect(await stateOf(id)).toEqual({ state: 'planned' });
    expect((await send(id, 'dispatch', member.token)).status).toBe(401);
  });

  it('releases its entities when the account is erased', async () => {
    const [member, id] = [await organization.join('dispatcher'), await shipment('planned')];
    expect((await send(id, 'dispatch', member.token)).status).toBe(204);
    const token = member.person.token;
    expect((await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token })).status).toBe(204);
    expect(await stateOf(id)).toEqual({ state: 'planned' });
  });

  it('is in the route manifest and the API documentation without code of its own', async () => {
    const manifest = app.app
      .get(RouteManifest)
      .routes.filter(({ path }) => path.includes('/logistics/'))
      .map(({ method, path, access }) => `${method} ${path} [${access}]`);
    expect(manifest).toEqual([
      'GET /api/v1/logistics/shipments [logistics:shipment:read]',
      'POST /api/v1/logistics/shipments [logistics:shipment:create]',
      `POST /api/v1/logistics/shipments/:id/deliver [${DELIVER} on :id]`,
      `POST /api/v1/logistics/shipments/:id/dispatch [${DISPATCH} on :id]`,
    ]);
    const { body } = await app.get('/api/docs/openapi.json');
    expect(body['paths']).toMatchObject({
      '/api/v1/logistics/shipments/{id}/dispatch': {
        post: {
          summary: 'Dispatch a shipment',
          description: expect.stringContaining(DISPATCH),
          security: [{ bearer: [] }],
          responses: { 204: expect.anything(), 403: expect.anything(), 404: expect.anything() },
        },
      },
    });
    expect(body['tags']).toContainEqual({ name: 'Shipments', description: 'Goods in transit.' });
  });

  it('documents its list and its bodies', async () => {
    const api = new OpenApi((await app.get('/api/docs/openapi.json')).body);
    const { get, post } = api.document.paths['/api/v1/logistics/shipments'];
    expect(get.parameters.map(({ name }: Json) => name)).toEqual(['state', 'cursor', 'limit']);
    const list = api.resolve(get.responses['200'].content['application/json'].schema);
    expect(list.properties.items.items).toEqual({ $ref: '#/components/schemas/ShipmentResponse' });
    expect(api.resolve(post.requestBody.content['application/json'].schema)).toMatchObject({
      required: ['contents', 'speed', 'weight'],
      properties: {
        contents: { type: 'string', minLength: 1, maxLength: 200 },
        speed: { type: 'string', enum: ['standard', 'express'] },
        weight: { type: 'number', format: 'double', minimum: 0.1, description: 'Kilograms.' },
        pickupOn: { type: 'string', format: 'date' },
        marks: { type: 'array', maxItems: 10 },
      },
    });
    expect(api.document.components.schemas.ShipmentResponse.properties).toMatchObject({
      contents: { type: 'string', maxLength: 200 },
      weight: { type: 'number', format: 'double', minimum: 0.1, description: 'Kilograms.' },
      pickupOn: { type: ['string', 'null'], format: 'date' },
    });
  });

  it('creates and lists its entities in the organization alone', async () => {
    const [own, other] = [await Organization.found(app), await Organization.found(app)];
    const path = '/api/v1/logistics/shipments';
    const body = { contents: 'Spare parts', speed: 'express', weight: 12.5, pickupOn: '2026-12-01' };
    const { token } = own.owner;
    const created = await app.call('POST', path, body, { token });
    expect(created).toMatchObject({ status: 201, body: { ...body, state: 'planned', marks: [] } });
    await app.call('POST', path, { ...body, marks: ['fragile'] }, { token });
    const first = await app.get(`${path}?limit=1`, token);
    expect(first).toMatchObject({ status: 200, body: { items: [created.body] } });
    const rest = await app.get(`${path}?cursor=${first.body['nextCursor']}`, token);
    expect(rest).toMatchObject({ body: { items: [{ marks: ['fragile'] }], nextCursor: null } });
    expect(itemsOf(await app.get(`${path}?state=planned&limit=1`, token))).toEqual([created.body]);
    expect(itemsOf(await app.get(`${path}?state=delivered`, token))).toEqual([]);
    expect((await app.get(`${path}?state=lost`, token)).status).toBe(400);
    expect(itemsOf(await app.get(path, other.owner.token))).toEqual([]);
    const wrong = { contents: ' ', speed: 'slow', weight: '12', pickupOn: '2026-02-30', marks: ['FRAGILE'] };
    const { body: problem } = await app.call('POST', path, wrong, { token });
    expect(
      (problem['violations'] as unknown as { propertyPath: string }[]).map(
        ({ propertyPath }) => propertyPath,
      ),
    ).toEqual(['contents', 'speed', 'weight', 'pickupOn', 'marks[0]']);
  });

  it('needs fewer than a hundred lines for two commands that are judged by state, and emits', () => {
    const files = ['shipment.controller.ts', 'shipment.policy.ts', 'shipments.module.ts'];
    const lines = files.flatMap((name) => readFileSync(`${FOLDER}/${name}`, 'utf8').split('\n'));
    expect(lines.filter((line) => line.trim() !== '').length).toBeLessThan(100);
  });
});
