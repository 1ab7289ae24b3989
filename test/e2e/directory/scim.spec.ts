import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { ulid } from 'ulid';
import { AccountService, OperatorService, SuspensionService } from '../../../src/iam/index.js';
import type { UserId } from '../../../src/kernel/principal.js';
import { byTwoFactors } from '../../support/factors.js';
import { behindLock, inTurnBehind } from '../../support/locks.js';
import { Organization, Person } from '../../support/organization.js';
import {
  GROUP_SCHEMA as GROUP,
  ScimDirectory as Directory,
  type ScimAnswer as Answer,
  USER_SCHEMA as USER,
  userOf,
  verifyDomain as verify,
} from '../../support/scim-directory.js';
import { eventually, itemsOf, withApp } from '../../support/test-app.js';

const BULK = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

let acme: Organization;
let entra: Directory;
let domain: string;

const app = withApp();
beforeAll(async () => {
  acme = await Organization.found(app);
  entra = await Directory.create(acme);
  domain = `${ulid().toLowerCase()}.example`;
  await verify(acme, domain);
});
/** An organization can have ten directories. */
afterEach(() => app.sql('DELETE FROM directories WHERE tenant_id = $1 AND id <> $2', [acme.id, entra.id]));

const newAddress = () => `${ulid().toLowerCase()}@${domain}`;
const memberOf = async ({ id }: Organization, email: string) => {
  const [found] = await app.sql<{
    userId: string;
    status: string;
    source: string;
    roles: string[];
    suspended: boolean;
  }>(
    `SELECT m.user_id AS "userId", m.status, m.source, a.suspended_at IS NOT NULL AS suspended,
       ARRAY(SELECT DISTINCT r.key FROM member_roles mr JOIN roles r ON r.tenant_id = mr.tenant_id AND r.id = mr.role_id
         WHERE mr.tenant_id = m.tenant_id AND mr.user_id = m.user_id ORDER BY r.key) AS roles
     FROM members m JOIN accounts a ON a.id = m.user_id WHERE m.tenant_id = $1 AND a.email_key = $2`,
    [id, email],
  );
  return found ?? null;
};
const stateOf = async (directory: Directory, id: string) => {
  const users = itemsOf<{ id: string; state: string; reason: string | null }>(
    await directory.organization.call('GET', `/directories/${directory.id}/users?limit=100`),
  );
  const { state, reason } = users.find((user) => user.id === id)!;
  return { state, reason };
};
/** A person with an address in the domain, who is a member of an organization already. */
const personOf = async (organization: Organization, ...roles: string[]) => {
  const person = await Person.signUp(app, newAddress());
  return { person, token: await organization.admit(person, ...roles) };
};

