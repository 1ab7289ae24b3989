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
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** Schema that Entra ID names beside the standard one of groups. */
const ENTRA_GROUP = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';

/**
 * Sequences of requests of identity providers, each after the document that is named beside it, as
 * it was in November 2026.
 */
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

  /*
   * Microsoft, "Develop and plan provisioning for a SCIM endpoint in Microsoft Entra ID", sections
   * "User Operations" and "Group Operations"
   * (learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups).
   * It sends "False" as text without the flag `aadOptscim062020`
   * (…/app-provisioning/application-provisioning-config-problem-scim-compatibility).
   */
  it('Entra ID', async () => {
    const email = `${ulid().toLowerCase()}@${domain}`;
    const externalId = ulid();
    expect((await find('userName', 'non-existent user')).body).toMatchObject({
      totalResults: 0,
      Resources: [],
    });
    expect((await read('/Schemas'))['schemas']).toEqual([LIST]);
    expect((await find('externalId', externalId)).body).toMatchObject({ totalResults: 0, Resources: [] });
    const created = await directory.call('POST', '/Users', {
      schemas: [USER_SCHEMA, ENTERPRISE],
      externalId,
      userName: email,
      active: true,
      emails: [{ primary: true, type: 'work', value: email }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
      roles: [],
    });
    expect(created.status).toBe(201);
    const id = String(created.body['id']);
    const path = `/Users/${id}`;
    expect((await find('userName', email)).body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
    expect((await find('emails[type eq "work"].value', email)).body).toMatchObject({ totalResults: 1 });
    const updated = await directory.patch(
      path,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: `new-${email}` },
      { op: 'Replace', path: 'name.familyName', value: 'King' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+44 20' },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: 'E-1' },
      { op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Engines' },
      { op: 'Replace', path: 'unknownAttribute', value: 'kept' },
    );
    expect(updated.status).toBe(200);
    await directory.patch(path, { op: 'Replace', path: 'userName', value: `new-${email}` });
    expect(await read(path)).toMatchObject({
      userName: `new-${email}`,
      emails: [{ primary: true, type: 'work', value: `new-${email}` }],
      phoneNumbers: [{ type: 'mobile', value: '+44 20' }],
      name: { formatted: 'Ada Lovelace', familyName: 'King', givenName: 'Ada' },
      unknownAttribute: 'kept',
      [ENTERPRISE]: { department: 'Engines', manager: { value: 'E-1' } },
    });
    expect(await statusOf(email)).toBe('active');
    const group = await directory.call('POST', '/Groups', {
      schemas: [GROUP_SCHEMA, ENTRA_GROUP],
      externalId: ulid(),
      displayName: 'Engineers',
      meta: { resourceType: 'Group' },
    });
    const groupPath = `/Groups/${String(group.body['id'])}`;
    await directory.patch(groupPath, { op: 'Replace', path: 'displayName', value: 'All engineers' });
    const filter = encodeURIComponent('displayName eq "All engineers"');
    const found = await read(`/Groups?excludedAttributes=members&filter=${filter}`);
    expect(found).toMatchObject({ totalResults: 1, Resources: [{ displayName: 'All engineers' }] });
    const value = [{ $ref: null, value: id }];
    await directory.patch(groupPath, { op: 'Add', path: 'members', value });
    expect(await read(`${groupPath}?excludedAttributes=members`)).not.toHaveProperty('members');
    expect(await read(groupPath)).toMatchObject({ members: [{ value: id }] });
    await directory.patch(groupPath, { op: 'Remove', path: 'members', value });
    expect(await read(groupPath)).not.toHaveProperty('members');
    expect((await directory.call('DELETE', groupPath)).status).toBe(204);
    for (const [off, on] of [
      [false, true],
      ['False', 'True'],
    ]) {
      await directory.patch(path, { op: 'Replace', path: 'active', value: off });
      expect([await statusOf(email), (await read(path))['active']]).toEqual(['suspended', false]);
      await directory.patch(path, { op: 'Replace', path: 'active', value: on });
      expect(await statusOf(email)).toBe('active');
    }
    expect((await directory.call('DELETE', path)).status).toBe(204);
    expect([await statusOf(email), (await directory.call('GET', path)).status]).toEqual([null, 404]);
  });

  /*
   * Okta, "Okta and SCIM Version 2.0", sections "SCIM User operations" and "SCIM Group operations"
   * (developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20).
   */
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
    const [address] = user.emails;
    const whole = {
      ...stored,
      id: String(created.body['id']),
      name: { givenName: 'Ada', middleName: 'King', familyName: 'Lovelace' },
      emails: [{ ...address, display: email }],
      displayName: 'Ada King',
      meta: { resourceType: 'User' },
    };
    expect((await directory.call('PUT', path, { ...whole, groups: [] })).body).toMatchObject(whole);
    const off = { schemas: [PATCH], Operations: [{ op: 'replace', value: { active: false } }] };
    expect((await directory.call('PATCH', path, off)).body).toMatchObject({
      active: false,
      displayName: 'Ada King',
    });
    expect(await statusOf(email)).toBe('suspended');
    const on = { schemas: [PATCH], Operations: [{ op: 'replace', value: { active: true } }] };
    expect((await directory.call('PATCH', path, on)).status).toBe(200);
    expect(await statusOf(email)).toBe('active');
    expect(await read('/Groups?startIndex=1&count=100')).toMatchObject({ totalResults: 0, startIndex: 1 });
    const members = [{ value: String(created.body['id']), display: email }];
    const group = await directory.call('POST', '/Groups', {
      schemas: [GROUP_SCHEMA],
      displayName: 'Pushed',
      members: [],
    });
    const groupPath = `/Groups/${String(group.body['id'])}`;
    await directory.patch(
      groupPath,
      { op: 'remove', path: `members[value eq "${ulid()}"]` },
      { op: 'add', path: 'members', value: members },
    );
    const renamed = { op: 'replace', value: { id: String(group.body['id']), displayName: 'Renamed' } };
    await directory.patch(groupPath, renamed);
    expect(await read(groupPath)).toMatchObject({
      displayName: 'Renamed',
      members: [{ value: members[0]!.value }],
    });
    await directory.patch(groupPath, { op: 'replace', path: 'members', value: [] });
    expect(await read(groupPath)).not.toHaveProperty('members');
    await directory.patch(groupPath, { op: 'replace', path: 'members', value: members });
    expect(await read(groupPath)).toMatchObject({ members: [{ value: members[0]!.value }] });
    const put = { schemas: [GROUP_SCHEMA], displayName: 'Renamed', members: [] };
    expect((await directory.call('PUT', groupPath, put)).body).not.toHaveProperty('members');
    expect((await directory.call('DELETE', groupPath)).status).toBe(204);
  });

  /*
   * JumpCloud, "Identity Management using a Custom SCIM Integration" (jumpcloud.com/support): a
   * test user and a test group are made and deleted, and a person who leaves becomes inactive.
   * OneLogin, "Implement RESTful SCIM APIs for Your App" (developers.onelogin.com/scim): a
   * connection is tested by a `userName` that does not exist. It sends one address as an object.
   * Google, "Automated user provisioning" (support.google.com/a/answer/7681608): suspended people
   * become inactive, deleted ones are deleted. It publishes no requests; their type is plain JSON.
   */
  it.each(['JumpCloud', 'OneLogin', 'Google'])('%s, which replaces whole users', async (provider) => {
    const email = `${ulid().toLowerCase()}@${domain}`;
    const address = { value: email, type: 'work', primary: true };
    const stored = {
      schemas: [USER_SCHEMA],
      userName: provider === 'OneLogin' ? email.replace('@', '.at.') : email,
      externalId: ulid(),
      active: true,
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [address],
      ...(provider === 'Google' && { phoneNumbers: [{ value: '+44 20', type: 'work' }] }),
    };
    const user = { ...stored, ...(provider === 'OneLogin' && { emails: address }) };
    const json = { 'Content-Type': 'application/json' };
    expect((await find('userName', stored.userName)).body).toMatchObject({ totalResults: 0 });
    const created = await directory.call('POST', '/Users', user, json);
    expect(created).toMatchObject({ status: 201, body: stored });
    const path = `/Users/${String(created.body['id'])}`;
    expect((await directory.call('PUT', path, { ...user, active: false }, json)).status).toBe(200);
    expect(await statusOf(email)).toBe('suspended');
    expect((await directory.call('PUT', path, { ...user, title: 'Countess' }, json)).status).toBe(200);
    expect(await read(path)).toMatchObject({ ...stored, title: 'Countess' });
    expect(await statusOf(email)).toBe('active');
    if (provider !== 'Google') {
      const group = { schemas: [GROUP_SCHEMA], displayName: 'Engineers' };
      const { body } = await directory.call('POST', '/Groups', group, json);
      const groupPath = `/Groups/${String(body['id'])}`;
      const value = [{ value: String(created.body['id']) }];
      await directory.patch(groupPath, { op: 'add', path: 'members', value });
      expect(await read(groupPath)).toMatchObject({ members: value });
      await directory.patch(groupPath, { op: 'remove', path: 'members', value });
      expect(await read(groupPath)).not.toHaveProperty('members');
      expect((await directory.call('DELETE', groupPath)).status).toBe(204);
    }
    expect((await directory.call('DELETE', path)).status).toBe(204);
    expect(await statusOf(email)).toBeNull();
  });
});
