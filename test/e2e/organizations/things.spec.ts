import { ulid } from 'ulid';
import { OperatorService } from '../../../src/iam/index.js';
import { byTwoFactors } from '../../support/factors.js';
import { type Member, Organization, Person } from '../../support/organization.js';
import { itemsOf, withApp } from '../../support/test-app.js';

const CANCEL = 'freight:order:cancel';
const uriOf = (collection: string, id: string) => `gatehouse:///freight/${collection}/${id}`;
const order = () => uriOf('orders', ulid());
const depot = () => uriOf('depots', ulid());

/** Things of another service, registered by it, of which roles on things take account. */
describe('Registered things', () => {
  let organization: Organization;
  let clerk: Member;
  const app = withApp({ LIMIT_THINGS: '40' });
  beforeAll(async () => {
    const operator = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(operator.email, 'admin');
    const token = await byTwoFactors(app, operator.token);
    const freight = { title: 'Freight', permissions: [{ scope: CANCEL, title: 'Cancel', roles: [] }] };
    expect((await app.call('PUT', '/api/v1/iam/permissions/freight', freight, { token })).status).toBe(200);
  });
  beforeEach(async () => {
    organization = await Organization.found(app);
    await organization.call('POST', '/roles', { key: 'clerk', name: 'Clerk', scopes: [CANCEL] });
    clerk = await organization.join('member');
  });

  const path = (thing: string) => `/things/${thing.slice('gatehouse:///'.length)}`;
  const put = (thing: string, parents: string[], more: object = {}, token?: string) =>
    organization.call('PUT', path(thing), { parents, ...more }, token);
  const register = async (thing: string, ...parents: string[]) =>
    expect((await put(thing, parents)).status).toBe(200);
  const bulk = (...things: { thing: string; parents: string[]; name?: string }[]) =>
    organization.call('POST', '/things/bulk', { things });
  const remove = (thing: string) => organization.call('DELETE', path(thing));
  const assign = async (on: string) =>
    expect(
      (await organization.call('POST', `/members/${clerk.person.id}/assignments`, { role: 'clerk', on }))
        .status,
    ).toBe(201);
  const isAllowed = async (thing: string, member = clerk): Promise<boolean> => {
    const { token } = member;
    const check = await app.call('POST', '/api/auth/can', { scopes: [CANCEL], subject: thing }, { token });
    const [module, collection, id] = thing.slice('gatehouse:///'.length).split('/');
    const evaluated = await app.call(
      'POST',
      '/access/v1/evaluation',
      {
        subject: { type: 'user', id: member.person.id },
        action: { name: CANCEL },
        resource: { type: `${module}/${collection}`, id },
      },
      { token },
    );
    const { allowed } = check.body[CANCEL] as unknown as { allowed: boolean };
    expect(evaluated.body['decision']).toBe(allowed);
    return allowed;
  };
  const reasonOf = ({ status, body }: Awaited<ReturnType<typeof put>>) => [status, body['detail']];

  it('join the decision: a role on one holds on what is below it, at once and after each move', async () => {
    const [one, region, near, far] = [order(), depot(), depot(), depot()];
    await assign(region);
    expect(await isAllowed(one)).toBe(false);
    expect(await isAllowed(region)).toBe(true);
    await register(near, region);
    await register(one, near);
    expect(await isAllowed(one)).toBe(true);
    expect(await isAllowed(one, organization.owner)).toBe(true);
    await register(one, far);
    expect(await isAllowed(one)).toBe(false);
    await register(one, far, near);
    expect(await isAllowed(one)).toBe(true);
    expect((await remove(near)).status).toBe(204);
    expect(await isAllowed(one)).toBe(false);
    await assign(near);
    expect(await isAllowed(one)).toBe(true);
    const explained = await app.call(
      'POST',
      '/api/auth/can',
      { scopes: [CANCEL], subject: one, explain: true },
      { token: clerk.token },
    );
    expect(explained.body[CANCEL]).toEqual({ allowed: true, by: { role: 'clerk', on: near } });
  });

  it('are read, listed in pages, renamed and removed', async () => {
    const [one, two, above] = [order(), order(), depot()];
    const registered = await put(one, [above, above], { name: 'Order 1' });
    expect(registered.body).toEqual({
      thing: one,
      parents: [above],
      name: 'Order 1',
      updatedAt: expect.any(String) as string,
    });
    expect((await put(one, [above])).body['name']).toBeNull();
    await register(two);
    expect((await organization.call('GET', path(two))).body).toMatchObject({ thing: two, parents: [] });
    const first = await organization.call('GET', '/things?limit=1');
    expect(itemsOf(first)).toMatchObject([{ thing: one }]);
    const second = await organization.call(
      'GET',
      `/things?limit=1&cursor=${String(first.body['nextCursor'])}`,
    );
    expect(itemsOf(second)).toMatchObject([{ thing: two }]);
    expect(second.body['nextCursor']).toBeNull();
    expect((await remove(one)).status).toBe(204);
    expect((await remove(one)).status).toBe(404);
    expect((await organization.call('GET', path(one))).status).toBe(404);
  });

  it('are found by a part of their names, in pages', async () => {
    const [one, two, other] = [order(), order(), depot()];
    await put(one, [], { name: 'Bestellung Köln 1' });
    await put(two, [], { name: 'Bestellung Bonn 2' });
    await put(other, []);
    const other2 = await Organization.found(app);
    await other2.call('PUT', path(order()), { parents: [], name: 'Bestellung' });
    const found = async (query: string) =>
      itemsOf<{ thing: string }>(await organization.call('GET', `/things?query=${query}`)).map(
        ({ thing }) => thing,
      );
    expect(await found('STELLUNG')).toEqual([one, two]);
    expect(await found('koln')).toEqual([one]);
    expect(await found('2')).toEqual([two]);
    expect(await found('%25')).toEqual([]);
    const first = await organization.call('GET', '/things?query=bestellung&limit=1');
    expect(itemsOf(first)).toMatchObject([{ thing: one }]);
    const cursor = String(first.body['nextCursor']);
    const second = await organization.call('GET', `/things?query=bestellung&limit=1&cursor=${cursor}`);
    expect([itemsOf(second), second.body['nextCursor']]).toMatchObject([[{ thing: two }], null]);
  });

  it('give their names to the roles on them', async () => {
    const [named, unnamed] = [depot(), depot()];
    await put(named, [], { name: 'Depot north' });
    await assign(named);
    await assign(unnamed);
    const held = itemsOf<{ on: string; name: string | null }>(
      await organization.call('GET', `/members/${clerk.person.id}/assignments`),
    );
    expect(held.map(({ on, name }) => [on, name])).toEqual([
      [named, 'Depot north'],
      [unnamed, null],
    ]);
  });

  it('are recorded in the trail, and told to subscribers, if they change', async () => {
    const [one, above] = [order(), depot()];
    await register(one, above);
    await register(one, above);
    expect((await bulk({ thing: one, parents: [above] })).body).toEqual({ changed: 0 });
    await remove(one);
    const subject = `access/things/${one.slice(-26)}`;
    const trail = await app.sql(
      'SELECT action FROM audit_events WHERE tenant_id = $1 AND subject = $2 ORDER BY id',
      [organization.id, subject],
    );
    expect(trail).toEqual([{ action: 'thing.registered' }, { action: 'thing.removed' }]);
    const events = await app.sql('SELECT type, data FROM events WHERE subject = $1 ORDER BY id', [subject]);
    expect(events).toMatchObject([
      { type: 'access.thing.registered', data: { thing: one } },
      { type: 'access.thing.removed', data: { thing: one } },
    ]);
  });

  it('are never above themselves, also if two moves race', async () => {
    const [a, b, c] = [depot(), depot(), depot()];
    const cycle = (thing: string) =>
      `The thing ${thing.slice('gatehouse:///'.length)} would be a part of itself.`;
    expect(reasonOf(await put(a, [a]))).toEqual([409, cycle(a)]);
    await register(b, a);
    await register(c, b);
    expect((await put(a, [c])).status).toBe(409);
    expect((await organization.call('GET', path(a))).status).toBe(404);
    const bulkCycle = await bulk({ thing: a, parents: [depot()] }, { thing: depot(), parents: [c] });
    expect(bulkCycle.status).toBe(200);
    for (let round = 0; round < 10; round += 1) {
      const [x, y] = [depot(), depot()];
      const answers = await Promise.all([put(x, [y]), put(y, [x])]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      for (const one of [x, y]) await remove(one);
    }
  });

  it('are at most sixteen levels deep, above and below', async () => {
    const chain = Array.from({ length: 18 }, depot);
    const link = (n: number) => put(chain[n]!, [chain[n + 1]!]);
    const tooDeep = (n: number) =>
      `More than 16 levels would be above or below the thing ${chain[n]!.slice('gatehouse:///'.length)}.`;
    for (let n = 0; n < 8; n += 1) expect((await link(n)).status).toBe(200);
    for (let n = 15; n > 8; n -= 1) expect((await link(n)).status).toBe(200);
    // Joins eight levels below with eight above.
    expect((await link(8)).status).toBe(200);
    await assign(chain[16]!);
    expect(await isAllowed(uriOf('depots', chain[0]!.slice(-26)))).toBe(true);
    expect(reasonOf(await link(16))).toEqual([409, tooDeep(16)]);
    expect(reasonOf(await put(depot(), [chain[0]!]))[0]).toBe(409);
    // Without the lowest one, there is room above.
    expect((await remove(chain[0]!)).status).toBe(204);
    expect((await link(16)).status).toBe(200);
    const long = Array.from({ length: 19 }, depot);
    const links = long.slice(1).map((parent, n) => ({ thing: long[n]!, parents: [parent] }));
    expect((await bulk(...links.slice(0, 17))).status).toBe(409);
    expect((await bulk(...links.slice(0, 16))).status).toBe(200);
  });

  it('are registered in bulk, all or none', async () => {
    const [one, two, above] = [order(), order(), depot()];
    const answer = await bulk({ thing: one, parents: [above] }, { thing: two, parents: [one], name: 'Two' });
    expect([answer.status, answer.body]).toEqual([200, { changed: 2 }]);
    await assign(above);
    expect(await isAllowed(two)).toBe(true);
    const three = order();
    expect((await bulk({ thing: three, parents: [] }, { thing: above, parents: [two] })).status).toBe(409);
    expect((await organization.call('GET', path(three))).status).toBe(404);
    const refused = await bulk({ thing: three, parents: [] }, { thing: three, parents: [] });
    expect(refused.body['violations']).toMatchObject([{ propertyPath: 'things[1].thing' }]);
    const own = `gatehouse:///iam/roles/${ulid()}`;
    expect((await bulk({ thing: own, parents: [] })).body['violations']).toMatchObject([
      { propertyPath: 'things[0].thing' },
    ]);
    expect(
      (await bulk(...Array.from({ length: 1_001 }, () => ({ thing: order(), parents: [] })))).status,
    ).toBe(400);
  });

  it('have at most eight parents, and an organization at most its limit', async () => {
    const parents = Array.from({ length: 9 }, depot);
    expect((await put(order(), parents)).status).toBe(400);
    expect((await put(order(), parents.slice(1))).status).toBe(200);
    const many = (count: number) => Array.from({ length: count }, () => ({ thing: order(), parents: [] }));
    expect(reasonOf(await bulk(...many(40)))).toEqual([
      409,
      'The organization can register 40 things. Remove some first.',
    ]);
    expect((await bulk(...many(39))).status).toBe(200);
    const one = order();
    expect((await put(one, [])).status).toBe(409);
    const [{ thing }] = itemsOf<{ thing: string }>(await organization.call('GET', '/things')) as [
      { thing: string },
    ];
    await remove(thing);
    expect((await put(one, [])).status).toBe(200);
  });

  it('bound the work of a decision: much above a thing is refused where it is registered', async () => {
    const { id } = organization;
    // A lattice: eight parents at each of fifteen levels are 8^15 paths, and 120 things.
    const level = (n: number) =>
      Array.from(
        { length: 8 },
        (_, i) => `freight/depots/${'01K3V9D7Q8Z4X5N6M7P8R9'}${String(n).padStart(2, '0')}0${i}`,
      );
    for (let n = 0; n < 15; n += 1)
      await app.sql(
        `INSERT INTO registered_parents (tenant_id, thing, parent, height)
         SELECT $1, t, p, $4 FROM unnest($2::text[]) t, unnest($3::text[]) p`,
        [id, level(n), level(n + 1), n],
      );
    await app.sql('INSERT INTO registered_thing_counts VALUES ($1, 0)', [id]);
    const one = order();
    await register(one, ...level(0).map((thing) => `gatehouse:///${thing}`));
    await assign(`gatehouse:///${level(15)[3]}`);
    expect(await isAllowed(one)).toBe(true);
    // A thousand and one things above one thing.
    const wide = Array.from({ length: 1_001 }, () => depot().slice('gatehouse:///'.length));
    await app.sql(
      "INSERT INTO registered_parents (tenant_id, thing, parent, height) SELECT $1, 'freight/depots/' || right(p, 26), 'freight/depots/' || right(q, 26), 0 FROM unnest($2::text[], $3::text[]) w (p, q)",
      [id, wide.slice(0, -1), wide.slice(1)],
    );
    expect(reasonOf(await put(order(), [`gatehouse:///${wide[0]}`]))).toEqual([
      409,
      'More than 1000 things would be above one thing. Give it fewer parents.',
    ]);
  });

  it('are of one organization: others neither see, move nor share them', async () => {
    const [one, region] = [order(), depot()];
    const other = await Organization.found(app);
    await register(one, region);
    expect(
      (await app.call('GET', `${organization.path}${path(one)}`, undefined, { token: other.owner.token }))
        .status,
    ).toBe(404);
    expect((await other.call('GET', path(one))).status).toBe(404);
    expect((await other.call('DELETE', path(one))).status).toBe(404);
    await other.call('POST', '/roles', { key: 'clerk', name: 'Clerk', scopes: [CANCEL] });
    const stranger = await other.join('member');
    await other.call('POST', `/members/${stranger.person.id}/assignments`, { role: 'clerk', on: region });
    expect(await isAllowed(region, stranger)).toBe(true);
    expect(await isAllowed(one, stranger)).toBe(false);
    expect((await put(one, [], {}, clerk.token)).status).toBe(403);
  });
});