describe('SCIM authenticates', () => {
  it('a token of the directory alone', async () => {
    const other = await Directory.create(acme);
    const foreign = await Directory.create(await Organization.found(app));
    const id = await entra.create(newAddress());
    for (const token of [other.token, foreign.token]) {
      const headers = { Authorization: `Bearer ${token}` };
      const known = await entra.call('GET', `/Users/${id}`, undefined, headers);
      const unknown = await entra.call('GET', `/Users/${ulid()}`, undefined, headers);
      expect([known.status, known.body]).toEqual([404, unknown.body]);
      expect((await entra.call('GET', '/Users', undefined, headers)).status).toBe(404);
    }
    for (const token of [
      '',
      'x',
      acme.owner.token,
      `${entra.token.slice(0, -1)}_`,
      entra.token.replace(/.$/, '-'),
    ]) {
      const refused = await entra.call('GET', '/Users', undefined, { Authorization: `Bearer ${token}` });
      expect(refused).toMatchObject({ status: 401, body: { status: '401' } });
      expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  it.each(['the same organization', 'another organization'])(
    'nothing of a directory of %s',
    async (where) => {
      const owner = where === 'the same organization' ? acme : await Organization.found(app);
      const [attacker, victim] = [await Directory.create(acme), await Directory.create(owner)];
      const theirs = await victim.create(newAddress());
      const path = `/Users/${theirs}`;
      const before = (await victim.call('GET', path)).body;
      for (const { status } of [
        await attacker.call('GET', path),
        await attacker.call('PUT', path, userOf(newAddress())),
        await attacker.patch(path, { op: 'replace', value: { active: false } }),
        await attacker.call('DELETE', path),
        await attacker.call('GET', `/../${victim.id}${path}`),
        await attacker.call('GET', `/%2e%2e%2f${victim.id}${path}`),
      ])
        expect(status).toBe(404);
      const members = [{ value: theirs }];
      await attacker.call('POST', '/Groups', { schemas: [GROUP], displayName: 'Taken', members });
      const Operations = [{ method: 'DELETE', path, bulkId: 'x' }];
      await attacker.call('POST', '/Bulk', { schemas: [BULK], Operations });
      for (const filter of [`id eq "${theirs}"`, `active eq true or id eq "${theirs}"`, 'not (id eq "x")']) {
        const list = await attacker.call('GET', `/Users?filter=${encodeURIComponent(filter)}`);
        expect([list.status, list.body['totalResults']]).toEqual([200, 0]);
      }
      expect(JSON.stringify((await attacker.call('GET', '/Groups')).body)).not.toContain(theirs);
      expect((await victim.call('GET', path)).body).toEqual(before);
    },
  );

  it('no revoked token', async () => {
    const directory = await Directory.create(acme);
    const tokens = `/directories/${directory.id}/tokens`;
    const [token] = (await acme.call('GET', tokens)).body['items'] as unknown as { id: string }[];
    expect((await directory.call('GET', '/Users')).status).toBe(200);
    await acme.call('DELETE', `${tokens}/${token!.id}`);
    expect((await directory.call('GET', '/Users')).status).toBe(401);
  });
});

it('SCIM refuses a request with two tokens', async () => {
  const answers = async (...tokens: string[]) => {
    const given = tokens.flatMap((token) => ['Authorization', `Bearer ${token}`]);
    const headers = ['Host', new URL(app.url).host, ...given];
    const asked = request(`${app.url}/api/scim/v2/${entra.id}/Users`, { headers }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  expect(await answers(entra.token)).toBe(200);
  expect(await answers(entra.token, entra.token)).toBe(401);
});

it('SCIM only reads for an archived organization', async () => {
  const closed = await Organization.found(app);
  const directory = await Directory.create(closed);
  await app.sql('UPDATE tenants SET archived_at = now() WHERE id = $1', [closed.id]);
  expect((await directory.call('GET', '/Users')).status).toBe(200);
  expect((await directory.call('POST', '/Users', userOf(newAddress()))).status).toBe(403);
  expect(await app.sql('SELECT 1 FROM directory_users WHERE tenant_id = $1', [closed.id])).toEqual([]);
});

describe('SCIM answers', () => {
  it('each of concurrent changes of a record, and one of those with its version', async () => {
    const id = await entra.create(newAddress());
    const names = ['title', 'nickName', 'displayName', 'userType', 'timezone', 'profileUrl'];
    const change = (value: string, headers = {}) =>
      Promise.all(
        names.map((path) =>
          entra.call('PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', path, value }] }, headers),
        ),
      );
    const value = 'https://a.example';
    expect((await change(value)).map(({ status }) => status)).toEqual(names.map(() => 200));
    const { body, headers } = await entra.call('GET', `/Users/${id}`);
    expect(body).toMatchObject(Object.fromEntries(names.map((name) => [name, value])));
    const statuses = (await change('https://b.example', { 'If-Match': String(headers.get('etag')) })).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([200, ...names.slice(1).map(() => 412)]);
  });

  it('what it supports', async () => {
    const config = await entra.call('GET', '/ServiceProviderConfig');
    expect(config.headers.get('content-type')).toMatch(/^application\/scim\+json/);
    expect(config.headers.get('x-ratelimit-limit')).not.toBeNull();
    expect(config.headers.get('x-request-id')).toMatch(/^[0-9A-Z]{26}$/);
    expect(config.body).toMatchObject({ patch: { supported: true }, etag: { supported: true } });
    for (const [path, total] of [
      ['/ResourceTypes', 2],
      ['/Schemas', 3],
    ] as const)
      expect((await entra.call('GET', path)).body).toMatchObject({
        totalResults: total,
        Resources: expect.any(Array),
      });
    expect((await entra.call('GET', `/Schemas/${USER}`)).body).toMatchObject({ id: USER });
    expect((await entra.call('GET', '/Me')).status).toBe(501);
    expect((await entra.call('GET', '/Nothing')).status).toBe(404);
    expect((await entra.call('PUT', '/Users', {})).status).toBe(405);
    expect((await entra.call('GET', '//Users/?count=1')).body['itemsPerPage']).toBe(1);
    const unknown = await entra.call('GET', '/Users/a/b');
    expect(unknown).toMatchObject({ status: 404, body: { status: '404' } });
  });

  it('bodies up to 1 MiB, in JSON', async () => {
    const photo = 'x'.repeat(60_000);
    await entra.create(newAddress(), { title: photo });
    const tooLarge = userOf(newAddress(), { title: photo.repeat(20) });
    expect((await entra.call('POST', '/Users', tooLarge)).status).toBe(413);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await entra.call('POST', '/Users', 'a=b', form)).status).toBe(415);
    expect((await entra.call('POST', '/Users', '{')).body).toMatchObject({ scimType: 'invalidSyntax' });
    const plain = { 'Content-Type': 'application/json; charset=utf-8' };
    expect((await entra.call('POST', '/Users', userOf(newAddress()), plain)).status).toBe(201);
  });

  it('that a record has at most 64 KiB, also by many changes', async () => {
    const id = await entra.create(newAddress(), { title: 'x'.repeat(50_000) });
    const add = (name: string) =>
      entra.patch(`/Users/${id}`, { op: 'add', path: name, value: 'x'.repeat(10_000) });
    expect([(await add('nickName')).status, (await add('locale')).status]).toEqual([200, 413]);
    expect((await entra.call('GET', `/Users/${id}`)).body).not.toHaveProperty('locale');
  });

  it('what was written, in lists, pages and by version', async () => {
    const directory = await Directory.create(acme);
    const email = newAddress();
    const id = await directory.create(email, {
      externalId: 'E1',
      title: 'Pilot',
      password: 'canary-password',
    });
    const read = await directory.call('GET', `/Users/${id}`);
    expect(read.body).toMatchObject({ ...userOf(email), externalId: 'E1', title: 'Pilot', id });
    expect(read.body).not.toHaveProperty('password');
    const etag = read.headers.get('etag')!;
    expect(etag).toBe((read.body['meta'] as { version: string }).version);
    expect((await directory.call('GET', `/Users/${id}`, undefined, { 'If-None-Match': etag })).status).toBe(
      304,
    );
    const found = await directory.call(
      'GET',
      `/Users?filter=${encodeURIComponent(`userName eq "${email}"`)}`,
    );
    expect(found.body).toMatchObject({ totalResults: 1, startIndex: 1, Resources: [{ id }] });
    const none = await directory.call('GET', '/Users?filter=externalId%20eq%20%22none%22');
    expect([none.status, none.body['Resources']]).toEqual([200, []]);
    const part = await directory.call('GET', `/Users/${id}?attributes=title,emails.value`);
    expect(Object.keys(part.body).toSorted()).toEqual(['emails', 'id', 'meta', 'schemas', 'title']);
    expect(part.body['emails']).toEqual([{ value: email }]);
    expect((await directory.call('POST', '/Users', userOf(email))).body).toMatchObject({
      scimType: 'uniqueness',
    });
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        directory.call(
          'PATCH',
          `/Users/${id}`,
          { Operations: [{ op: 'replace', path: 'title', value: `T${n}` }] },
          { 'If-Match': etag },
        ),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(412)]);
    for (let n = 0; n < 4; n += 1) await directory.create(newAddress());
    const seen: unknown[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page: Answer = await directory.call('GET', `/Users?count=2&cursor=${cursor}`);
      seen.push(...(page.body['Resources'] as { id: string }[]).map((one) => one.id));
      cursor = page.body['nextCursor'] as string | undefined;
      if (seen.length === 2) await directory.create(newAddress());
    }
    expect(new Set(seen).size).toBe(6);
    expect((await directory.call('GET', '/Users?cursor=nonsense')).body).toMatchObject({
      scimType: 'invalidCursor',
    });
    expect(
      (await directory.call('POST', '/Users/.search', { filter: 'title sw "T"', count: 5 })).body,
    ).toMatchObject({ totalResults: 1 });
  });

  it('lists users, then groups, where both are searched', async () => {
    const directory = await Directory.create(acme);
    for (const name of ['b', 'a', 'c']) await directory.create(`${name}@both.example`, { title: 'Driver' });
    for (const displayName of ['Drivers', 'Dispatch'])
      await directory.call('POST', '/Groups', { schemas: [GROUP], displayName });
    const search = async (body: object) => {
      const answer = await directory.call('POST', '/.search', body);
      const list = (answer.body['Resources'] ?? []) as Record<string, string>[];
      return {
        status: answer.status,
        total: answer.body['totalResults'],
        names: list.map((one) => one['userName'] ?? one['displayName']),
      };
    };
    const names = ['b@both.example', 'a@both.example', 'c@both.example', 'Drivers', 'Dispatch'];
    expect(await search({})).toEqual({ status: 200, total: 5, names });
    expect(await search({ startIndex: 3, count: 2 })).toMatchObject({ total: 5, names: names.slice(2, 4) });
    expect(await search({ startIndex: 5 })).toMatchObject({ total: 5, names: names.slice(4) });
    expect(await search({ count: 0 })).toMatchObject({ total: 5, names: [] });
    expect(await search({ filter: 'meta.resourceType eq "Group"' })).toMatchObject({
      total: 2,
      names: names.slice(3),
    });
    expect(await search({ filter: 'meta.resourceType eq "User" and userName sw "A"' })).toMatchObject({
      names: ['a@both.example'],
    });
    expect(await search({ filter: 'title eq "Driver" or displayName eq "drivers"' })).toMatchObject({
      total: 4,
    });
    for (const more of [{ cursor: '' }, { sortBy: 'userName' }])
      expect((await search(more)).status).toBe(400);
  });

  it('with the reason of each refusal in a log without secrets', async () => {
    const directory = await Directory.create(acme);
    await directory.call('POST', '/Users', { schemas: [USER] });
    await directory.call('GET', '/Users/?filter=userName%20eq%20%22canary%22');
    const calls = itemsOf<object>(await acme.call('GET', `/directories/${directory.id}/log`));
    expect(calls).toMatchObject([
      { method: 'GET', path: '/Users', status: 200, detail: null },
      {
        method: 'POST',
        path: '/Users',
        status: 400,
        scimType: 'invalidValue',
        detail: expect.stringMatching(/userName/),
      },
    ]);
    expect(JSON.stringify(await app.sql('SELECT * FROM directory_log'))).not.toMatch(/canary|gh_scim/);
  });
});

