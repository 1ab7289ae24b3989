import { decodeJwt } from 'jose';
import { ulid } from 'ulid';
import { Organization } from '../../support/organization.js';
import {
  GROUP_SCHEMA,
  type ScimAnswer,
  ScimDirectory,
  USER_SCHEMA,
  verifyDomain,
} from '../../support/scim-directory.js';
import { withApp } from '../../support/test-app.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
type Fields = Record<string, unknown>;
interface Attribute {
  readonly name: string;
  readonly subAttributes?: readonly Attribute[];
}

/**
 * What Microsoft checks before it lists an application in the gallery of Entra ID, in our words:
 * github.com/AzureAD/SCIMReferenceCode, "SCIM Provisioning Validation", of 2026, and the requests
 * of its collection for Postman. What it does at its own side is left out.
 */
describe('The validation by Microsoft', () => {
  let organization: Organization;
  let directory: ScimDirectory;
  let domain: string;
  const app = withApp();
  beforeAll(async () => {
    organization = await Organization.found(app);
    domain = `${ulid().toLowerCase()}.example`;
    await verifyDomain(organization, domain);
    directory = await ScimDirectory.create(organization);
  });

  const newAddress = () => `${ulid().toLowerCase()}@${domain}`;
  const userOf = (email: string, more: object = {}) => ({
    schemas: [USER_SCHEMA, ENTERPRISE],
    externalId: ulid(),
    userName: email,
    active: true,
    displayName: 'Ada Lovelace',
    name: { formatted: 'Ada Lovelace', givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ type: 'work', value: email, primary: true }],
    ...more,
  });
  const create = async (resource: 'Users' | 'Groups', body: object) => {
    const { status, body: created } = await directory.call('POST', `/${resource}`, body);
    expect([status, typeof created['id']]).toEqual([201, 'string']);
    return `/${resource}/${String(created['id'])}`;
  };
  const newUser = (more: object = {}) => create('Users', userOf(newAddress(), more));
  const newGroup = (more: object = {}) =>
    create('Groups', { schemas: [GROUP_SCHEMA], externalId: ulid(), displayName: ulid(), ...more });
  const read = async (path: string) => (await directory.call('GET', path)).body;
  const search = (resource: string, filter: string, more = '') =>
    directory.call('GET', `/${resource}?filter=${encodeURIComponent(filter)}${more}`);
  const patch = async (path: string, ...operations: object[]) => {
    const answer = await directory.patch(path, ...operations);
    expect([200, 204]).toContain(answer.status);
    return read(path);
  };
  const isList = ({ status, body }: ScimAnswer, total: number) => {
    expect([status, body['totalResults']]).toEqual([200, total]);
    expect(body['schemas']).toEqual(['urn:ietf:params:scim:api:messages:2.0:ListResponse']);
    expect((body['Resources'] as unknown[]).length).toBe(total);
  };

  it('finds each attribute of its default mapping in /Schemas', async () => {
    const schemas = (await read('/Schemas'))['Resources'] as { id: string; attributes: Attribute[] }[];
    const names = schemas.flatMap(({ id, attributes }) =>
      attributes.flatMap(({ name, subAttributes = [] }) => [
        `${id}:${name}`,
        ...subAttributes.map((sub) => `${id}:${name}.${sub.name}`),
      ]),
    );
    const own = (schema: string, list: string) => list.split(' ').map((name) => `${schema}:${name}`);
    expect(names).toEqual(
      expect.arrayContaining([
        ...own(
          USER_SCHEMA,
          'userName active displayName title preferredLanguage nickName userType locale timezone profileUrl ' +
            'name.givenName name.familyName name.formatted name.middleName emails.value emails.type emails.primary ' +
            'addresses.formatted addresses.streetAddress addresses.locality addresses.region addresses.postalCode ' +
            'addresses.country addresses.type phoneNumbers.value phoneNumbers.type roles.value roles.type roles.primary',
        ),
        ...own(
          ENTERPRISE,
          'employeeNumber costCenter organization division department manager manager.value',
        ),
        ...own(GROUP_SCHEMA, 'displayName members members.value'),
      ]),
    );
  });

  describe('of users', () => {
    it('creates one, reads it, and finds it by name in any case', async () => {
      const email = newAddress();
      const sent = userOf(email);
      const path = await create('Users', sent);
      expect(await read(path)).toMatchObject({
        ...sent,
        schemas: [USER_SCHEMA],
        meta: { resourceType: 'User' },
      });
      isList(await search('Users', `userName eq "${email}"`), 1);
      isList(await search('Users', `userName eq "${email.toUpperCase()}"`), 1);
    });

    it('finds none, with 200', async () => {
      isList(await search('Users', 'userName eq "not-there"'), 0);
      expect((await directory.call('GET', `/Users/${ulid()}`)).status).toBe(404);
    });

    it('is refused a second one of the name, with 409', async () => {
      const email = newAddress();
      await create('Users', userOf(email));
      const second = await directory.call('POST', '/Users', userOf(email));
      expect(second).toMatchObject({ status: 409, body: { scimType: 'uniqueness', status: '409' } });
    });

    const values: Record<string, string> = {
      displayName: 'A',
      title: 'B',
      preferredLanguage: 'en-GB',
      nickName: 'C',
      userType: 'D',
      locale: 'en-GB',
      timezone: 'Europe/London',
      'name.givenName': 'E',
      'name.familyName': 'F',
      'name.formatted': 'E F',
      'name.honorificPrefix': 'Dr.',
      'emails[type eq "work"].display': 'G',
      'addresses[type eq "work"].formatted': 'H',
      'addresses[type eq "work"].streetAddress': 'I',
      'addresses[type eq "work"].locality': 'J',
      'addresses[type eq "work"].region': 'K',
      'addresses[type eq "work"].postalCode': 'L',
      'addresses[type eq "work"].country': 'GB',
      'phoneNumbers[type eq "work"].value': '+44 20',
      'phoneNumbers[type eq "mobile"].value': '+44 7',
      'phoneNumbers[type eq "fax"].value': '+44 21',
      'roles[primary eq "True"].value': 'M',
      [`${ENTERPRISE}:employeeNumber`]: '1815',
      [`${ENTERPRISE}:costCenter`]: 'N',
      [`${ENTERPRISE}:organization`]: 'O',
      [`${ENTERPRISE}:division`]: 'P',
      [`${ENTERPRISE}:department`]: 'Q',
    };
    /** Value at the path of an operation. */
    const at = (user: Fields, path: string): unknown => {
      const holder = (path.startsWith(ENTERPRISE) ? user[ENTERPRISE] : user) as Fields | undefined;
      const rest = path.replace(`${ENTERPRISE}:`, '');
      const [, name = rest, key, wanted, sub] = /^(\w+)\[(\w+) eq "(\w+)"\]\.(\w+)$/.exec(rest) ?? [];
      if (key === undefined)
        return rest
          .split('.')
          .reduce<unknown>((value, part) => (value as Fields | undefined)?.[part], holder);
      const list = (holder?.[name] ?? []) as Fields[];
      return list.find((one) => String(one[key]).toLowerCase() === wanted?.toLowerCase())?.[sub ?? ''];
    };

    it.each(['Add', 'Replace'])('sets each attribute by %s, together and one by one', async (op) => {
      const [together, alone] = [await newUser(), await newUser()];
      const operations = Object.entries(values).map(([path, value]) => ({ op, path, value }));
      const user = await patch(together, ...operations);
      for (const operation of operations) await patch(alone, operation);
      const other = await read(alone);
      for (const [path, value] of Object.entries(values))
        expect([path, at(user, path), at(other, path)]).toEqual([path, value, value]);
    });

    it.each([
      ['an empty text', ''],
      ['null', null],
    ])('takes attributes away by %s', async (_what, none) => {
      const path = await newUser();
      const names = Object.keys(values).filter((name) => !/^(?:displayName|name\.|emails)/.test(name));
      await patch(path, ...names.map((name) => ({ op: 'Add', path: name, value: values[name] })));
      const user = await patch(path, ...names.map((name) => ({ op: 'Replace', path: name, value: none })));
      for (const name of names) expect([name, at(user, name) ?? '']).toEqual([name, '']);
      const again = await patch(path, ...names.map((name) => ({ op: 'Replace', path: name, value: none })));
      for (const name of names) expect([name, at(again, name) ?? '']).toEqual([name, '']);
    });

    it('sets, changes and removes a manager', async () => {
      const [path, first, second] = [await newUser(), ulid(), ulid()];
      const operation = { path: `${ENTERPRISE}:manager` };
      const managerOf = (user: Fields) =>
        ((user[ENTERPRISE] as Fields | undefined)?.['manager'] as Fields | undefined)?.['value'];
      expect(managerOf(await patch(path, { op: 'Add', ...operation, value: first }))).toBe(first);
      expect(managerOf(await patch(path, { op: 'Replace', ...operation, value: second }))).toBe(second);
      expect(managerOf(await patch(path, { op: 'Replace', ...operation, value: '' }))).toBeUndefined();
      expect(managerOf(await patch(path, { op: 'Add', ...operation, value: first }))).toBe(first);
      expect(managerOf(await patch(path, { op: 'Remove', ...operation }))).toBeUndefined();
    });

    it('renames and disables one, whom it finds still', async () => {
      const [path, renamed] = [await newUser(), newAddress()];
      await patch(path, { op: 'Replace', path: 'userName', value: renamed });
      isList(await search('Users', `userName eq "${renamed}"`), 1);
      expect((await patch(path, { op: 'Replace', path: 'active', value: false }))['active']).toBe(false);
      isList(await search('Users', `userName eq "${renamed}"`), 1);
      expect((await patch(path, { op: 'Replace', path: 'active', value: true }))['active']).toBe(true);
    });

    it('deletes one once, and restores it by a new one', async () => {
      const email = newAddress();
      const path = await create('Users', userOf(email));
      const statuses = [];
      for (const _time of ['first', 'second']) statuses.push((await directory.call('DELETE', path)).status);
      expect([...statuses, (await directory.call('GET', path)).status]).toEqual([204, 404, 404]);
      isList(await search('Users', `userName eq "${email}"`), 0);
      expect(await create('Users', userOf(email))).not.toBe(path);
      isList(await search('Users', `userName eq "${email}"`), 1);
      expect((await directory.call('DELETE', `/Users/${ulid()}`)).status).toBe(404);
    });
  });

  describe('of groups', () => {
    it('creates one, finds it in any case, and renames it', async () => {
      const [name, renamed, externalId] = [`a ${ulid()}`, `b ${ulid()}`, ulid()];
      const path = await newGroup({ displayName: name });
      for (const wanted of [name, name.toUpperCase()])
        isList(await search('Groups', `displayName eq "${wanted}"`, '&excludedAttributes=members'), 1);
      const operations = { displayName: renamed, externalId };
      const group = await patch(
        path,
        ...Object.entries(operations).map(([key, value]) => ({ op: 'Replace', path: key, value })),
      );
      expect(group).toMatchObject({ ...operations, meta: { resourceType: 'Group' } });
      isList(await search('Groups', `displayName eq "${name}"`), 0);
    });

    it('adds and removes members', async () => {
      const [path, user] = [await newGroup(), (await newUser()).slice('/Users/'.length)];
      const operation = { path: 'members', value: [{ $ref: null, value: user }] };
      expect(await patch(path, { op: 'Add', ...operation })).toMatchObject({ members: [{ value: user }] });
      expect(await patch(path, { op: 'Remove', ...operation })).not.toHaveProperty('members');
      expect(await patch(path, { op: 'Replace', ...operation })).toMatchObject({
        members: [{ value: user }],
      });
      expect(await patch(path, { op: 'Remove', path: `members[value eq "${user}"]` })).not.toHaveProperty(
        'members',
      );
    });

    it('deletes one once, and restores it by a new one', async () => {
      const displayName = ulid();
      const path = await newGroup({ displayName });
      const statuses = [];
      for (const _time of ['first', 'second']) statuses.push((await directory.call('DELETE', path)).status);
      expect(statuses).toEqual([204, 404]);
      isList(await search('Groups', `displayName eq "${displayName}"`), 0);
      await newGroup({ displayName });
      isList(await search('Groups', `displayName eq "${displayName}"`), 1);
    });
  });

  it.each(['Users', 'Groups'] as const)(
    'reads pages of five %s, each from where it asked',
    async (resource) => {
      for (let n = 0; n < 11; n += 1) await (resource === 'Users' ? newUser() : newGroup());
      const seen: string[] = [];
      for (let page = 0; page < 3; page += 1) {
        const { status, body } = await directory.call(
          'GET',
          `/${resource}?startIndex=${page * 5 + 1}&count=5`,
        );
        const found = body['Resources'] as { id: string }[];
        expect([status, body['startIndex'], body['itemsPerPage']]).toEqual([200, page * 5 + 1, found.length]);
        seen.push(...found.map(({ id }) => id));
      }
      expect(seen.length).toBeGreaterThanOrEqual(11);
      expect(new Set(seen).size).toBe(seen.length);
    },
  );

  it('gets an access token for one to six hours by client credentials', async () => {
    const form = {
      grant_type: 'client_credentials',
      client_id: directory.id,
      client_secret: directory.token,
    };
    const answer = await fetch(`${app.url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const { access_token: token, expires_in: seconds } = (await answer.json()) as {
      access_token: string;
      expires_in: number;
    };
    expect([answer.status, seconds >= 3_600, seconds <= 21_600]).toEqual([200, true, true]);
    const { exp = 0, iat = 0 } = decodeJwt(token);
    expect(exp - iat).toBe(seconds);
    const headers = { Authorization: `Bearer ${token}` };
    const users = await fetch(`${app.url}/api/scim/v2/${directory.id}/Users`, { headers });
    expect(users.status).toBe(200);
  });
});
