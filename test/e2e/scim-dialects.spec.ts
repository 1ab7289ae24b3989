import { ulid } from 'ulid';
import { Organization } from '../support/organization.js';
import {
  GROUP_SCHEMA,
  type ScimAnswer,
  ScimDirectory,
  USER_SCHEMA,
  verifyDomain,
} from '../support/scim-directory.js';
import { TestApp } from '../support/test-app.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** Sequences of requests, as the documentation of each identity provider shows them. */
describe('The sequence of', () => {
  let app: TestApp;
  let organization: Organization;
  let directory: ScimDirectory;
  let domain: string;
  beforeAll(async () => {
    app = await TestApp.start();
    organization = await Organization.found(app);
    domain = `${ulid().toLowerCase()}.example`;
    await verifyDomain(organization, domain);
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    directory = await ScimDirectory.create(organization);
  });
  afterEach(() => organization.call('DELETE', `/directories/${directory.id}`));

  const find = (attribute: string, value: string, more = ''): Promise<ScimAnswer> =>
    directory.call('GET', `/Users?filter=${encodeURIComponent(`${attribute} eq "${value}"`)}${more}`);
  const statusOf = async (email: string): Promise<string | null> => {
    const [member] = await app.sql<{ status: string }>(
      'SELECT m.status FROM members m JOIN accounts a ON a.id = m.user_id WHERE m.tenant_id = $1 AND a.email_key = $2',
      [organization.id, email],
    );
    return member?.status ?? null;
  };
  const read = async (path: string) => (await directory.call('GET', path)).body;

  it('Entra ID', async () => {
    const email = `${ulid().toLowerCase()}@${domain}`;
    const externalId = ulid();
    expect((await find('externalId', externalId)).body).toMatchObject({ totalResults: 0, Resources: [] });
    const created = await directory.call('POST', '/Users', {
      schemas: [USER_SCHEMA, ENTERPRISE],
      externalId,
      userName: email,
      active: true,
      displayName: 'Ada Lovelace',
      meta: { resourceType: 'User' },
      name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
      roles: [],
    });
    expect(created.status).toBe(201);
    const path = `/Users/${String(created.body['id'])}`;
    const updated = await directory.patch(
      path,
      { op: 'Add', path: 'emails[type eq "work"].value', value: email },
      { op: 'Replace', path: 'name.familyName', value: 'King' },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: 'E-1' },
      { op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Engines' },
      { op: 'Replace', path: 'unknownAttribute', value: 'kept' },
    );
    expect(updated.status).toBe(200);
    expect(await read(path)).toMatchObject({
      emails: [{ type: 'work', value: email }],
      name: { familyName: 'King', givenName: 'Ada' },
      unknownAttribute: 'kept',
      [ENTERPRISE]: { department: 'Engines', manager: { value: 'E-1' } },
    });
    expect(await statusOf(email)).toBe('active');
    const group = await directory.call('POST', '/Groups', {
      schemas: [GROUP_SCHEMA],
      externalId: ulid(),
      displayName: 'Engineers',
      meta: { resourceType: 'Group' },
    });
    const groupPath = `/Groups/${String(group.body['id'])}`;
    const id = String(created.body['id']);
    await directory.patch(groupPath, { op: 'Add', path: 'members', value: [{ value: id }] });
    expect(await read(`${groupPath}?excludedAttributes=members`)).not.toHaveProperty('members');
    expect(await read(groupPath)).toMatchObject({ members: [{ value: id }] });
    await directory.patch(groupPath, { op: 'Remove', path: 'members', value: [{ value: id }] });
    expect(await read(groupPath)).not.toHaveProperty('members');
    await directory.patch(path, { op: 'Replace', path: 'active', value: 'False' });
    expect([await statusOf(email), (await read(path))['active']]).toEqual(['suspended', false]);
    await directory.patch(path, { op: 'Replace', path: 'active', value: 'True' });
    expect(await statusOf(email)).toBe('active');
    expect((await directory.call('DELETE', path)).status).toBe(204);
    expect([await statusOf(email), (await directory.call('GET', path)).status]).toEqual([null, 404]);
  });

  it('Okta', async () => {
    const email = `${ulid().toLowerCase()}@${domain}`;
    expect((await find('userName', email, '&startIndex=1&count=100')).body).toMatchObject({
      totalResults: 0,
      startIndex: 1,
      Resources: [],
    });
    const user = {
      schemas: [USER_SCHEMA],
      userName: email,
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ primary: true, value: email, type: 'work' }],
      displayName: 'Ada Lovelace',
      locale: 'en-US',
      externalId: ulid(),
      groups: [],
      password: 'canary-password',
      active: true,
    };
    const created = await directory.call('POST', '/Users', user);
    expect(created.status).toBe(201);
    expect((await directory.call('POST', '/Users', user)).status).toBe(409);
    const { password: _, groups: _groups, ...stored } = user;
    const path = `/Users/${String(created.body['id'])}`;
    expect(await read(path)).toMatchObject(stored);
    expect((await directory.call('PUT', path, { ...user, displayName: 'Ada King' })).status).toBe(200);
    const off = { schemas: [PATCH], Operations: [{ op: 'replace', value: { active: false } }] };
    expect((await directory.call('PATCH', path, off)).body).toMatchObject({
      active: false,
      displayName: 'Ada King',
    });
    expect(await statusOf(email)).toBe('suspended');
    const on = { schemas: [PATCH], Operations: [{ op: 'replace', value: { active: true } }] };
    expect((await directory.call('PATCH', path, on)).status).toBe(200);
    expect(await statusOf(email)).toBe('active');
    const members = [{ value: String(created.body['id']), display: email }];
    const group = await directory.call('POST', '/Groups', {
      schemas: [GROUP_SCHEMA],
      displayName: 'Pushed',
      members,
    });
    const groupPath = `/Groups/${String(group.body['id'])}`;
    await directory.patch(groupPath, { op: 'remove', path: `members[value eq "${members[0]!.value}"]` });
    await directory.patch(groupPath, { op: 'add', path: 'members', value: members });
    const renamed = { op: 'replace', value: { id: String(group.body['id']), displayName: 'Renamed' } };
    await directory.patch(groupPath, renamed);
    expect(await read(groupPath)).toMatchObject({
      displayName: 'Renamed',
      members: [{ value: members[0]!.value }],
    });
    const put = { schemas: [GROUP_SCHEMA], displayName: 'Renamed', members: [] };
    expect((await directory.call('PUT', groupPath, put)).body).not.toHaveProperty('members');
  });

  it.each(['JumpCloud', 'OneLogin', 'Google'])('%s, which replaces whole users', async (provider) => {
    const email = `${ulid().toLowerCase()}@${domain}`;
    const user = {
      schemas: [USER_SCHEMA],
      userName: email,
      externalId: ulid(),
      active: true,
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: email, type: 'work', primary: true }],
      ...(provider === 'Google' && { phoneNumbers: [{ value: '+44 20', type: 'work' }] }),
    };
    expect((await find('userName', email)).body).toMatchObject({ totalResults: 0 });
    const created = await directory.call('POST', '/Users', user, { 'Content-Type': 'application/json' });
    const path = `/Users/${String(created.body['id'])}`;
    expect((await directory.call('PUT', path, { ...user, active: false })).status).toBe(200);
    expect(await statusOf(email)).toBe('suspended');
    expect((await directory.call('PUT', path, { ...user, title: 'Countess' })).status).toBe(200);
    expect(await read(path)).toMatchObject({ ...user, title: 'Countess' });
    expect(await statusOf(email)).toBe('active');
    if (provider !== 'JumpCloud') expect((await directory.call('DELETE', path)).status).toBe(204);
  });
});
