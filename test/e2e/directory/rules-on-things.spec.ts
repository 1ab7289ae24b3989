import { ulid } from 'ulid';
import { OperatorService } from '../../../src/iam/index.js';
import { byTwoFactors } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { ScimDirectory, verifyDomain } from '../../support/scim-directory.js';
import { itemsOf, withApp } from '../../support/test-app.js';

const CANCEL = 'freight:order:cancel';
const depot = () => `gatehouse:///freight/depots/${ulid()}`;

interface Assigned {
  readonly id: string;
  readonly role: string;
  readonly on: string;
  readonly source: string;
  readonly createdBy: string;
}

/** A group of a directory gives a role on a thing. */
describe('Rules of a directory, on things', () => {
  let acme: Organization;
  let directory: ScimDirectory;
  let domain: string;
  let group: string;
  let record: string;
  let userId: string;
  const [north, south] = [depot(), depot()];
  const app = withApp();
  beforeAll(async () => {
    const operator = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(operator.email, 'admin');
    const token = await byTwoFactors(app, operator.token);
    const freight = { title: 'Freight', permissions: [{ scope: CANCEL, title: 'Cancel', roles: [] }] };
    await app.call('PUT', '/api/v1/iam/permissions/freight', freight, { token });
  });
  beforeEach(async () => {
    acme = await Organization.found(app);
    for (const [key, scopes] of [
      ['keeper', [CANCEL]],
      ['reader', ['iam:member:read']],
    ] as const)
      await acme.call('POST', '/roles', { key, name: key, scopes });
    domain = `${ulid().toLowerCase()}.example`;
    await verifyDomain(acme, domain);
    directory = await ScimDirectory.create(acme);
    record = await directory.create(`ada@${domain}`);
    userId = await accountOf(record);
    const { body } = await directory.call('POST', '/Groups', {
      displayName: 'North',
      members: [{ value: record }],
    });
    group = `/Groups/${String(body['id'])}`;
  });

  const accountOf = async (id: string) => {
    const people = itemsOf<{ id: string; userId: string }>(
      await acme.call('GET', `/directories/${directory.id}/users`),
    );
    return people.find((one) => one.id === id)!.userId;
  };
  const set = (...rules: object[]) => acme.call('PUT', `/directories/${directory.id}/rules`, { rules });
  const rule = (on: string[] | null, roles = ['keeper'], of = 'North') => ({ group: of, roles, on });
  const assigned = async (of = userId) =>
    itemsOf<Assigned>(await acme.call('GET', `/members/${of}/assignments`)).toSorted((a, b) =>
      a.on < b.on ? -1 : 1,
    );
  const things = async (of = userId) => (await assigned(of)).map(({ on }) => on);
  const rolesOf = async () => (await acme.call('GET', `/members/${userId}`)).body['roles'];
  const members = (op: 'Add' | 'Remove', value = [{ value: record }]) =>
    directory.patch(group, { op, path: 'members', value });
  const actions = async () =>
    itemsOf<{ action: string; actorId: string }>(await acme.call('GET', '/audit-events'))
      .filter(({ action }) => /^role\.(un)?assigned$/.test(action))
      .map(({ action, actorId }) => [action === 'role.assigned' ? 'given' : 'taken', actorId]);

  it('give the members of a group a role on these things, and take it away with the group', async () => {
    const { status, body } = await set(rule([north, north, south]));
    expect({ status, body }).toMatchObject({ status: 200, body: { rules: [{ group: 'North' }] } });
    expect((body['rules'] as unknown as { on: string[] }[])[0]!.on).toEqual([north, south].toSorted());
    expect(await assigned()).toMatchObject(
      [north, south]
        .toSorted()
        .map((on) => ({ role: 'keeper', on, source: 'directory', createdBy: directory.id })),
    );
    // Nothing in the whole organization but what every member has.
    expect(await rolesOf()).toEqual(['member']);
    await members('Remove');
    expect(await things()).toEqual([]);
    await members('Add');
    expect(await things()).toEqual([north, south].toSorted());
    await directory.call('DELETE', group);
    expect(await things()).toEqual([]);
    const given = Array<unknown>(2).fill(['given', directory.id]);
    const taken = Array<unknown>(2).fill(['taken', directory.id]);
    expect(await actions()).toEqual([...taken, ...given, ...taken, ...given]);
  });

  it('are a part of the decision at once', async () => {
    const person = await Person.signUp(app, `grace@${domain}`);
    const id = await directory.create(person.email);
    await set(rule([north]));
    await members('Add', [{ value: id }]);
    const token = await person.select(acme.id);
    const can = async (subject: string) => {
      const { body } = await app.call('POST', '/api/auth/can', { scopes: [CANCEL], subject }, { token });
      return (body[CANCEL] as unknown as { allowed: boolean }).allowed;
    };
    expect([await can(north), await can(south)]).toEqual([true, false]);
    await set(rule([south]));
    expect([await can(north), await can(south)]).toEqual([false, true]);
    await directory.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: false });
    expect((await app.call('POST', '/api/auth/can', { scopes: [CANCEL] }, { token })).status).toBe(401);
  });

  it('add up with rules in the whole organization, and with roles that were given by hand', async () => {
    const byHand = await acme.call('POST', `/members/${userId}/assignments`, { role: 'keeper', on: north });
    expect(byHand.body).toMatchObject({ source: 'manual' });
    const { status } = await set(rule([north]), rule(null, ['reader']), rule([south], ['reader']));
    expect(status).toBe(200);
    expect(await rolesOf()).toEqual(['reader']);
    expect((await assigned()).map(({ role, on, source }) => [role, on, source])).toEqual(
      expect.arrayContaining([
        ['keeper', north, 'manual'],
        ['keeper', north, 'directory'],
        ['reader', south, 'directory'],
      ]),
    );
    await set(rule([south], ['reader']));
    expect((await assigned()).map(({ source }) => source).toSorted()).toEqual(['directory', 'manual']);
    expect(await rolesOf()).toEqual(['member']);
    await set();
    expect((await assigned()).map(({ id }) => id)).toEqual([byHand.body['id']]);
  });

  it('keep a role that no change concerns', async () => {
    await set(rule([north]));
    const [before] = await assigned();
    await set(rule([north, south]));
    await members('Add');
    expect((await assigned()).map(({ id }) => id)).toContain(before!.id);
    expect(await things()).toHaveLength(2);
    await set(rule([north], ['reader']));
    expect(await assigned()).toMatchObject([{ role: 'reader', on: north }]);
  });

  it('are changed by the rule, not by hand; and belong to administrators after the directory', async () => {
    await set(rule([north]));
    const [{ id }] = (await assigned()) as [Assigned];
    const path = `/members/${userId}/assignments/${id}`;
    expect(await acme.call('DELETE', path)).toMatchObject({
      status: 409,
      body: { detail: 'A rule of a directory gives this role. Change the rule or its group.' },
    });
    expect((await acme.call('DELETE', `/directories/${directory.id}`)).status).toBe(204);
    expect(await assigned()).toMatchObject([{ id, on: north, source: 'manual' }]);
    expect((await acme.call('DELETE', path)).status).toBe(204);
  });

  it.each([
    ['the role of an owner', [rule([north], ['keeper', 'owner'])], 'rules[0].roles[1]'],
    ['a text that is no thing', [rule(['north'])], 'rules[0].on[0]'],
    ['an entity that does not exist', [rule([north, `gatehouse:///iam/roles/${ulid()}`])], 'rules[0].on[1]'],
    ['no thing', [rule([])], 'rules[0].on'],
    ['a second rule for the same things', [rule([north, south]), rule([south, north])], 'rules[1].group'],
    ['more than twenty things', [rule(Array.from({ length: 21 }, depot))], 'rules[0].on'],
  ])('refuse %s', async (_, rules, propertyPath) => {
    const { status, body } = await set(...rules);
    expect({ status, body }).toMatchObject({ status: 400, body: { violations: [{ propertyPath }] } });
  });

  it('refuse a role that holds more than the caller, on a thing too', async () => {
    const scopes = ['iam:directory:update', 'iam:directory:read'];
    await acme.call('POST', '/roles', { key: 'helper', name: 'Helper', scopes });
    const { token } = await acme.join('helper');
    const answer = await acme.call(
      'PUT',
      `/directories/${directory.id}/rules`,
      { rules: [rule([north])] },
      token,
    );
    expect(answer).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'rules[0].roles[0]' }] },
    });
  });
});