describe('A person of a directory', () => {
  it('with an address of a verified domain is a member with an account', async () => {
    const email = newAddress();
    const id = await entra.create(email, { name: { givenName: 'Ada' } });
    const member = (await memberOf(acme, email))!;
    expect(member).toMatchObject({ status: 'active', source: 'directory', roles: ['member'] });
    expect(await stateOf(entra, id)).toEqual({ state: 'linked', reason: null });
    const { userId } = member;
    const audit =
      'SELECT account_id, action FROM audit_events WHERE tenant_id = $1 AND subject = $2 ORDER BY id';
    expect(await app.sql(audit, [acme.id, `iam/members/${userId}`])).toEqual([
      { account_id: userId, action: 'member.joined' },
      { account_id: entra.id, action: 'member.roles-changed' },
    ]);
    const events = 'SELECT type, tenant_ids, data FROM events WHERE subject = $1';
    expect(await app.sql(events, [`iam/directory-users/${id}`])).toEqual([
      {
        type: 'iam.directory.user-created',
        tenant_ids: [acme.id],
        data: { directoryId: entra.id, directoryUserId: id, userId },
      },
    ]);
  });

  it('leaves no account if the record is refused', async () => {
    const [userName, email] = [newAddress(), newAddress()];
    await entra.create(userName);
    const taken = { ...userOf(email), userName };
    expect(await entra.call('POST', '/Users', taken)).toMatchObject({ status: 409 });
    expect(await app.sql('SELECT 1 FROM accounts WHERE email_key = $1', [email])).toEqual([]);
  });

  it('with another address waits for an invitation, and has no access', async () => {
    const email = `${ulid().toLowerCase()}@other.example`;
    const person = await Person.signUp(app, email);
    const id = await entra.create(email);
    expect(await stateOf(entra, id)).toEqual({ state: 'pending', reason: 'unverified-domain' });
    expect(await memberOf(acme, email)).toBeNull();
    const token = await app.mailedToken(email, 2);
    expect((await app.post('accept-invitation', { token }, { token: person.token })).status).toBe(200);
    expect((await entra.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })).status).toBe(200);
    expect(await memberOf(acme, email)).toMatchObject({ status: 'suspended' });
  });

  it.each<[string, (id: string, email: string) => Promise<Answer>]>([
    ['is deleted', (id) => entra.call('DELETE', `/Users/${id}`)],
    ['is inactive', (id) => entra.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })],
    ['has another address', (id) => entra.call('PUT', `/Users/${id}`, { userName: 'x@third.example' })],
    ['has an account', (id) => entra.call('PUT', `/Users/${id}`, { userName: newAddress() })],
  ])('that waited cannot accept the invitation once the record %s', async (_, change) => {
    const email = `${ulid().toLowerCase()}@other.example`;
    const person = await Person.signUp(app, email);
    const { body } = await entra.call('POST', '/Users', { schemas: [USER], userName: email });
    const token = await app.mailedToken(email, 2);
    expect((await change(String(body['id']), email)).status).toBeLessThan(300);
    const accepted = await app.post('accept-invitation', { token }, { token: person.token });
    expect([accepted.status, await memberOf(acme, email)]).toEqual([400, null]);
    const trail = await app.sql<{ actor: string }>(
      `SELECT account_id AS actor FROM audit_events WHERE tenant_id = $1 AND action LIKE 'invitation.%'
         AND subject = (SELECT 'iam/invitations/' || id FROM invitations WHERE tenant_id = $1 AND email_key = $2)`,
      [acme.id, email],
    );
    expect(trail.map(({ actor }) => actor)).toEqual([entra.id, entra.id]);
  });

  it('that waits keeps the invitation at other changes', async () => {
    const email = `${ulid().toLowerCase()}@other.example`;
    const person = await Person.signUp(app, email);
    const id = await entra.create(email);
    const token = await app.mailedToken(email, 2);
    await entra.patch(`/Users/${id}`, { op: 'replace', value: { title: 'Pilot' } });
    expect((await app.post('accept-invitation', { token }, { token: person.token })).status).toBe(200);
  });

  it('with an account outside of the verified domains loses the membership, and never the account', async () => {
    const name = `${ulid().toLowerCase()}.example`;
    await verify(acme, name);
    const directory = await Directory.create(acme, { onDelete: 'erase' });
    const email = `ada@${name}`;
    const id = await directory.create(email);
    const { userId } = (await memberOf(acme, email))!;
    await app.sql("UPDATE tenant_domains SET status = 'lapsed' WHERE domain = $1", [name]);
    await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    expect(await memberOf(acme, email)).toMatchObject({ status: 'suspended', suspended: false });
    expect((await directory.call('DELETE', `/Users/${id}`)).status).toBe(204);
    expect(await app.sql('SELECT email, suspended_at FROM accounts WHERE id = $1', [userId])).toEqual([
      { email, suspended_at: null },
    ]);
  });

  it.each([
    ['active', [true]],
    ['active', { value: true }],
    ['title', '\ud800'],
    ['title', 'x\udc00'],
    ['title', '\u0000'],
  ])('is refused with %s of %j', async (attribute, value) => {
    const body = userOf(newAddress(), { [attribute]: value });
    expect(await entra.call('POST', '/Users', body)).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue' },
    });
  });

  it('is stored with texts that only look like what is refused', async () => {
    const title = '\\u0000 \\ud800 😀';
    const { status, body } = await entra.call('POST', '/Users', userOf(newAddress(), { title }));
    expect([status, body['title']]).toEqual([201, title]);
  });

  it('is answered with a conflict if the address is taken in each attempt', async () => {
    const created = jest.spyOn(app.app.get(AccountService, { strict: false }), 'createVerified');
    created.mockResolvedValue(null);
    expect((await entra.call('POST', '/Users', userOf(newAddress()))).status).toBe(409);
    expect(created).toHaveBeenCalledTimes(3);
    created.mockRestore();
  });

  it.each(['pending', 'lapsed'])('of a domain that is %s waits, and has no access', async (status) => {
    const name = `${ulid().toLowerCase()}.example`;
    await verify(acme, name);
    await app.sql('UPDATE tenant_domains SET status = $2 WHERE domain = $1', [name, status]);
    const { email } = await Person.signUp(app, `ada@${name}`);
    const id = await entra.create(email);
    expect(await stateOf(entra, id)).toEqual({ state: 'pending', reason: 'unverified-domain' });
    expect(await memberOf(acme, email)).toBeNull();
  });

  it.each([
    ['that waits for the person', false],
    ['that is linked', true],
  ])('is forgotten with the erased account, by a record %s', async (_, isVerified) => {
    const email = `${ulid().toLowerCase()}@${isVerified ? domain : 'other.example'}`;
    const { token, id: personId } = await Person.signUp(app, email);
    const fields = { displayName: 'Erased canary', externalId: ulid() };
    const id = await entra.create(email, fields);
    const namesake = await entra.create(`other-${email}`);
    expect((await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token })).status).toBe(204);
    expect((await entra.call('GET', `/Users/${id}`)).status).toBe(404);
    expect((await entra.call('GET', `/Users/${namesake}`)).status).toBe(200);
    expect(await app.sql('SELECT 1 FROM directory_users WHERE email_key = $1', [email])).toEqual([]);
    const [event] = await app.sql<{ data: object }>(
      "SELECT data FROM events WHERE subject = $1 AND type = 'iam.directory.user-deleted'",
      [`iam/directory-users/${id}`],
    );
    const ids = { directoryId: entra.id, directoryUserId: id, userId: isVerified ? personId : null };
    expect(event?.data).toEqual(ids);
    const again = await entra.create(email, fields);
    expect((await entra.call('GET', `/Users/${again}`)).body).toMatchObject(fields);
  });

  it('is forgotten with the erased account, by a record whose userName alone is the address', async () => {
    const email = `${ulid().toLowerCase()}@other.example`;
    const { token } = await Person.signUp(app, email);
    const userName = email.replace('other', 'Other');
    const { body } = await entra.call('POST', '/Users', { schemas: [USER], userName });
    const id = String(body['id']);
    const { body: namesake } = await entra.call('POST', '/Users', {
      schemas: [USER],
      userName: `a.${email}`,
    });
    expect((await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token })).status).toBe(204);
    expect((await entra.call('GET', `/Users/${id}`)).status).toBe(404);
    expect((await entra.call('GET', `/Users/${String(namesake['id'])}`)).status).toBe(200);
  });

  it('is not a member with the address who has not accepted an invitation to it', async () => {
    const { person } = await personOf(acme, 'member');
    const email = `${ulid().toLowerCase()}@other.example`;
    expect((await acme.call('POST', '/invitations', { email, roles: ['member'] })).status).toBe(201);
    await app.sql('UPDATE accounts SET email = $2, email_key = $2 WHERE id = $1', [person.id, email]);
    const id = await entra.create(email);
    expect(await stateOf(entra, id)).toEqual({ state: 'pending', reason: 'unverified-domain' });
    await entra.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    expect(await memberOf(acme, email)).toMatchObject({ status: 'active' });
  });

  describe('who has signed in by the connection of the directory', () => {
    const ISSUER = 'https://idp.example';
    const outside = () => `${ulid().toLowerCase()}@other.example`;
    /** A directory with a connection, and a person with a subject there. */
    async function connected(fields: object = {}, issuer = ISSUER, email = outside()) {
      const connectionId = ulid();
      await app.sql(
        "INSERT INTO connections (tenant_id, id, kind, name, provisioning) VALUES ($1, $2, 'oidc', 'P', '{}')",
        [acme.id, connectionId],
      );
      await app.sql(
        "INSERT INTO oidc_connections (tenant_id, connection_id, issuer, client_id, client_authentication) VALUES ($1, $2, $3, 'id', 'secret')",
        [acme.id, connectionId, ISSUER],
      );
      const directory = await Directory.create(acme, { connectionId, ...fields });
      const person = await Person.signUp(app, email);
      const subject = `subject-${person.id}`;
      await app.sql(
        "INSERT INTO external_identities (id, account_id, kind, issuer, subject, connection_id) VALUES ($1, $2, 'oidc', $3, $4, $5)",
        [ulid(), person.id, issuer, subject, connectionId],
      );
      return { directory, person, subject };
    }

    it.each([
      ['externalId', 'outside of the domains', outside],
      ['userName', 'inside them', newAddress],
    ])('is linked by the subject in %s, with an address %s', async (matchAttribute, _, address) => {
      const { directory, person, subject } = await connected({ matchAttribute }, ISSUER, address());
      const { body } = await directory.call('POST', '/Users', {
        userName: ulid(),
        [matchAttribute]: subject,
      });
      const id = String(body['id']);
      expect(await stateOf(directory, id)).toEqual({ state: 'linked', reason: null });
      expect(await memberOf(acme, person.email)).toMatchObject({ status: 'active', source: 'directory' });
      await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
      expect(await memberOf(acme, person.email)).toMatchObject({ status: 'suspended', suspended: false });
      const moved = { ...userOf(newAddress()), userName: ulid(), [matchAttribute]: subject };
      expect((await directory.call('PUT', `/Users/${id}`, moved)).status).toBe(200);
      // The account is not the directory's.
      expect(await memberOf(acme, person.email)).toMatchObject({ status: 'active' });
    });

    it('is linked by the subject at a connection by SAML', async () => {
      const { directory, person, subject } = await connected();
      await app.sql(
        `WITH settings AS (DELETE FROM oidc_connections o USING directories d
           WHERE d.id = $1 AND o.connection_id = d.connection_id RETURNING o.*)
         INSERT INTO saml_connections (tenant_id, connection_id, entity_id, sso_url)
         SELECT tenant_id, connection_id, issuer, 'https://idp.example/sso' FROM settings`,
        [directory.id],
      );
      const fields = { userName: ulid(), externalId: subject };
      expect((await directory.call('POST', '/Users', fields)).status).toBe(201);
      expect(await memberOf(acme, person.email)).toMatchObject({ status: 'active', source: 'directory' });
    });

    it('is not linked by another attribute, issuer, connection or case', async () => {
      const own = await connected();
      const foreign = await connected({}, 'https://other.example');
      const second = await connected();
      for (const [{ directory, person }, fields] of [
        [own, { userName: own.subject }],
        [own, { userName: ulid(), externalId: own.subject.toUpperCase() }],
        [foreign, { userName: ulid(), externalId: foreign.subject }],
        [
          { ...second, person: own.person },
          { userName: ulid(), externalId: own.subject },
        ],
      ] as const) {
        expect((await directory.call('POST', '/Users', fields)).status).toBe(201);
        expect(await memberOf(acme, person.email)).toBeNull();
      }
    });
  });

  it('stays linked to the first of two accounts whose addresses arrive at once', async () => {
    const [first, second] = [await Person.signUp(app, newAddress()), await Person.signUp(app, newAddress())];
    const id = await entra.create(`${ulid().toLowerCase()}@other.example`);
    const put = ({ email }: Person) => entra.call('PUT', `/Users/${id}`, userOf(email));
    const answers = await inTurnBehind(
      app,
      ['SELECT 1 FROM tenants WHERE id = $1 FOR UPDATE', acme.id],
      () => put(first),
      () => put(second),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await memberOf(acme, first.email)).toMatchObject({ status: 'active' });
    expect(await memberOf(acme, second.email)).toBeNull();
  });

  it('is not removed by a request that began before the record was linked', async () => {
    const person = await Person.signUp(app, newAddress());
    const id = await entra.create(`${ulid().toLowerCase()}@other.example`);
    const answers = await inTurnBehind(
      app,
      ['SELECT 1 FROM tenants WHERE id = $1 FOR UPDATE', acme.id],
      () => entra.call('PUT', `/Users/${id}`, userOf(person.email)),
      () => entra.call('DELETE', `/Users/${id}`),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect(await memberOf(acme, person.email)).toMatchObject({ status: 'active' });
  });

  it('that is refused or waits is tried again', async () => {
    const name = `${ulid().toLowerCase()}.example`;
    const id = await entra.create(`ada@${name}`);
    await verify(acme, name);
    const path = `/directories/${entra.id}/users`;
    expect((await acme.call('POST', `${path}/${id}/retry`)).status).toBe(202);
    await eventually('the person is linked', async () => (await stateOf(entra, id)).state === 'linked');
    expect((await acme.call('POST', `${path}/${ulid()}/retry`)).status).toBe(404);
  });

  it.each([
    ['Entra ID', { op: 'Replace', path: 'active', value: 'False' }],
    ['Okta', { op: 'replace', value: { active: false } }],
    ['a text in small letters', { op: 'replace', path: 'active', value: 'false' }],
    ['a URN', { op: 'replace', path: `${USER}:active`, value: false }],
  ])('has no access after a deactivation by %s', async (_, operation) => {
    const { person, token } = await personOf(acme, 'member');
    const second = await Organization.found(app);
    const otherToken = await second.admit(person, 'member');
    const id = await entra.create(person.email);
    expect((await acme.call('GET', '/members', undefined, token)).status).toBe(200);
    expect((await entra.patch(`/Users/${id}`, operation)).status).toBe(200);
    expect((await acme.call('GET', '/members', undefined, token)).status).toBe(401);
    const selected = await app.post('select-tenant', { tenantId: acme.id }, { token: person.token });
    expect(selected.status).toBe(403);
    expect((await second.call('GET', '/members', undefined, otherToken)).status).toBe(200);
    expect(await memberOf(acme, person.email)).toMatchObject({ status: 'suspended', suspended: false });
    await entra.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' });
    expect(await memberOf(acme, person.email)).toMatchObject({
      status: 'active',
      roles: ['member'],
    });
    expect((await app.post('select-tenant', { tenantId: acme.id }, { token: person.token })).status).toBe(
      200,
    );
  });

  it('that arrives inactive loses the access that they had', async () => {
    const { person, token } = await personOf(acme, 'member');
    await entra.create(person.email, { active: false });
    expect((await acme.call('GET', '/members', undefined, token)).status).toBe(401);
  });

  it('whose account the directory made loses every session, and gets the account back', async () => {
    const email = newAddress();
    const id = await entra.create(email);
    await entra.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    expect(await memberOf(acme, email)).toMatchObject({ status: 'suspended', suspended: true });
    await entra.call('PUT', `/Users/${id}`, userOf(email));
    expect(await memberOf(acme, email)).toMatchObject({
      status: 'active',
      suspended: false,
      roles: ['member'],
    });
  });

  it('stays suspended if an administrator suspended them', async () => {
    const email = newAddress();
    const id = await entra.create(email);
    const { userId } = (await memberOf(acme, email))!;
    await acme.call('POST', `/members/${userId}/suspend`);
    await entra.call('PUT', `/Users/${id}`, userOf(email, { title: 'Pilot' }));
    expect(await memberOf(acme, email)).toMatchObject({ status: 'suspended' });
  });

  it('stays suspended by an administrator, also when the directory activates them again', async () => {
    const email = newAddress();
    const id = await entra.create(email);
    const { userId } = (await memberOf(acme, email))!;
    const setActive = (active: boolean) =>
      entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: active });
    await acme.call('POST', `/members/${userId}/suspend`);
    await setActive(false);
    await setActive(true);
    expect(await memberOf(acme, email)).toMatchObject({ status: 'suspended', suspended: false });
    await acme.call('POST', `/members/${userId}/restore`);
    await setActive(false);
    expect(await memberOf(acme, email)).toMatchObject({ status: 'suspended', suspended: true });
    await setActive(true);
    expect(await memberOf(acme, email)).toMatchObject({ status: 'active', suspended: false });
  });

  it('stays suspended by an administrator or operator who did so after a restoration', async () => {
    const email = newAddress();
    const id = await entra.create(email);
    const { userId } = (await memberOf(acme, email))!;
    const suspensions = app.app.get(SuspensionService, { strict: false });
    const setActive = (active: boolean) =>
      entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: active });
    await setActive(false);
    for (const what of ['restore', 'suspend']) await acme.call('POST', `/members/${userId}/${what}`);
    await setActive(true);
    expect(await memberOf(acme, email)).toMatchObject({ status: 'suspended', suspended: false });
    await acme.call('POST', `/members/${userId}/restore`);
    await setActive(false);
    await suspensions.restore(userId as UserId);
    await suspensions.suspend(userId as UserId);
    await setActive(true);
    expect(await stateOf(entra, id)).toEqual({ state: 'refused', reason: 'account-suspended' });
    expect(await memberOf(acme, email)).toMatchObject({ suspended: true });
  });

  it('stays suspended by the directory of one organization, whatever another one does', async () => {
    const { person } = await personOf(acme, 'member');
    const other = await Organization.found(app);
    await other.admit(person, 'member');
    const id = await entra.create(person.email);
    const setActive = (value: boolean) =>
      entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value });
    await setActive(false);
    expect((await other.call('POST', `/members/${person.id}/suspend`)).status).toBe(200);
    await setActive(true);
    expect(await memberOf(acme, person.email)).toMatchObject({ status: 'active' });
    expect(await memberOf(other, person.email)).toMatchObject({ status: 'suspended' });
  });

  it('is locked before the organization, which goes on while the person is changed', async () => {
    const [{ person: first }, { person: second }] = [
      await personOf(acme, 'member'),
      await personOf(acme, 'member'),
    ];
    const id = await entra.create(first.email);
    const changes: (readonly [Person, () => Promise<Answer>])[] = [
      [first, () => entra.call('PUT', `/Users/${id}`, userOf(first.email, { title: 'Pilot' }))],
      [second, () => entra.call('POST', '/Users', userOf(second.email))],
    ];
    for (const [person, change] of changes) {
      const [changed] = await behindLock(
        app,
        ['SELECT 1 FROM accounts WHERE id = $1 FOR SHARE', person.id],
        async () => {
          const asked = change();
          await eventually('the change waits', async () => (await app.waitingForLocks()) === 1);
          await app.sql('SELECT 1 FROM tenants WHERE id = $1 FOR UPDATE NOWAIT', [acme.id]);
          return [asked];
        },
      );
      expect([200, 201]).toContain((await changed!).status);
    }
  });

  it('is an operator whose account the directory neither suspends nor erases', async () => {
    const directory = await Directory.create(acme, { onDelete: 'erase' });
    const email = newAddress();
    const id = await directory.create(email);
    await app.app.get(OperatorService, { strict: false }).grant(email);
    await directory.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
    expect(await memberOf(acme, email)).toMatchObject({ status: 'suspended', suspended: false });
    expect((await directory.call('DELETE', `/Users/${id}`)).status).toBe(204);
    expect(await memberOf(acme, email)).toBeNull();
    expect(
      await app.sql('SELECT suspended_at, erased_at FROM accounts WHERE email_key = $1', [email]),
    ).toEqual([{ suspended_at: null, erased_at: null }]);
  });

  it('is deactivated also while an operator suspends the account, and restored after that', async () => {
    const { person } = await personOf(acme, 'member');
    const id = await entra.create(person.email);
    const suspensions = app.app.get(SuspensionService, { strict: false });
    const setActive = (active: boolean) =>
      entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: active });
    await suspensions.suspend(person.id as UserId);
    expect((await setActive(false)).status).toBe(200);
    expect(await memberOf(acme, person.email)).toMatchObject({ status: 'suspended' });
    await setActive(true);
    expect(await stateOf(entra, id)).toEqual({ state: 'refused', reason: 'account-suspended' });
    expect(await memberOf(acme, person.email)).toMatchObject({ status: 'suspended', suspended: true });
    await suspensions.restore(person.id as UserId);
    await entra.call('PUT', `/Users/${id}`, userOf(person.email));
    expect(await memberOf(acme, person.email)).toMatchObject({ status: 'active', suspended: false });
  });

  it('stays suspended by an operator who adds that to a suspension by the directory', async () => {
    const person = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(person.email);
    const operator = byTwoFactors(app, person.token);
    const email = newAddress();
    const id = await entra.create(email);
    const { userId } = (await memberOf(acme, email))!;
    const suspend = () =>
      app.call('POST', `/api/v1/operator/people/${userId}/suspend`, undefined, { token: operator });
    const setActive = (value: boolean) =>
      entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value });
    await setActive(false);
    expect((await suspend()).status).toBe(204);
    expect((await suspend()).status).toBe(403); // their own
    await setActive(true);
    expect(await memberOf(acme, email)).toMatchObject({ suspended: true, status: 'suspended' });
    expect(await stateOf(entra, id)).toEqual({ state: 'refused', reason: 'account-suspended' });
  });

  it('stays suspended by an operator who did so before the directory deactivated them', async () => {
    const email = newAddress();
    const id = await entra.create(email);
    const { userId } = (await memberOf(acme, email))!;
    await app.app.get(SuspensionService, { strict: false }).suspend(userId as UserId);
    for (const value of [false, true])
      await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value });
    expect(await memberOf(acme, email)).toMatchObject({ suspended: true });
    expect(await stateOf(entra, id)).toEqual({ state: 'refused', reason: 'account-suspended' });
  });

  it('is found by each of the addresses, in any case', async () => {
    const directory = await Directory.create(acme);
    const [work, home] = [newAddress(), newAddress()];
    const id = await directory.create(work, {
      emails: [
        { value: work, type: 'work', primary: true },
        { value: home, type: 'home' },
      ],
    });
    await directory.create(newAddress());
    const find = async (filter: string) => {
      const { body } = await directory.call('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      return (body['Resources'] as { id: string }[]).map((one) => one.id);
    };
    for (const filter of [
      `emails.value eq "${home.toUpperCase()}"`,
      `emails eq "${work}"`,
      `emails[type eq "work"].value eq "${work.toUpperCase()}"`,
      `emails[value eq "${home}" and type eq "home"]`,
      `title pr or emails[value eq "${home}"]`,
    ])
      expect([filter, await find(filter)]).toEqual([filter, [id]]);
    expect(await find(`emails[type eq "work"].value eq "${home}"`)).toEqual([]);
    expect(await find(`emails[value eq "${home}" and value eq "${work}"]`)).toEqual([]);
    expect(await find(`not (emails.value eq "${home}")`)).not.toContain(id);
    expect(await find('emails.value eq "\\ud800"')).toEqual([]);
    const emails = [{ value: home, type: 'work' }];
    await directory.patch(`/Users/${id}`, { op: 'replace', path: 'emails', value: emails });
    expect(await find(`emails[type eq "work"].value eq "${home}"`)).toEqual([id]);
    expect(await find(`emails.value eq "${work}"`)).toEqual([]);
    const long = `${'x'.repeat(5_000)}@${domain}`;
    await directory.patch(`/Users/${id}`, { op: 'add', path: 'emails', value: [{ value: long }] });
    expect(await find(`emails.value eq "${long.slice(0, 4_000)}"`)).toEqual([]);
  });

  it('keeps the account when the directory sends the address of another person', async () => {
    const email = newAddress();
    const id = await entra.create(email);
    const { person } = await personOf(acme, 'member');
    await entra.call('PUT', `/Users/${id}`, userOf(person.email));
    await entra.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    expect(await memberOf(acme, person.email)).toMatchObject({ status: 'active' });
    expect(await memberOf(acme, email)).toMatchObject({ status: 'suspended' });
    const second = await entra.create(newAddress(), { emails: [{ value: email, primary: true }] });
    expect(await stateOf(entra, second)).toEqual({ state: 'refused', reason: 'linked-otherwise' });
  });

  it('is not taken over by the externalId of another record', async () => {
    const [ada, grace] = [newAddress(), newAddress()];
    const first = await entra.create(ada, { externalId: `A-${ada}` });
    const second = await entra.create(grace, { externalId: `G-${grace}` });
    const taken = await entra.patch(`/Users/${second}`, {
      op: 'replace',
      path: 'externalId',
      value: `A-${ada}`,
    });
    expect(taken).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    const { userId } = (await memberOf(acme, ada))!;
    for (const [id, externalId] of [
      [first, `X-${ada}`],
      [second, `A-${ada}`],
    ])
      await entra.patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: externalId });
    await entra.patch(`/Users/${second}`, { op: 'replace', value: { active: false } });
    expect(await memberOf(acme, ada)).toMatchObject({ userId, status: 'active' });
    expect(await memberOf(acme, grace)).toMatchObject({ status: 'suspended' });
  });

  it('is removed, and the account suspended or erased as the directory says', async () => {
    for (const onDelete of ['suspend', 'erase']) {
      const directory = await Directory.create(acme, { onDelete });
      const email = newAddress();
      const id = await directory.create(email);
      const { userId } = (await memberOf(acme, email))!;
      expect((await directory.call('DELETE', `/Users/${id}`)).status).toBe(204);
      expect((await directory.call('GET', `/Users/${id}`)).status).toBe(404);
      expect(await memberOf(acme, email)).toBeNull();
      const [account] = await app.sql(
        'SELECT suspended_at IS NOT NULL AS suspended, email FROM accounts WHERE id = $1',
        [userId],
      );
      expect(account).toEqual(
        onDelete === 'erase' ? { suspended: false, email: null } : { suspended: true, email },
      );
    }
  });

  it('is never the last owner that is suspended or removed', async () => {
    const name = `${ulid().toLowerCase()}.example`;
    const founder = await Person.signUp(app, `founder@${name}`);
    const organization = await Organization.found(app, founder);
    await verify(organization, name);
    const directory = await Directory.create(organization);
    const id = await directory.create(founder.email);
    const refused = [
      await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: false } }),
      await directory.call('DELETE', `/Users/${id}`),
    ];
    for (const answer of refused)
      expect(answer).toMatchObject({ status: 409, body: { scimType: 'mutability' } });
    expect((await directory.call('GET', `/Users/${id}`)).body).toMatchObject({ active: true });
    expect((await organization.call('GET', '/members')).status).toBe(200);
    const events = itemsOf<{ action: string }>(
      await organization.call('GET', '/audit-events?action=directory.sync-refused'),
    );
    expect(events).toHaveLength(2);
  });
});

