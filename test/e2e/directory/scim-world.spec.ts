import { ulid } from 'ulid';
import { SuspensionService } from '../../../src/iam/index.js';
import type { UserId } from '../../../src/kernel/index.js';
import { Organization } from '../../support/organization.js';
import {
  GROUP_SCHEMA,
  ScimDirectory,
  USER_SCHEMA,
  userOf,
  verifyDomain,
} from '../../support/scim-directory.js';
import { itemsOf, withApp } from '../../support/test-app.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** What directories send, after public reports about other services. */
describe('A directory', () => {
  let acme: Organization;
  let directory: ScimDirectory;
  let domain: string;
  const app = withApp();
  beforeAll(async () => {
    acme = await Organization.found(app);
    domain = `${ulid().toLowerCase()}.example`;
    await verifyDomain(acme, domain);
  });
  beforeEach(async () => {
    directory = await ScimDirectory.create(acme);
  });
  afterEach(() => acme.call('DELETE', `/directories/${directory.id}`));

  const newAddress = () => `${ulid().toLowerCase()}@${domain}`;
  const read = (path: string) => directory.call('GET', path);
  const bodyOf = async (path: string) => (await read(path)).body;
  const list = (resource: string, filter: string) =>
    read(`/${resource}?filter=${encodeURIComponent(filter)}`);
  const idsOf = async (resource: string, filter: string) => {
    const { status, body } = await list(resource, filter);
    expect(status).toBe(200);
    return (body['Resources'] as { id: string }[]).map(({ id }) => id);
  };
  const groupOf = async (displayName: string, ...members: string[]) => {
    const body = { schemas: [GROUP_SCHEMA], displayName, members: members.map((value) => ({ value })) };
    const made = await directory.call('POST', '/Groups', body);
    expect(made.status).toBe(201);
    return String(made.body['id']);
  };
  const memberOf = async (email: string) => {
    const [row] = await app.sql<{ status: string; suspended: boolean; roles: string[] }>(
      `SELECT m.status, a.suspended_at IS NOT NULL AS suspended, ARRAY(
         SELECT DISTINCT r.key FROM member_roles mr JOIN roles r ON r.tenant_id = mr.tenant_id AND r.id = mr.role_id
         WHERE mr.tenant_id = m.tenant_id AND mr.user_id = m.user_id ORDER BY r.key) AS roles
       FROM members m JOIN accounts a ON a.id = m.user_id WHERE m.tenant_id = $1 AND a.email_key = $2`,
      [acme.id, email],
    );
    return row ?? null;
  };
  const recordOf = async (source: ScimDirectory, id: string) => {
    const answer = await acme.call('GET', `/directories/${source.id}/users?limit=100`);
    const record = itemsOf<{ id: string; state: string; reason: string | null }>(answer).find(
      (one) => one.id === id,
    );
    return { state: record?.state, reason: record?.reason };
  };
  const ruleFor = (group: string, ...roles: string[]) =>
    acme.call('PUT', `/directories/${directory.id}/rules`, { rules: [{ group, roles }] });

  describe('brings a person back', () => {
    const managed = { status: 'active', suspended: false, roles: ['member'] };

    it('whose record it has deleted', async () => {
      const email = newAddress();
      for (const _time of ['first', 'again', 'and again']) {
        const id = await directory.create(email);
        expect(await memberOf(email)).toEqual(managed);
        expect(await recordOf(directory, id)).toEqual({ state: 'linked', reason: null });
        expect((await directory.call('DELETE', `/Users/${id}`)).status).toBe(204);
        expect(await memberOf(email)).toBeNull();
      }
    });

    it('whose record it has deactivated and deleted, and manages the account as before', async () => {
      const email = newAddress();
      const first = await directory.create(email);
      await directory.patch(`/Users/${first}`, { op: 'replace', path: 'active', value: false });
      await directory.call('DELETE', `/Users/${first}`);
      const second = await directory.create(email);
      expect(await memberOf(email)).toEqual(managed);
      await directory.patch(`/Users/${second}`, { op: 'replace', path: 'active', value: false });
      expect(await memberOf(email)).toEqual({ ...managed, status: 'suspended', suspended: true });
      await directory.patch(`/Users/${second}`, { op: 'replace', path: 'active', value: true });
      expect(await memberOf(email)).toEqual(managed);
    });

    it.each(['deleted', 'deactivated'])('who was %s by a directory that is deleted', async (how) => {
      const email = newAddress();
      const former = await ScimDirectory.create(acme);
      const id = await former.create(email);
      if (how === 'deleted') await former.call('DELETE', `/Users/${id}`);
      else await former.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
      await acme.call('DELETE', `/directories/${former.id}`);
      await directory.create(email);
      expect(await memberOf(email)).toEqual(managed);
    });

    it('not whom an operator has suspended since, and says who did', async () => {
      const email = newAddress();
      const first = await directory.create(email);
      await directory.call('DELETE', `/Users/${first}`);
      const [{ id: userId } = { id: '' }] = await app.sql<{ id: string }>(
        'SELECT id FROM accounts WHERE email_key = $1',
        [email],
      );
      await app.app.get(SuspensionService).suspend(userId as UserId);
      const second = await directory.create(email);
      expect(await memberOf(email)).toBeNull();
      expect(await recordOf(directory, second)).toEqual({ state: 'refused', reason: 'account-suspended' });
    });

    it('not whom the directory of another organization has suspended, and says so', async () => {
      const other = await Organization.found(app);
      const email = newAddress();
      const theirs = `${ulid().toLowerCase()}.example`;
      await verifyDomain(other, theirs);
      const address = email.replace(domain, theirs);
      const former = await ScimDirectory.create(other);
      const id = await former.create(address);
      await former.call('DELETE', `/Users/${id}`);
      await app.sql('UPDATE tenant_domains SET tenant_id = $1 WHERE domain = $2', [acme.id, theirs]);
      const record = await directory.create(address);
      expect(await memberOf(address)).toBeNull();
      expect(await recordOf(directory, record)).toEqual({
        state: 'refused',
        reason: 'account-suspended-by-organization',
      });
    });

    it('not by a body that does not say whether they are active', async () => {
      const email = newAddress();
      const path = `/Users/${await directory.create(email)}`;
      await directory.patch(path, { op: 'replace', path: 'active', value: false });
      const { active: _, ...silent } = userOf(email);
      for (const answer of [
        await directory.patch(path, { op: 'remove', path: 'active' }),
        await directory.patch(path, { op: 'replace', path: 'active', value: null }),
        await directory.patch(path, { op: 'replace', value: { active: null } }),
        await directory.call('PUT', path, silent),
        await directory.call('PUT', path, { ...silent, active: null }),
      ])
        expect([answer.status, answer.body['active']]).toEqual([200, false]);
      expect(await memberOf(email)).toMatchObject({ status: 'suspended' });
    });
  });

  it('creates an active person by a record whose active is null', async () => {
    const email = newAddress();
    const made = await directory.call('POST', '/Users', userOf(email, { active: null }));
    expect([made.status, made.body['active']]).toEqual([201, true]);
    expect(await memberOf(email)).toMatchObject({ status: 'active' });
  });

  describe('has a rule', () => {
    it.each(['Ärzte', 'Łódź', 'Склад', 'İstanbul', 'ΟΔΟΣ', 'Straße'])(
      'that applies to the group %s, set before and after it is sent',
      async (name) => {
        const email = newAddress();
        const id = await directory.create(email);
        await ruleFor(name, 'admin');
        const group = await groupOf(name, id);
        expect((await memberOf(email))?.roles).toEqual(['admin']);
        await ruleFor('Another', 'admin');
        expect((await memberOf(email))?.roles).toEqual(['member']);
        await ruleFor(name.toLowerCase(), 'admin');
        expect((await memberOf(email))?.roles).toEqual(['admin']);
        const preview = await acme.call('POST', `/directories/${directory.id}/rules/preview`, {
          rules: [{ group: name, roles: ['admin'] }],
        });
        expect(preview.body['items'] ?? preview.body['rules']).toEqual([
          expect.objectContaining({ groupId: group, members: 1 }),
        ]);
      },
    );

    it('that waits for its group again once it is deleted, under its last name', async () => {
      const email = newAddress();
      const id = await directory.create(email);
      await ruleFor('Dispatch', 'admin');
      const first = await groupOf('Dispatch', id);
      expect((await memberOf(email))?.roles).toEqual(['admin']);
      await directory.call('DELETE', `/Groups/${first}`);
      expect((await memberOf(email))?.roles).toEqual(['member']);
      const second = await groupOf('dispatch', id);
      expect((await memberOf(email))?.roles).toEqual(['admin']);
      await directory.patch(`/Groups/${second}`, { op: 'replace', path: 'displayName', value: 'Shipping' });
      await directory.call('DELETE', `/Groups/${second}`);
      await groupOf('Shipping', id);
      expect((await memberOf(email))?.roles).toEqual(['admin']);
    });
  });

  it.each([
    ['title', 'Ärztin', 'ärztin'],
    ['nickName', 'ŁUKASZ', 'łukasz'],
    ['name.familyName', 'СМИРНОВА', 'Смирнова'],
  ])('finds %s without regard to case, whatever the script', async (path, stored, wanted) => {
    const id = await directory.create(newAddress());
    await directory.patch(`/Users/${id}`, { op: 'add', path, value: stored });
    for (const op of ['eq', 'co', 'sw', 'ew'])
      expect(await idsOf('Users', `${path} ${op} "${wanted}"`)).toEqual([id]);
  });

  describe('changes nothing', () => {
    it.each([
      { op: 'add', path: 'members', value: null },
      { op: 'add', path: 'members', value: [] },
      { op: 'add', value: { members: null } },
      { op: 'add', path: 'members', value: [null] },
    ])('of a group by %j', async (operation) => {
      const user = await directory.create(newAddress());
      const path = `/Groups/${await groupOf('Dispatch', user)}`;
      expect((await directory.patch(path, operation)).status).toBe(200);
      expect(await bodyOf(path)).toMatchObject({ members: [{ value: user }] });
    });

    it('by adding null to a text', async () => {
      const path = `/Users/${await directory.create(newAddress(), { title: 'Driver' })}`;
      await directory.patch(path, { op: 'add', path: 'title', value: null });
      expect(await bodyOf(path)).toMatchObject({ title: 'Driver' });
    });

    it.each(['add', 'replace'])('by %s without a value, which is refused', async (op) => {
      const path = `/Groups/${await groupOf('Dispatch', await directory.create(newAddress()))}`;
      const refused = await directory.patch(path, { op, path: 'members' });
      expect(refused).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    });
  });

  it.each([
    { op: 'replace', value: { title: null } },
    { op: 'remove', path: 'title', value: null },
  ])('unassigns an attribute by %j', async (operation) => {
    const path = `/Users/${await directory.create(newAddress(), { title: 'Driver' })}`;
    expect((await directory.patch(path, operation)).status).toBe(200);
    expect(await bodyOf(path)).not.toHaveProperty('title');
  });

  it('replaces a role by the path of Entra ID, which writes true as a text', async () => {
    const path = `/Users/${await directory.create(newAddress())}`;
    for (const value of ['Driver', 'Picker', 'Packer'])
      await directory.patch(path, { op: 'Add', path: 'roles[primary eq "True"].value', value });
    expect((await bodyOf(path))['roles']).toEqual([{ primary: true, value: 'Packer' }]);
  });

  it.each(['"True"', '"true"', 'true', 'True'])('filters by active eq %s', async (value) => {
    const [active, inactive] = [await directory.create(newAddress()), await directory.create(newAddress())];
    await directory.patch(`/Users/${inactive}`, { op: 'replace', value: { active: false } });
    expect(await idsOf('Users', `active eq ${value}`)).toEqual([active]);
    expect(await idsOf('Users', `emails[primary eq ${value}] and active ne ${value}`)).toEqual([inactive]);
  });

  it('is told which filters on active are not valid', async () => {
    expect(await list('Users', 'active eq "maybe"')).toMatchObject({
      status: 400,
      body: { scimType: 'invalidFilter', detail: 'active is compared with true or false.' },
    });
  });

  describe('addresses a schema', () => {
    it.each([
      { op: 'replace', path: ENTERPRISE, value: { department: 'B' } },
      { op: 'add', path: ENTERPRISE.toLowerCase(), value: { department: 'B' } },
      { op: 'replace', value: { [ENTERPRISE]: { department: 'B' } } },
      { op: 'replace', value: { [`${ENTERPRISE}:department`]: 'B' } },
    ])('of an extension by %j', async (operation) => {
      const more = { [ENTERPRISE]: { department: 'A', costCenter: '7' } };
      const path = `/Users/${await directory.create(newAddress(), more)}`;
      expect((await directory.patch(path, operation)).status).toBe(200);
      const user = await bodyOf(path);
      expect(user).toMatchObject({ schemas: [USER_SCHEMA, ENTERPRISE] });
      expect(user[ENTERPRISE]).toEqual({ department: 'B', costCenter: '7' });
    });

    it('of an extension to remove it', async () => {
      const path = `/Users/${await directory.create(newAddress(), { [ENTERPRISE]: { department: 'A' } })}`;
      await directory.patch(path, { op: 'remove', path: ENTERPRISE });
      expect(await bodyOf(path)).toMatchObject({ schemas: [USER_SCHEMA] });
    });

    it.each([
      { op: 'replace', path: USER_SCHEMA, value: { active: false } },
      { op: 'replace', path: `${USER_SCHEMA}:active`, value: false },
      { op: 'replace', value: { [USER_SCHEMA]: { active: 'False' } } },
    ])('of a user by %j', async (operation) => {
      const email = newAddress();
      const path = `/Users/${await directory.create(email)}`;
      expect((await directory.patch(path, operation)).body).toMatchObject({ active: false });
      expect(await memberOf(email)).toMatchObject({ status: 'suspended' });
    });

    it('of a user in a body that is created', async () => {
      const email = newAddress();
      const made = await directory.call('POST', '/Users', {
        schemas: [USER_SCHEMA],
        [USER_SCHEMA]: { userName: email, active: false },
      });
      expect(made).toMatchObject({ status: 201, body: { userName: email, active: false } });
    });

    it.each([
      { op: 'replace', path: 'urn:example:nothing', value: { a: 1 } },
      { op: 'replace', value: { 'urn:example:nothing': { a: 1 } } },
      { op: 'replace', path: ENTERPRISE.replace(':User', ''), value: { a: 1 } },
      { op: 'remove', path: USER_SCHEMA },
    ])('that cannot be, and is refused: %j', async (operation) => {
      const path = `/Users/${await directory.create(newAddress())}`;
      const { meta: _, ...before } = await bodyOf(path);
      const refused = await directory.patch(path, operation);
      expect(refused).toMatchObject({ status: 400, body: { scimType: 'invalidPath' } });
      expect(await bodyOf(path)).toMatchObject(before);
    });
  });

  describe('filters what the service computes', () => {
    it.each<[string, (ids: { group: string }) => string]>([
      ['groups.value', ({ group }) => `groups.value eq "${group}"`],
      ['groups', ({ group }) => `groups eq "${group}"`],
      ['groups[value]', ({ group }) => `groups[value eq "${group}"]`],
      ['groups.display', () => 'groups.display eq "DISPATCH"'],
      ['groups.type', () => 'groups.type eq "direct"'],
      ['groups pr', () => 'groups pr'],
    ])('users by %s', async (_name, filter) => {
      const [member] = [await directory.create(newAddress()), await directory.create(newAddress())];
      const group = await groupOf('Dispatch', member);
      expect(await idsOf('Users', filter({ group }))).toEqual([member]);
    });

    it('groups by members', async () => {
      const member = await directory.create(newAddress());
      const [group] = [await groupOf('Dispatch', member), await groupOf('Empty')];
      for (const filter of [`members.value eq "${member}"`, 'members.type eq "user"', 'members pr'])
        expect(await idsOf('Groups', filter)).toEqual([group]);
      expect(await idsOf('Groups', 'members.type eq "Group"')).toEqual([]);
    });

    it('by schema', async () => {
      const [plain, extended] = [
        await directory.create(newAddress()),
        await directory.create(newAddress(), { [ENTERPRISE]: { department: 'A' } }),
      ];
      expect(await idsOf('Users', `schemas eq "${USER_SCHEMA}"`)).toEqual([plain, extended]);
      expect(await idsOf('Users', `schemas eq "${ENTERPRISE.toUpperCase()}"`)).toEqual([extended]);
      expect(await idsOf('Users', 'schemas eq "department"')).toEqual([]);
    });

    it.each(['meta.location eq "x"', 'meta.version pr', 'groups.$ref eq "x"', 'groups.value co "x"'])(
      'not by %s, which is refused',
      async (filter) => {
        expect(await list('Users', filter)).toMatchObject({
          status: 400,
          body: { scimType: 'invalidFilter' },
        });
      },
    );
  });

  it('reads changes to an end: no record is newer than its own lastModified', async () => {
    const user = await directory.create(newAddress());
    await groupOf('Dispatch', user);
    for (const resource of ['Users', 'Groups']) {
      const [{ meta }] = (await bodyOf(`/${resource}`))['Resources'] as [
        { meta: { lastModified: string; created: string } },
      ];
      expect(await idsOf(resource, `meta.lastModified gt "${meta.lastModified}"`)).toEqual([]);
      expect(await idsOf(resource, `meta.lastModified eq "${meta.lastModified}"`)).toHaveLength(1);
      expect(await idsOf(resource, `meta.created eq "${meta.created}"`)).toHaveLength(1);
    }
  });

  describe('is not told 304 for a body that has changed:', () => {
    const cases: [string, 'Users' | 'Groups', (ids: { user: string; group: string }) => Promise<unknown>][] =
      [
        [
          'a group whose member was deleted',
          'Groups',
          ({ user }) => directory.call('DELETE', `/Users/${user}`),
        ],
        [
          'a user whose group was deleted',
          'Users',
          ({ group }) => directory.call('DELETE', `/Groups/${group}`),
        ],
        [
          'a user whose group was renamed',
          'Users',
          ({ group }) =>
            directory.patch(`/Groups/${group}`, { op: 'replace', path: 'displayName', value: 'New' }),
        ],
        [
          'a user who left a group',
          'Users',
          ({ group }) => directory.patch(`/Groups/${group}`, { op: 'replace', path: 'members', value: [] }),
        ],
      ];
    it.each(cases)('%s', async (_what, resource, change) => {
      const user = await directory.create(newAddress());
      const group = await groupOf('Dispatch', user);
      const path = `/${resource}/${resource === 'Users' ? user : group}`;
      const { headers, body } = await read(path);
      const etag = { 'If-None-Match': headers.get('etag') ?? '' };
      expect((await directory.call('GET', path, undefined, etag)).status).toBe(304);
      await change({ user, group });
      const after = await directory.call('GET', path, undefined, etag);
      expect(after.status).toBe(200);
      const [was, is] = [body, after.body].map(
        (one) => (one['meta'] as { lastModified: string }).lastModified,
      );
      expect(Date.parse(is!)).toBeGreaterThanOrEqual(Date.parse(was!));
    });

    it('a user who joined a group', async () => {
      const user = await directory.create(newAddress());
      const { headers } = await read(`/Users/${user}`);
      await groupOf('Dispatch', user);
      const etag = { 'If-None-Match': headers.get('etag') ?? '' };
      expect((await directory.call('GET', `/Users/${user}`, undefined, etag)).status).toBe(200);
    });
  });

  describe('sends values of other types:', () => {
    it.each([
      { displayName: ['Ada'] },
      { title: { value: 'Driver' } },
      { name: 'Ada Lovelace' },
      { emails: [['a@b.example']] },
      { [ENTERPRISE]: 'Engines' },
      { [ENTERPRISE]: { department: ['A'] } },
      { active: 'perhaps' },
      { externalId: ['x'] },
    ])('%j is refused', async (more) => {
      for (const answer of [
        await directory.call('POST', '/Users', userOf(newAddress(), more)),
        await directory.patch(`/Users/${await directory.create(newAddress())}`, {
          op: 'replace',
          value: more,
        }),
      ])
        expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    });

    it('a number becomes a text, and a text the value of an element', async () => {
      const email = newAddress();
      const more = { title: 7, emails: email, [ENTERPRISE]: { employeeNumber: 1815, manager: '9' } };
      const made = await directory.call('POST', '/Users', userOf(email, more));
      expect(made).toMatchObject({
        status: 201,
        body: {
          title: '7',
          emails: [{ value: email }],
          [ENTERPRISE]: { employeeNumber: '1815', manager: { value: '9' } },
        },
      });
    });

    it('those that are stored already hinder no other change', async () => {
      const email = newAddress();
      const id = await directory.create(email);
      await app.sql(
        `UPDATE directory_users SET attributes = attributes || '{"displayName":["Ada"]}' WHERE id = $1`,
        [id],
      );
      const off = await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
      expect(off).toMatchObject({ status: 200, body: { active: false, displayName: ['Ada'] } });
      expect(await memberOf(email)).toMatchObject({ status: 'suspended' });
    });
  });

  it('reads in the schemas what references lead to, and that the type of a member is not written', async () => {
    const schemas = (await bodyOf('/Schemas'))['Resources'] as { attributes: Attribute[] }[];
    const all = schemas.flatMap(({ attributes }) =>
      attributes.flatMap((one) => [one, ...(one.subAttributes ?? [])]),
    );
    const references = all.filter(({ type }) => type === 'reference');
    expect(references.length).toBeGreaterThan(3);
    for (const { referenceTypes } of references) expect(referenceTypes?.length).toBeGreaterThan(0);
    const members = all.find(({ name }) => name === 'members')?.subAttributes ?? [];
    expect(members.find(({ name }) => name === 'type')?.mutability).toBe('readOnly');
  });

  it('gives the externalId of a person who has left to the next one', async () => {
    const externalId = ulid();
    const [first, second] = [newAddress(), newAddress()];
    const left = await directory.create(first, { externalId });
    const taken = await directory.call('POST', '/Users', userOf(second, { externalId }));
    expect(taken).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    await directory.patch(`/Users/${left}`, { op: 'replace', value: { active: false } });
    const next = await directory.create(second, { externalId });
    expect(await idsOf('Users', `externalId eq "${externalId}" and active eq true`)).toEqual([next]);
    const back = await directory.patch(`/Users/${left}`, { op: 'replace', value: { active: true } });
    expect(back).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
  });
});

interface Attribute {
  readonly name: string;
  readonly type: string;
  readonly mutability: string;
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
}
