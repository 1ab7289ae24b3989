/** @service separate */
import { Controller, HttpCode, Module, Param, Post } from '@nestjs/common';
import { Client } from 'pg';
import { ulid } from 'ulid';
import { CreateWarehouse1796110000001 } from '../../../examples/shipments/src/warehouse/1796110000001-create-warehouse.js';
import { WarehouseModule } from '../../../examples/shipments/src/warehouse/warehouse.module.js';
import { AbilityService, AbilitySubject, RequireScopes } from '../../../src/ability/index.js';
import { TenantDatabase } from '../../../src/platform/database/index.js';
import type { Principal } from '../../../src/kernel/index.js';
import { Caller } from '../../../src/platform/web/index.js';
import { migrations } from '../../../migrations/index.js';
import { migrateDatabase } from '../../../src/platform/database/migrate.js';
import { type Member, Organization } from '../../support/organization.js';
import { eventually, itemsOf, TestApp } from '../../support/test-app.js';

const READ = 'warehouse:load:read';
const RELEASE = 'warehouse:load:release';

/** Resolves once as many commands as are set have decided about their loads. */
let meet = (): Promise<void> => Promise.resolve();

/** A command that changes a load and the site above it. */
@Controller('api/v1/yard')
class YardController {
  constructor(
    private readonly abilities: AbilityService,
    private readonly database: TenantDatabase,
  ) {}

  @Post('loads/:id/count/:siteId')
  @RequireScopes(RELEASE)
  @AbilitySubject('id')
  @HttpCode(204)
  async count(@Caller() caller: Principal, @Param('siteId') siteId: string): Promise<void> {
    await meet();
    const subject = { module: 'warehouse', collection: 'sites', id: siteId };
    await this.abilities.require(caller, [{ scope: 'warehouse:site:create', subject }], true);
    const count = "UPDATE sites SET name = name || '+' WHERE tenant_id = $1 AND id = $2";
    await this.database.rows(caller.tenantId!, count, [siteId]);
  }
}

@Module({ imports: [WarehouseModule], controllers: [YardController] })
class YardModule {}