describe('A group of a directory', () => {
  it('gives roles by rules, also after it was renamed, and takes them away', async () => {
    const directory = await Directory.create(acme);
    const rules = `/directories/${directory.id}/rules`;
    for (const key of ['packer', 'pilot'])
      await acme.call('POST', '/roles', { key, name: key, scopes: ['iam:member:read'] });
    await acme.call('PUT', rules, { rules: [{ group: 'Packers', roles: ['packer'] }] });
    const { person } = await personOf(acme, 'member');
    const id = await directory.create(person.email);
    const { body: group } = await directory.call('POST', '/Groups', {
      displayName: 'Packers',
      members: [{ value: id }],
    });
    const path = `/Groups/${String(group['id'])}`;
    const roles = async () => (await memberOf(acme, person.email))!.roles;
    expect(await roles()).toEqual(['member', 'packer']);
    await directory.patch(path, { op: 'Replace', path: 'displayName', value: 'Loaders' });
    await directory.patch(path, { op: 'Remove', path: 'members', value: [{ value: id }] });
    expect(await roles()).toEqual(['member']);
    await directory.patch(path, { op: 'Add', path: 'members', value: [{ value: id }] });
    expect(await roles()).toEqual(['member', 'packer']);
    await acme.call('PUT', rules, { rules: [{ group: 'Loaders', roles: ['pilot'] }] });
    expect(await roles()).toEqual(['member', 'pilot']);
    expect((await directory.call('GET', `${path}?excludedAttributes=members`)).body).not.toHaveProperty(
      'members',
    );
    expect((await directory.call('GET', `/Users/${id}`)).body).toMatchObject({
      groups: [{ display: 'Loaders' }],
    });
    await directory.patch(path, { op: 'remove', path: `members[value eq "${id}"]` });
    expect(await roles()).toEqual(['member']);
    expect((await directory.call('DELETE', path)).status).toBe(204);
  });
});

