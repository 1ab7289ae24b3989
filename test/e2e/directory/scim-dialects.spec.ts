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
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** Schema that Entra ID names next to the standard one of groups. */
const ENTRA_GROUP = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';

/**
 * Sequences of requests of identity providers, each after the document named with it, as
 * it was in November 2026.
 */
describe('The sequence of', () => {
  let organization: Organization;
  let directory: ScimDirectory;
  let domain: string;
  const app = withApp();
  beforeAll(async () => {
    organization = await Organization.found(app);
    domain = `${ulid().toLowerCase()}.example`;
    await verifyDomain(organization, domain);
  });
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
    // The account follows the address of its record.
    const renamed = `new-${email}`;
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
      { op: 'Replace', path: 'emails[type eq "work"].value', value: renamed },
      { op: 'Replace', path: 'name.familyName', value: 'King' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+44 20' },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: 'E-1' },
      { op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Engines' },
      { op: 'Replace', path: 'unknownAttribute', value: 'kept' },
    );
    expect(updated.status).toBe(200);
    await directory.patch(path, { op: 'Replace', path: 'userName', value: renamed });
    expect(await read(path)).toMatchObject({
      userName: renamed,
      emails: [{ primary: true, type: 'work', value: renamed }],
      phoneNumbers: [{ type: 'mobile', value: '+44 20' }],
      name: { formatted: 'Ada Lovelace', familyName: 'King', givenName: 'Ada' },
      unknownAttribute: 'kept',
      [ENTERPRISE]: { department: 'Engines', manager: { value: 'E-1' } },
    });
    expect(await statusOf(renamed)).toBe('active');
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
    const added = { op: 'Add', path: 'members', value };
    const short = await directory.patch(`${groupPath}?excludedAttributes=members`, added);
    expect([short.status, 'members' in short.body]).toEqual([200, false]);
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
      expect([await statusOf(renamed), (await read(path))['active']]).toEqual(['suspended', false]);
      await directory.patch(path, { op: 'Replace', path: 'active', value: on });
      expect(await statusOf(renamed)).toBe('active');
    }
    expect((await directory.call('DELETE', path)).status).toBe(204);
    expect([await statusOf(renamed), (await directory.call('GET', path)).status]).toEqual([null, 404]);
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
    // An empty group that is pushed (jelhub/scimgateway#113).
    const pushed = { members: [], id: String(group.body['id']), displayName: 'Renamed' };
    await directory.patch(groupPath, { op: 'replace', value: pushed });
    expect(await read(groupPath)).not.toHaveProperty('members');
    await directory.patch(groupPath, { op: 'replace', path: 'members', value: members });
    expect(await read(groupPath)).toMatchObject({ members: [{ value: members[0]!.value }] });
    const put = { schemas: [GROUP_SCHEMA], displayName: 'Renamed', members: [] };
    expect((await directory.call('PUT', groupPath, put)).body).not.toHaveProperty('members');
    expect((await directory.call('DELETE', groupPath)).status).toBe(204);
  });

  /** Groups whose members a provider adds and removes by a list of values. */
  const membersByValues = async (json: Record<string, string>, displayName: string, id: string) => {
    const patch = (path: string, ...Operations: object[]) =>
      directory.call('PATCH', path, { schemas: [PATCH], Operations }, json);
    const value = [{ value: id }];
    const { status, body } = await directory.call(
      'POST',
      '/Groups',
      { schemas: [GROUP_SCHEMA], displayName, members: value },
      json,
    );
    expect([status, body]).toEqual([201, expect.objectContaining({ displayName })]);
    const path = `/Groups/${String(body['id'])}`;
    expect(await read(path)).toMatchObject({ members: value });
    expect((await patch(path, { op: 'remove', path: 'members', value })).status).toBe(200);
    expect(await read(path)).not.toHaveProperty('members');
    expect((await patch(path, { op: 'add', path: 'members', value })).status).toBe(200);
    expect(await read(path)).toMatchObject({ members: value });
    expect((await patch(path, { op: 'replace', value: { displayName: `${displayName} 2` } })).status).toBe(
      200,
    );
    expect(await read(path)).toMatchObject({ displayName: `${displayName} 2`, members: value });
    return path;
  };

  /*
   * JumpCloud, "Identity Management using a Custom SCIM Integration" and its list of events
   * (support.jumpcloud.com/s/article/Custom-SCIM-Identity-Management): the connection is tested
   * with a person and a group, which are deleted again. A person is looked up, then created or
   * replaced; one who leaves becomes inactive. A group of the same name is taken over; groups are
   * renamed, and deleted. Members come as a list of values
   * (app.uni-moni.com/en/kb/sso-setup-jumpcloud).
   */
  it('JumpCloud', async () => {
    const json = { 'Content-Type': 'application/json' };
    const userOf = (email: string, more: object = {}) => ({
      schemas: [USER_SCHEMA, ENTERPRISE],
      userName: email,
      externalId: `jc-${email}`,
      name: { givenName: 'Ada', familyName: 'Lovelace', formatted: 'Ada Lovelace' },
      displayName: 'Ada Lovelace',
      emails: [{ value: email, type: 'work', primary: true }],
      active: true,
      [ENTERPRISE]: { department: 'Engines', employeeNumber: '1815' },
      ...more,
    });
    const [tester, email] = [`test-${ulid().toLowerCase()}@${domain}`, `${ulid().toLowerCase()}@${domain}`];
    for (const [address, isTest] of [
      [tester, true],
      [email, false],
    ] as const) {
      expect((await find('userName', address)).body).toMatchObject({ totalResults: 0, Resources: [] });
      const user = userOf(address);
      const created = await directory.call('POST', '/Users', user, json);
      expect(created).toMatchObject({ status: 201, body: user });
      const id = String(created.body['id']);
      const path = `/Users/${id}`;
      expect((await find('userName', address)).body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
      const changed = userOf(address, {
        displayName: 'Ada King',
        phoneNumbers: [{ value: '+44 20', type: 'work' }],
      });
      expect((await directory.call('PUT', path, changed, json)).status).toBe(200);
      expect(await read(path)).toMatchObject(changed);
      expect(await statusOf(address)).toBe('active');
      const group = await membersByValues(json, `Engineers of ${address}`, id);
      const named = encodeURIComponent(`displayName eq "Engineers of ${address} 2"`);
      expect(await read(`/Groups?filter=${named}`)).toMatchObject({ totalResults: 1 });
      expect((await directory.call('PUT', path, { ...changed, active: false }, json)).status).toBe(200);
      expect([await statusOf(address), (await read(path))['active']]).toEqual(['suspended', false]);
      if (!isTest) {
        expect((await directory.call('PUT', path, changed, json)).status).toBe(200);
        expect(await statusOf(address)).toBe('active');
        expect(await read(group)).toMatchObject({ members: [{ value: id }] });
      }
      expect((await directory.call('DELETE', path)).status).toBe(204);
      expect(await read(group)).not.toHaveProperty('members');
      expect((await directory.call('DELETE', group)).status).toBe(204);
      expect(await statusOf(address)).toBeNull();
    }
  });

  /*
   * OneLogin, "Implement RESTful SCIM APIs for Your App" (developers.onelogin.com/scim) and
   * KB0013904 (onelogin.service-now.com): a connection is tested by a userName that does not exist;
   * people are sent as a template of the customer, such as those of livingsecurity.com and
   * keepnetlabs.com: `active` as a text, `id` null, an address without a type, a schema of SCIM
   * 1.1, one e-mail as an object, a manager with a name. Groups are read, and their members
   * added by PATCH, with the type of SCIM (goauthentik/authentik#11249).
   */
  it('OneLogin', async () => {
    const json = { 'Content-Type': 'application/scim+json' };
    const email = `${ulid().toLowerCase()}@${domain}`;
    const userName = email.replace('@', '.at.');
    const address = { value: email, type: 'work', primary: true };
    const stored = {
      userName,
      name: { familyName: 'Lovelace', givenName: 'Ada', formatted: 'Ada Lovelace' },
      title: 'Countess',
      addresses: [{ locality: 'London', region: 'England', country: 'GB' }],
      [ENTERPRISE]: {
        department: 'Engines',
        manager: { value: '17', displayName: 'Charles Babbage' },
      },
    };
    const template = (more: object = {}) => ({
      ...stored,
      id: null,
      schemas: ['urn:scim:schemas:core:1.0', USER_SCHEMA, ENTERPRISE],
      active: 'true',
      emails: address,
      meta: { resourceType: 'User' },
      timezone: null,
      ...more,
    });
    expect((await find('userName', 'does-not-exist')).body).toMatchObject({ totalResults: 0, Resources: [] });
    expect((await find('userName', userName)).body).toMatchObject({ totalResults: 0 });
    const created = await directory.call('POST', '/Users', template(), json);
    expect(created).toMatchObject({ status: 201, body: { ...stored, active: true, emails: [address] } });
    const id = String(created.body['id']);
    const path = `/Users/${id}`;
    expect(created.body['schemas']).toEqual([USER_SCHEMA, ENTERPRISE]);
    expect(created.body).not.toHaveProperty('timezone');
    const { manager: _, ...without } = stored[ENTERPRISE] as { manager: object; department: string };
    const changed = { title: 'Programmer', [ENTERPRISE]: without };
    expect((await directory.call('PUT', path, template(changed), json)).status).toBe(200);
    expect((await read(path))[ENTERPRISE]).toEqual(without);
    expect(await read('/Groups?startIndex=1&count=100')).toMatchObject({ totalResults: 0, startIndex: 1 });
    const group = await membersByValues(json, 'Engineers', id);
    expect(await read('/Groups')).toMatchObject({ Resources: [{ displayName: 'Engineers 2' }] });
    for (const [active, status] of [
      ['false', 'suspended'],
      ['true', 'active'],
    ]) {
      expect((await directory.call('PUT', path, template({ active }), json)).status).toBe(200);
      expect(await statusOf(email)).toBe(status);
    }
    expect(await read(group)).toMatchObject({ members: [{ value: id }] });
    expect((await directory.call('DELETE', path)).status).toBe(204);
    expect(await statusOf(email)).toBeNull();
  });

  /*
   * Google, "Automated user provisioning" (support.google.com/a/answer/7681608): suspended people
   * become inactive, deleted ones are deleted after the days that were chosen; groups are not sent.
   * Requests as grokability/snipe-it#12642 shows them, in plain JSON (pond/scimitar#142): a list
   * without parameters first, then a filter with a `startIndex`, and a schema of SCIM 1.1.
   */
  it('Google', async () => {
    const json = { 'Content-Type': 'application/json', 'User-Agent': 'Google-Auto-Provisioning' };
    const email = `${ulid().toLowerCase()}@${domain}`;
    const stored = {
      userName: email,
      emails: [{ primary: true, value: email, type: 'work' }],
      displayName: 'Ada Lovelace',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      active: true,
      phoneNumbers: [{ value: '+44 20', type: 'work' }],
    };
    const user = { schemas: ['urn:scim:schemas:core:1.0', USER_SCHEMA], ...stored };
    const list = await directory.call('GET', '/Users', undefined, json);
    expect(list).toMatchObject({ status: 200, body: { totalResults: 0, startIndex: 1, Resources: [] } });
    expect((await find('userName', email, '&startIndex=1')).body).toMatchObject({ totalResults: 0 });
    const created = await directory.call('POST', '/Users', user, json);
    expect(created).toMatchObject({ status: 201, body: stored });
    const id = String(created.body['id']);
    const path = `/Users/${id}`;
    expect((await find('userName', email, '&startIndex=1')).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id, ...stored }],
    });
    const renamed = { ...user, id, displayName: 'Ada King', name: { givenName: 'Ada', familyName: 'King' } };
    for (const [sent, status] of [
      [renamed, 'active'],
      [{ ...renamed, active: false }, 'suspended'],
      [renamed, 'active'],
      [{ ...renamed, active: false }, 'suspended'],
    ] as const) {
      const { schemas: _, ...kept } = sent;
      expect(await directory.call('PUT', path, sent, json)).toMatchObject({ status: 200, body: kept });
      expect(await read(path)).toMatchObject(kept);
      expect(await statusOf(email)).toBe(status);
    }
    expect((await directory.call('DELETE', path, undefined, json)).status).toBe(204);
    expect([await statusOf(email), (await directory.call('GET', path)).status]).toEqual([null, 404]);
  });
});