/** examples/shipments/src/warehouse is a module with roles on things: docs/extending-things.md. */
describe('A module with a tree of sites', () => {
  let app: TestApp;
  let organization: Organization;
  let keeper: Member;
  let sites: { north: string; hamburg: string; dock: string; south: string };
  let loads: { north: string; hamburg: string; dock: string; south: string };
  beforeAll(async () => {
    app = await TestApp.with(YardModule);
    await migrateDatabase(app.databaseUrl, migrations, [CreateWarehouse1796110000001]);
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    organization = await Organization.found(app);
    const north = await site('North');
    const hamburg = await site('Hamburg', north);
    sites = { north, hamburg, dock: await site('Dock', hamburg), south: await site('South') };
    const { dock, south } = sites;
    loads = {
      north: await load(north),
      hamburg: await load(hamburg),
      dock: await load(dock),
      south: await load(south),
    };
    await organization.call('POST', '/roles', { key: 'keeper', name: 'Keeper', scopes: [READ, RELEASE] });
    keeper = await organization.join('member');
  });

  const create = async (path: string, body: object): Promise<string> => {
    const { owner } = organization;
    const created = await app.call('POST', `/api/v1/warehouse/${path}`, body, { token: owner.token });
    expect(created).toMatchObject({ status: 201 });
    return String(created.body['id']);
  };
  const site = (name: string, parentId?: string) => create('sites', { name, ...(parentId && { parentId }) });
  const load = (at: string) => create(`sites/${at}/loads`, { contents: 'Spare parts' });
  const assign = async (collection: 'sites' | 'loads', id: string) => {
    const body = { role: 'keeper', on: `gatehouse:///warehouse/${collection}/${id}` };
    const path = `/members/${keeper.person.id}/assignments`;
    expect((await organization.call('POST', path, body)).status).toBe(201);
  };
  const list = async (query = '', token = keeper.token) => {
    const answer = await app.call('GET', `/api/v1/warehouse/loads${query}`, undefined, { token });
    return answer.status === 200 ? itemsOf<{ id: string }>(answer).map(({ id }) => id) : answer.body['code'];
  };
  const search = async (token = keeper.token, id = keeper.person.id) => {
    const { body } = await app.call(
      'POST',
      '/access/v1/search/resource',
      { subject: { type: 'user', id }, action: { name: RELEASE }, resource: { type: 'warehouse/loads' } },
      { token },
    );
    return (body['results'] as unknown as { id: string }[]).map((one) => one.id);
  };
  const release = async (id: string, token = keeper.token) =>
    (await app.call('POST', `/api/v1/warehouse/loads/${id}/release`, undefined, { token })).status;
  const allowed = async () => {
    const found: string[] = [];
    for (const id of Object.values(loads)) {
      const subject = `gatehouse:///warehouse/loads/${id}`;
      const { body } = await app.call(
        'POST',
        '/api/auth/can',
        { scopes: [READ], subject },
        { token: keeper.token },
      );
      if ((body[READ] as unknown as { allowed: boolean }).allowed) found.push(id);
    }
    return found.toSorted();
  };

  it('lists what roles on sites and loads reach, as the permission check and the search say', async () => {
    expect([await list(), await allowed(), await search()]).toEqual(['scope_not_held', [], []]);
    await assign('sites', sites.hamburg);
    const below = [loads.hamburg, loads.dock].toSorted();
    expect([await list(), await allowed(), await search()]).toEqual([below, below, below]);
    await assign('loads', loads.south);
    const more = [...below, loads.south].toSorted();
    expect([await list(), await allowed(), await search()]).toEqual([more, more, more]);
    const all = Object.values(loads).toSorted();
    expect(await list('', organization.owner.token)).toEqual(all);
    const [first = ''] = more;
    expect(await list('?limit=1')).toEqual([first]);
    expect(await release(loads.dock)).toBe(204);
    expect(await release(loads.dock)).toBe(403);
    expect(await search()).toEqual(more.filter((id) => id !== loads.dock));
    expect(await release(loads.north)).toBe(403);
    expect(await release(ulid())).toBe(403);
  });

  it('lets the dispatcher of a partner work at the depots that are offered, until either side ends it', async () => {
    const carrier = await Organization.found(app);
    const dispatcher = await carrier.join('member');
    const offer = {
      email: carrier.owner.person.email,
      roles: ['keeper'],
      on: [`gatehouse:///warehouse/sites/${sites.hamburg}`],
    };
    const id = String((await organization.call('POST', '/partnerships', offer)).body['id']);
    await carrier.call('POST', `/partner-access/${id}/accept`);
    const person = `/partner-access/${id}/people/${dispatcher.person.id}`;
    expect((await carrier.call('PUT', person, { roles: ['keeper'] })).status).toBe(200);
    const token = await dispatcher.person.select(organization.id);
    const below = [loads.hamburg, loads.dock].toSorted();
    expect([await list('', token), await search(token, dispatcher.person.id)]).toEqual([below, below]);
    expect([await release(loads.dock, token), await release(loads.south, token)]).toEqual([204, 403]);
    await carrier.call('POST', `/partner-access/${id}/leave`);
    expect(await release(loads.hamburg, token)).toBe(401);
  });

  it('shows nothing of another organization', async () => {
    await assign('sites', sites.hamburg);
    const other = await Organization.found(app);
    expect(await list('', other.owner.token)).toEqual([]);
    expect(await search(other.owner.token, other.owner.person.id)).toEqual([]);
    const token = await other.admit(keeper.person, 'member');
    expect(await list('', token)).toBe('scope_not_held');
  });

  it('follows a site that moves, in lists and commands alike', async () => {
    await assign('sites', sites.north);
    expect(await list()).toEqual([loads.north, loads.hamburg, loads.dock].toSorted());
    await app.sql('UPDATE sites SET parent_id = $2 WHERE id = $1', [sites.hamburg, sites.south]);
    const left = [loads.north];
    expect([await list(), await allowed(), await search()]).toEqual([left, left, left]);
    expect(await release(loads.dock)).toBe(403);
  });

  it('runs commands below one site side by side, and lets none rest on a site that is moving', async () => {
    await assign('sites', sites.north);
    const other = new Client({ connectionString: app.databaseUrl });
    await other.connect();
    // As another command below it does, until it commits.
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM sites WHERE id = ANY($1) FOR SHARE', [[sites.north, sites.hamburg]]);
    expect(await release(loads.hamburg)).toBe(204);
    await other.query('COMMIT');
    await other.query('BEGIN');
    await other.query('UPDATE sites SET parent_id = $2 WHERE id = $1', [sites.hamburg, sites.south]);
    const releasing = release(loads.dock);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%sites%'`;
    await eventually('the command waits', async () => (await app.sql(waiting)).length > 0);
    await other.query('COMMIT');
    expect(await releasing).toBe(403);
    await other.end();
  });

  it('locks a site for update after a load below it without a deadlock', async () => {
    const scopes = [READ, RELEASE, 'warehouse:site:create'];
    await organization.call('POST', '/roles', { key: 'counter', name: 'Counter', scopes });
    const on = `gatehouse:///warehouse/sites/${sites.north}`;
    const path = `/members/${keeper.person.id}/assignments`;
    expect((await organization.call('POST', path, { role: 'counter', on })).status).toBe(201);
    const count = async (load: string, token = keeper.token) => {
      const at = `/api/v1/yard/loads/${load}/count/${sites.hamburg}`;
      const { status, body } = await app.call('POST', at, undefined, { token });
      return status === 204 ? status : [status, body['detail']];
    };
    const name = async () =>
      (await app.sql<{ name: string }>('SELECT name FROM sites WHERE id = $1', [sites.hamburg]))[0]?.name;
    const refused = [503, 'Another change to the same is in progress. Try again.'];
    let [waiting, bothDecided]: [number, () => void] = [0, () => undefined];
    const both = new Promise<void>((resolve) => (bothDecided = resolve));
    meet = () => {
      if (++waiting === 2) bothDecided();
      return both;
    };
    const answers = await Promise.all([count(loads.hamburg), count(loads.dock)]);
    expect(answers.filter((one) => one === 204)).toHaveLength(1);
    expect(answers.filter((one) => one !== 204)).toEqual([refused]);
    expect(await name()).toBe('Hamburg+');

    meet = () => Promise.resolve();
    expect(await count(loads.hamburg)).toBe(204);
    const more = [loads.hamburg, loads.dock].flatMap((load) => [
      count(load),
      count(load, organization.owner.token),
      count(load),
    ]);
    const all = await Promise.all(more);
    const counted = all.filter((one) => one === 204).length;
    expect(all.filter((one) => one !== 204)).toEqual(Array(6 - counted).fill(refused));
    expect(await name()).toBe(`Hamburg++${'+'.repeat(counted)}`);
  });
});