it('A group gives no roles by a record that is inactive', async () => {
  const [first, second] = [await Directory.create(acme), await Directory.create(acme)];
  const { email } = await Person.signUp(app, newAddress());
  const [id, other] = [await first.create(email), await second.create(email)];
  const rules = { rules: [{ group: 'Admins', roles: ['admin'] }] };
  expect((await acme.call('PUT', `/directories/${first.id}/rules`, rules)).status).toBe(200);
  await first.call('POST', '/Groups', { displayName: 'Admins', members: [{ value: id }] });
  expect((await memberOf(acme, email))?.roles).toEqual(['admin']);
  await first.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
  await second.call('PUT', `/Users/${other}`, userOf(email));
  expect((await memberOf(acme, email))?.roles).toEqual(['member']);
});

it('A group that takes the name of a rule gives its roles to those who are in it', async () => {
  const directory = await Directory.create(acme);
  await acme.call('POST', '/roles', { key: 'loader', name: 'Loader', scopes: ['iam:member:read'] });
  const email = newAddress();
  const id = await directory.create(email);
  const { body } = await directory.call('POST', '/Groups', {
    displayName: 'Crew',
    members: [{ value: id }],
  });
  const rules = [{ group: 'Loaders', roles: ['loader'] }];
  await acme.call('PUT', `/directories/${directory.id}/rules`, { rules });
  expect((await memberOf(acme, email))!.roles).toEqual(['member']);
  const path = `/Groups/${String(body['id'])}`;
  await directory.patch(path, { op: 'replace', path: 'displayName', value: 'Loaders' });
  expect((await memberOf(acme, email))!.roles).toEqual(['loader']);
});

