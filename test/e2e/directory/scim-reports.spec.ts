import { ulid } from 'ulid';
import { Organization } from '../../support/organization.js';
import {
  GROUP_SCHEMA,
  ScimDirectory,
  USER_SCHEMA,
  userOf,
  verifyDomain,
} from '../../support/scim-directory.js';
import { withApp } from '../../support/test-app.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
type Fields = Record<string, unknown>;

/**
 * What SCIM clients send, after public reports about other services. Each name has the report, as
 * owner/repository#number on GitHub; docs/interop has the links.
 */
describe('A directory accepts', () => {
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
  const bodyOf = async (path: string) => (await directory.call('GET', path)).body;
  const statusOf = async (email: string) => {
    const [member] = await app.sql<{ status: string }>(
      'SELECT m.status FROM members m JOIN accounts a ON a.id = m.user_id WHERE m.tenant_id = $1 AND a.email_key = $2',
      [acme.id, email],
    );
    return member?.status ?? null;
  };
  const idsOf = async (resource: string, filter: string, more = '') => {
    const answer = await directory.call('GET', `/${resource}?filter=${encodeURIComponent(filter)}${more}`);
    expect([answer.status, answer.body['detail']]).toEqual([200, undefined]);
    return (answer.body['Resources'] as { id: string }[]).map(({ id }) => id);
  };
  const groupOf = async (displayName: string, ...members: string[]) => {
    const made = await directory.call('POST', '/Groups', {
      schemas: [GROUP_SCHEMA],
      displayName,
      members: members.map((value) => ({ value })),
    });
    expect(made.status).toBe(201);
    return `/Groups/${String(made.body['id'])}`;
  };
  const membersOf = async (path: string) =>
    (((await bodyOf(path))['members'] ?? []) as { value: string }[]).map(({ value }) => value);
  const patched = async (path: string, ...operations: object[]) => {
    const answer = await directory.patch(path, ...operations);
    expect([answer.status, answer.body['detail']]).toEqual([200, undefined]);
    return bodyOf(path);
  };
  const userPath = async (more: object = {}) => `/Users/${await directory.create(newAddress(), more)}`;

  describe('operations on a user:', () => {
    const work = 'emails[type eq "work"].value';

    it.each([
      ['a path with a filter', { op: 'Replace', path: work, value: 'new' }],
      ['a path without a filter', { op: 'Replace', path: 'emails.value', value: 'new' }],
      ['an object', { op: 'Replace', path: 'emails', value: { type: 'work', value: 'new' } }],
      ['a list', { op: 'replace', path: 'emails', value: [{ type: 'work', value: 'new', primary: true }] }],
    ])('an address by %s (Metatavu/keycloak-scim-server#40)', async (_how, operation) => {
      const next = newAddress();
      const sent = JSON.parse(JSON.stringify(operation).replace('"new"', JSON.stringify(next))) as object;
      const user = await patched(await userPath(), sent);
      expect(user['emails']).toEqual([expect.objectContaining({ type: 'work', value: next })]);
    });

    it('an address that is removed (Metatavu/keycloak-scim-server#40)', async () => {
      const user = await patched(await userPath(), { op: 'Remove', path: 'emails[type eq "work"]' });
      expect(user).not.toHaveProperty('emails');
    });

    it('an address of a kind that was not there (Captain-P-Goldfish/SCIM-SDK#416)', async () => {
      const [email, next] = [newAddress(), newAddress()];
      const path = `/Users/${await directory.create(email, { emails: [] })}`;
      const user = await patched(path, { op: 'add', path: work, value: next });
      expect(user['emails']).toEqual([{ type: 'work', value: next }]);
    });

    it('keys with a dot in a value without a path (pingidentity/scim2#224, AzureAD/SCIMReferenceCode#97)', async () => {
      const path = await userPath({ name: { familyName: 'Young', givenName: 'Joy' } });
      const value = { displayName: 'Joy Old', 'name.familyName': 'Old', 'name.formatted': 'Joy Old' };
      expect(await patched(path, { op: 'replace', value })).toMatchObject({
        displayName: 'Joy Old',
        name: { familyName: 'Old', givenName: 'Joy', formatted: 'Joy Old' },
      });
      expect(await bodyOf(path)).not.toHaveProperty('name.familyName.value');
    });

    it.each([{ path: 'nickName', value: 'Tomy' }, { value: { nickName: 'Tomy' } }])(
      'with and without a path: %j (AzureAD/SCIMReferenceCode#97)',
      async (operation) => {
        expect(await patched(await userPath(), { op: 'add', ...operation })).toMatchObject({
          nickName: 'Tomy',
        });
      },
    );

    it('a text, and no list in its place (MicrosoftDocs/azure-docs#42220)', async () => {
      const [path, operation] = [await userPath(), { op: 'Replace', path: 'displayName' }];
      expect(await patched(path, { ...operation, value: ' User X' })).toMatchObject({
        displayName: ' User X',
      });
      const refused = await directory.patch(path, { ...operation, value: [{ $ref: null, value: 'User Y' }] });
      expect(refused).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
      expect(await bodyOf(path)).toMatchObject({ displayName: ' User X' });
    });

    it('a manager and a number by the path of the extension (imulab/go-scim#75)', async () => {
      const manager = '45619541-95de-4d5e-9872-571b5d2c5577';
      const user = await patched(
        await userPath(),
        { op: 'Add', path: `${ENTERPRISE}:manager`, value: manager },
        { op: 'Add', path: `${ENTERPRISE}:employeeNumber`, value: '6546579' },
      );
      expect(user[ENTERPRISE]).toEqual({ manager: { value: manager }, employeeNumber: '6546579' });
    });

    it('a manager in a list of one object', async () => {
      const value = [{ $ref: 'http://directory.example/Users/17', value: '17' }];
      const user = await patched(await userPath(), { op: 'Add', path: `${ENTERPRISE}:manager`, value });
      expect(user[ENTERPRISE]).toMatchObject({ manager: { value: '17' } });
    });

    it.each(['', null, {}, { value: '' }, { value: null }])(
      'a manager that is taken away by %j (Captain-P-Goldfish/SCIM-SDK#653)',
      async (value) => {
        const path = await userPath({ [ENTERPRISE]: { department: 'A', manager: { value: '17' } } });
        const user = await patched(path, { op: 'replace', path: `${ENTERPRISE}:manager`, value });
        expect(user[ENTERPRISE]).toEqual({ department: 'A' });
      },
    );

    it.each<[string, object | null, object]>([
      ['replace', { familyName: null }, { givenName: 'Ada' }],
      ['replace', { familyName: null, givenName: 'Bo' }, { givenName: 'Bo' }],
      ['add', { familyName: null, givenName: 'Bo' }, { givenName: 'Bo', familyName: 'Lovelace' }],
      ['add', {}, { givenName: 'Ada', familyName: 'Lovelace' }],
    ])('parts of a name that are null: %s %j', async (op, value, stored) => {
      const path = await userPath({ name: { givenName: 'Ada', familyName: 'Lovelace' } });
      expect((await patched(path, { op, path: 'name', value }))['name']).toEqual(stored);
      const other = await userPath({ addresses: [{ type: 'work', locality: 'London', region: 'E' }] });
      const part = { op: 'replace', path: 'addresses[type eq "work"]', value: { region: null } };
      expect((await patched(other, part))['addresses']).toEqual([{ type: 'work', locality: 'London' }]);
    });

    it('one operation in place of a list, and the schema of the user (Captain-P-Goldfish/SCIM-SDK#653)', async () => {
      const path = await userPath();
      const answer = await directory.call('PATCH', path, {
        schemas: [ENTERPRISE],
        Operations: { op: 'replace', path: 'title', value: 'Driver' },
      });
      expect(answer).toMatchObject({ status: 200, body: { title: 'Driver' } });
    });

    it.each<[string, Fields]>([
      ['null (keycloak/keycloak#51412)', { schemas: null }],
      ['an empty list (wso2/product-is#16933)', { schemas: [] }],
      ['nothing (ssoready/ssoready#182)', {}],
    ])('schemas that are %s', async (_what, frame) => {
      const operations = [{ op: 'replace', path: 'title', value: 'Driver' }];
      for (const key of ['Operations', 'operations']) {
        const answer = await directory.call('PATCH', await userPath(), { ...frame, [key]: operations });
        expect(answer).toMatchObject({ status: 200, body: { title: 'Driver' } });
      }
    });

    it('none, which Microsoft tests (scimmyjs/scimmy#59)', async () => {
      const path = await userPath();
      const answer = await directory.call('PATCH', path, { schemas: [PATCH], Operations: [] });
      expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidSyntax' } });
    });

    it('an empty text as no value (simpleidserver/SimpleIdServer#295)', async () => {
      const path = await userPath({ title: 'Driver', [ENTERPRISE]: { costCenter: '7', department: 'A' } });
      const user = await patched(
        path,
        { op: 'replace', path: `${ENTERPRISE}:costCenter`, value: '' },
        { op: 'replace', path: 'title', value: '' },
      );
      expect([user['title'] ?? '', (user[ENTERPRISE] as Fields)['costCenter'] ?? '']).toEqual(['', '']);
    });

    it('a number of another kind (AzureAD/SCIMReferenceCode#48)', async () => {
      const path = await userPath({ phoneNumbers: [{ type: 'work', value: '+44 20' }] });
      const user = await patched(path, {
        op: 'Add',
        path: 'phoneNumbers[type eq "mobile"].value',
        value: '+44 7',
      });
      expect(user['phoneNumbers']).toEqual([
        { type: 'work', value: '+44 20' },
        { type: 'mobile', value: '+44 7' },
      ]);
    });

    it('each sub-attribute of addresses in turn (sourcegraph/sourcegraph-public-snapshot#49119)', async () => {
      const [first, second, third] = [newAddress(), newAddress(), newAddress()];
      const user = await patched(
        await userPath(),
        { op: 'replace', path: work, value: first },
        { op: 'add', path: 'emails[type eq "home"].value', value: second },
        { op: 'add', path: 'emails[type eq "other"].value', value: third },
        { op: 'replace', path: 'emails[type eq "work"].display', value: 'W' },
        { op: 'replace', path: 'emails[type eq "home"].display', value: 'H' },
        { op: 'add', path: 'emails[type eq "work"].primary', value: false },
        { op: 'replace', path: 'emails[type eq "home"].primary', value: 'True' },
      );
      expect(user['emails']).toEqual([
        { type: 'work', value: first, display: 'W', primary: false },
        { type: 'home', value: second, display: 'H', primary: true },
        { type: 'other', value: third },
      ]);
    });

    it('activation again, with all that Entra sends beside it (FusionAuth/fusionauth-issues#3311)', async () => {
      const email = newAddress();
      const path = `/Users/${await directory.create(email)}`;
      await patched(path, { op: 'Replace', path: 'active', value: 'False' });
      expect(await statusOf(email)).toBe('suspended');
      await patched(
        path,
        { op: 'Add', path: 'active', value: 'True' },
        { op: 'Add', path: 'title', value: 'Driver' },
        { op: 'Add', path: 'addresses[type eq "work"].formatted', value: '18/2111' },
      );
      expect(await statusOf(email)).toBe('active');
    });
  });

  describe('users:', () => {
    it('names in other cases (PostHog/posthog#39859)', async () => {
      const email = newAddress();
      const made = await directory.call('POST', '/Users', {
        Schemas: [USER_SCHEMA],
        UserName: email,
        Active: 'True',
        Name: { GivenName: 'Ada', FamilyName: 'Lovelace' },
        Emails: [{ Value: email, Type: 'work', Primary: 'True' }],
      });
      expect(made).toMatchObject({
        status: 201,
        body: {
          userName: email,
          active: true,
          name: { givenName: 'Ada', familyName: 'Lovelace' },
          emails: [{ value: email, type: 'work', primary: true }],
        },
      });
      expect(await statusOf(email)).toBe('active');
    });

    it('a userName that is the only address (clerk/clerk-docs#3308)', async () => {
      const email = newAddress();
      await directory.call('POST', '/Users', { schemas: [USER_SCHEMA], userName: email, active: true });
      expect(await statusOf(email)).toBe('active');
    });

    it.each([
      ['as a text (apache/directory-scimple#1242)', 'boss', { value: 'boss' }],
      ['by a name (scimmyjs/scimmy#28)', { displayName: 'Charles' }, { displayName: 'Charles' }],
      ['who is not here (grokability/snipe-it#19005)', { value: 'gone' }, { value: 'gone' }],
    ])('a manager %s', async (_what, manager, stored) => {
      const user = await bodyOf(await userPath({ [ENTERPRISE]: { manager } }));
      expect(user[ENTERPRISE]).toEqual({ manager: stored });
    });

    it('groups, which the service computes (ory/polis#3136)', async () => {
      const group = await groupOf('Dispatch');
      const path = await userPath({ groups: [{ value: group.slice('/Groups/'.length) }] });
      expect(await bodyOf(path)).not.toHaveProperty('groups');
      expect(await membersOf(group)).toEqual([]);
    });

    it('two primary addresses, of which one stays so (wso2/product-is#10033)', async () => {
      const [home, work] = [newAddress(), newAddress()];
      const emails = [
        { primary: true, value: home, type: 'home' },
        { primary: true, value: work, type: 'work' },
      ];
      const path = await userPath({ emails });
      const primaries = async () =>
        ((await bodyOf(path))['emails'] as Fields[]).filter(({ primary }) => primary === true).length;
      expect(await primaries()).toBe(1);
      await patched(path, { op: 'replace', path: 'emails', value: emails });
      expect(await primaries()).toBe(1);
    });

    it('a person sent again under the same externalId (better-auth/better-auth#11111)', async () => {
      const email = newAddress();
      const externalId = ulid();
      const id = await directory.create(email, { externalId });
      await patched(`/Users/${id}`, { op: 'replace', value: { active: false } });
      const again = await directory.call('POST', '/Users', userOf(email, { externalId }));
      expect(again).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
      expect(await idsOf('Users', `userName eq "${email}"`)).toEqual([id]);
      const put = await directory.call('PUT', `/Users/${id}`, userOf(email, { externalId }));
      expect(put).toMatchObject({ status: 200, body: { active: true } });
      expect(await statusOf(email)).toBe('active');
    });
  });

  describe('groups:', () => {
    it.each([
      { op: 'replace', path: 'members', value: [] },
      { op: 'replace', value: { members: [] } },
      { op: 'remove', path: 'members' },
    ])('no members by %j (Captain-P-Goldfish/SCIM-SDK#757)', async (operation) => {
      const path = await groupOf('Dispatch', await directory.create(newAddress()));
      await patched(path, operation);
      expect(await membersOf(path)).toEqual([]);
    });

    it.each<[string, (id: string) => object]>([
      ['with a name (Captain-P-Goldfish/SCIM-SDK#419)', (value) => ({ value, display: 'A@b.example' })],
      ['with a type (Captain-P-Goldfish/SCIM-SDK#4)', (value) => ({ value, type: 'User' })],
      ['with a null reference (scimmyjs/scimmy#34)', (value) => ({ $ref: null, value })],
      [
        'with a reference (wso2/product-is#5333)',
        (value) => ({ value, $ref: `https://x.example/Users/${value}`, display: 'PRIMARY/admin' }),
      ],
    ])('a member %s, who is added twice and removed', async (_how, memberOf) => {
      const id = await directory.create(newAddress());
      const path = await groupOf('Dispatch');
      for (const operation of [
        { op: 'Add', path: 'members', value: [memberOf(id)] },
        { op: 'add', value: { members: [memberOf(id)] } },
      ]) {
        await patched(path, operation);
        expect(await membersOf(path)).toEqual([id]);
      }
      await patched(path, { op: 'Remove', path: 'members', value: [memberOf(id)] });
      expect(await membersOf(path)).toEqual([]);
    });

    it.each<[string, (id: string) => object]>([
      [
        'a filter (simpleidserver/SimpleIdServer#696)',
        (id) => ({ op: 'remove', path: `members[value eq "${id}"]` }),
      ],
      [
        'a filter without quotation marks (simpleidserver/SimpleIdServer#164)',
        (id) => ({ op: 'remove', path: `members[value eq ${id}]` }),
      ],
      [
        'a value (goauthentik/authentik#23798, apache/directory-scimple#436)',
        (value) => ({ op: 'remove', path: 'members', value: [{ value }] }),
      ],
      ['an object (pond/scimitar#45)', (value) => ({ op: 'remove', path: 'members', value: { value } })],
      [
        'an object with members (pond/scimitar#45)',
        (value) => ({ op: 'remove', path: 'members', value: { members: [{ value }] } }),
      ],
      ['no path (pond/scimitar#45)', (value) => ({ op: 'remove', value: { members: [{ value }] } })],
    ])('the removal of one member by %s, which leaves the other', async (_how, operation) => {
      const [gone, kept] = [await directory.create(newAddress()), await directory.create(newAddress())];
      const path = await groupOf('Dispatch', gone, kept);
      await patched(path, operation(gone));
      expect(await membersOf(path)).toEqual([kept]);
    });

    it('members in POST and PUT, in any case and without schemas (bitwarden/server#2919, Infisical/infisical#6552)', async () => {
      const id = await directory.create(newAddress());
      const made = await directory.call('POST', '/Groups', {
        DisplayName: 'Dispatch',
        Members: [{ Value: id }],
      });
      const path = `/Groups/${String(made.body['id'])}`;
      expect(await membersOf(path)).toEqual([id]);
      await directory.call('PUT', path, { displayName: 'Dispatch', members: [] });
      expect(await membersOf(path)).toEqual([]);
      const put = await directory.call('PUT', path, { DisplayName: 'Dispatch', Members: [{ Value: id }] });
      expect(put.status).toBe(200);
      expect(await membersOf(path)).toEqual([id]);
    });

    it('members who are not there, with an error that says so (BerriAI/litellm#17420, wso2/product-is#16097)', async () => {
      const path = await groupOf('Dispatch');
      for (const value of [ulid(), '', 'unknown']) {
        const answer = await directory.patch(path, { op: 'add', path: 'members', value: [{ value }] });
        expect(answer.status).toBeLessThan(500);
        expect(answer.headers.get('content-type')).toContain('application/scim+json');
        expect(await membersOf(path)).toEqual([]);
      }
      await patched(path, { op: 'remove', path: 'members', value: [{ value: ulid() }] });
    });

    it.each(['This is "test" group.', `TestGrp-!@#$%^&*()_+=-{}][":;'/.,?\\1`, 'R&D + Ops 100%'])(
      'the name %s, and find it (Captain-P-Goldfish/SCIM-SDK#913, fdipuma/scrima-dotnet#5)',
      async (name) => {
        const path = await groupOf(name);
        const filter = `displayName eq ${JSON.stringify(name)}`;
        expect(await idsOf('Groups', filter)).toEqual([path.slice('/Groups/'.length)]);
      },
    );

    it('errors as JSON of SCIM, for whatever is wrong (Metatavu/keycloak-scim-server#101)', async () => {
      for (const [method, path, body] of [
        ['POST', '/Users', {}],
        ['GET', '/Users?filter=x', undefined],
        ['GET', '/Nothing', undefined],
        ['PATCH', `/Groups/${ulid()}`, { Operations: [] }],
        ['POST', '/Groups', '{'],
      ] as const) {
        const answer = await directory.call(method, path, body);
        expect(answer.headers.get('content-type')).toContain('application/scim+json');
        expect(answer.body).toMatchObject({
          schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
          status: String(answer.status),
          detail: expect.any(String),
        });
      }
    });
  });

  describe('filters:', () => {
    it.each([
      ['an apostrophe (wso2/product-is#6631)', 'name.givenName eq "A\'KELAH"'],
      ['one letter (wso2/product-is#5086)', 'name.givenName co "k"'],
      ['no quotation marks (wso2/charon#168)', "name.givenName Eq A'kelah"],
    ])('a name with %s', async (_what, filter) => {
      const id = await directory.create(newAddress(), { name: { givenName: "A'KELAH" } });
      await directory.create(newAddress(), { name: { givenName: 'Bo' } });
      expect(await idsOf('Users', filter)).toEqual([id]);
    });

    it('a userName without quotation marks (goauthentik/authentik#16677)', async () => {
      const email = newAddress();
      const id = await directory.create(email);
      for (const filter of [
        `userName eq ${email}`,
        `userName eq ${email} and active eq true`,
        `(userName eq ${email})`,
        `emails[value eq ${email}]`,
      ])
        expect(await idsOf('Users', filter)).toEqual([id]);
    });

    it('a number without quotation marks, as the text that it is', async () => {
      const id = await directory.create(newAddress(), {
        [ENTERPRISE]: { employeeNumber: '007' },
        title: '1e3',
      });
      for (const filter of [
        `${ENTERPRISE}:employeeNumber eq 007`,
        'title eq 1e3',
        'title sw 1',
        'userName ne 1',
      ])
        expect(await idsOf('Users', filter)).toEqual([id]);
    });

    it('a plus sign, encoded or not', async () => {
      const email = newAddress().replace('@', '+a@');
      const id = await directory.create(email);
      expect(await idsOf('Users', `userName eq "${email}"`)).toEqual([id]);
      const literal = await directory.call('GET', `/Users?filter=userName+eq+%22${email}%22`);
      expect(literal.status).toBe(200);
    });

    it('whether a person is a member, without the members (Infisical/infisical#6525)', async () => {
      const user = await directory.create(newAddress());
      const group = (await groupOf('Dispatch', user)).slice('/Groups/'.length);
      const filter = `id eq "${group}" and members eq "${user}"`;
      expect(await idsOf('Groups', filter, '&excludedAttributes=members')).toEqual([group]);
      expect(await idsOf('Groups', `id eq "${group}" and members eq "${ulid()}"`)).toEqual([]);
    });

    it.each([`${ENTERPRISE}:manager`, `${ENTERPRISE}:manager.value`])(
      'whether %s is a person (MicrosoftDocs/azure-docs#11784)',
      async (path) => {
        const id = await directory.create(newAddress(), { [ENTERPRISE]: { manager: '17' } });
        expect(await idsOf('Users', `id eq "${id}" and ${path} eq "17"`, '&attributes=id')).toEqual([id]);
        expect(await idsOf('Users', `id eq "${id}" and ${path} eq "18"`, '&attributes=id')).toEqual([]);
      },
    );

    it('members left out of one group (simpleidserver/SimpleIdServer#490, wso2/product-is#8498)', async () => {
      const path = await groupOf('Dispatch', await directory.create(newAddress()));
      expect(await bodyOf(`${path}?excludedAttributes=members`)).not.toHaveProperty('members');
      expect(await idsOf('Groups', 'displayName eq "Dispatch"', '&excludedAttributes=members')).toHaveLength(
        1,
      );
    });
  });
});