it('A group does not take the role of the last owner away', async () => {
  const name = `${ulid().toLowerCase()}.example`;
  const founder = await Person.signUp(app, `founder@${name}`);
  const organization = await Organization.found(app, founder);
  await verify(organization, name);
  const directory = await Directory.create(organization);
  const rules = { rules: [{ group: 'Owners', roles: ['owner'] }] };
  expect((await organization.call('PUT', `/directories/${directory.id}/rules`, rules)).status).toBe(200);
  const id = await directory.create(founder.email);
  const { body } = await directory.call('POST', '/Groups', {
    displayName: 'Owners',
    members: [{ value: id }],
  });
  const { userId } = (await memberOf(organization, founder.email))!;
  await app.sql("DELETE FROM member_roles WHERE tenant_id = $1 AND user_id = $2 AND source = 'manual'", [
    organization.id,
    userId,
  ]);
  const path = `/Groups/${String(body['id'])}`;
  for (const answer of [
    await directory.patch(path, { op: 'Remove', path: 'members', value: [{ value: id }] }),
    await directory.call('PUT', path, { displayName: 'Owners' }),
    await directory.call('DELETE', path),
  ])
    expect(answer).toMatchObject({ status: 409, body: { scimType: 'mutability' } });
  expect((await memberOf(organization, founder.email))!.roles).toContain('owner');
  expect((await directory.call('GET', path)).body).toMatchObject({ members: [{ value: id }] });
});

describe('A bulk request', () => {
  const bulk = (directory: Directory, Operations: object[], more: object = {}) =>
    directory.call('POST', '/Bulk', {
      schemas: [BULK],
      Operations,
      ...more,
    });
  const statuses = ({ body }: Answer) =>
    (body['Operations'] as { status: string }[]).map(({ status }) => status);

  it('creates groups with the people that it creates, in any order', async () => {
    const directory = await Directory.create(acme);
    const answer = await bulk(directory, [
      {
        method: 'POST',
        path: '/Groups',
        bulkId: 'g',
        data: { displayName: 'All', members: [{ value: 'bulkId:u' }] },
      },
      { method: 'POST', path: '/Users', bulkId: 'u', data: userOf(newAddress()) },
      {
        method: 'PATCH',
        path: '/Users/bulkId:u',
        data: { Operations: [{ op: 'add', path: 'title', value: 'Pilot' }] },
      },
      { method: 'DELETE', path: `/Users/${ulid()}` },
    ]);
    expect(statuses(answer)).toEqual(['201', '201', '200', '404']);
    const { Resources } = (await directory.call('GET', '/Groups')).body as {
      Resources: { members: object[] }[];
    };
    const { Resources: users } = (await directory.call('GET', '/Users')).body as {
      Resources: { id: string }[];
    };
    expect(users).toMatchObject([{ title: 'Pilot' }]);
    expect(Resources[0]!.members).toMatchObject([{ value: users[0]!.id }]);
  });

  it('refuses a cycle, an unknown bulkId, and stops after failOnErrors', async () => {
    const directory = await Directory.create(acme);
    const group = (bulkId: string, ref: string) => ({
      method: 'POST',
      path: '/Groups',
      bulkId,
      data: { displayName: bulkId, members: [{ value: `bulkId:${ref}` }] },
    });
    const cycle = [group('a', 'b'), group('b', 'a'), group('c', 'none')];
    expect(statuses(await bulk(directory, cycle))).toEqual(['400', '400', '400']);
    expect(statuses(await bulk(directory, cycle, { failOnErrors: 1 }))).toHaveLength(1);
    expect((await directory.call('GET', '/Groups')).body).toMatchObject({ totalResults: 0 });
    const calls = itemsOf<object>(await acme.call('GET', `/directories/${directory.id}/log`));
    const refused = { method: 'POST', path: '/Groups', status: 400, scimType: 'invalidValue' };
    expect(calls.slice(0, 3)).toMatchObject([
      { method: 'GET', path: '/Groups', status: 200 },
      { method: 'POST', path: '/Bulk', status: 200, detail: null },
      { ...refused, detail: 'Nothing was created as bulkId:none.' },
    ]);
    expect(calls).toHaveLength(7);
  });

  it('has 200 operations at most, on paths that the log can store', async () => {
    const operation = { method: 'DELETE', path: `/Users/${ulid()}` };
    expect((await bulk(entra, Array<object>(201).fill(operation))).status).toBe(413);
    for (const path of ['/Bulk', '/Users/a\u0000', `/Users/a?filter=${newAddress()}`])
      expect((await bulk(entra, [{ ...operation, path }])).status).toBe(400);
  });
});

it('The roles of a deleted directory are left to administrators', async () => {
  const directory = await Directory.create(acme);
  const email = newAddress();
  await directory.create(email);
  expect((await acme.call('DELETE', `/directories/${directory.id}`)).status).toBe(204);
  const { userId } = (await memberOf(acme, email))!;
  expect(await memberOf(acme, email)).toMatchObject({ status: 'active', roles: ['member'] });
  expect((await acme.call('PATCH', `/members/${userId}`, { roles: ['admin'] })).status).toBe(200);
  expect(await memberOf(acme, email)).toMatchObject({ roles: ['admin'] });
});

it('The roles of a deleted directory are left to administrators, roles of a connection to it', async () => {
  const directory = await Directory.create(acme);
  const { person } = await personOf(acme, 'admin');
  await app.sql("UPDATE member_roles SET source = 'connection' WHERE tenant_id = $1 AND user_id = $2", [
    acme.id,
    person.id,
  ]);
  await directory.create(person.email);
  expect((await acme.call('DELETE', `/directories/${directory.id}`)).status).toBe(204);
  const sources = await app.sql<{ key: string; source: string }>(
    `SELECT r.key, mr.source FROM member_roles mr JOIN roles r ON r.tenant_id = mr.tenant_id AND r.id = mr.role_id
     WHERE mr.tenant_id = $1 AND mr.user_id = $2 ORDER BY r.key`,
    [acme.id, person.id],
  );
  expect(sources).toEqual([
    { key: 'admin', source: 'connection' },
    { key: 'member', source: 'manual' },
  ]);
});

it('The roles of a deleted directory are left to another one that has sent the person', async () => {
  const [deleted, kept] = [await Directory.create(acme), await Directory.create(acme)];
  const email = newAddress();
  await deleted.create(email);
  const value = [{ value: await kept.create(email) }];
  const rules = { rules: [{ group: 'Leads', roles: ['admin'] }] };
  expect((await acme.call('PUT', `/directories/${kept.id}/rules`, rules)).status).toBe(200);
  const { body } = await kept.call('POST', '/Groups', { displayName: 'Leads', members: value });
  const roles = async () => (await memberOf(acme, email))?.roles;
  expect(await roles()).toContain('admin');
  expect((await acme.call('DELETE', `/directories/${deleted.id}`)).status).toBe(204);
  expect(await roles()).toContain('admin');
  await kept.patch(`/Groups/${String(body['id'])}`, { op: 'Remove', path: 'members', value });
  expect(await roles()).toEqual(['member']);
});

it('A password that was sent appears nowhere', async () => {
  const id = await entra.create(newAddress(), {
    password: 'canary-password',
    [USER]: { password: 'canary-password' },
    name: { password: 'canary-password' },
  });
  for (const operation of [
    { op: 'replace', value: { Password: 'canary-password' } },
    { op: 'add', path: `${USER}:password`, value: 'canary-password' },
    { op: 'add', path: 'name.password', value: 'canary-password' },
  ])
    await entra.patch(`/Users/${id}`, operation);
  const tables = await app.sql<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  for (const { name } of tables) {
    const [found] = await app.sql(
      `SELECT count(*)::int AS count FROM ${name} t WHERE t::text LIKE '%canary-password%'`,
    );
    expect([name, found]).toEqual([name, { count: 0 }]);
  }
});
