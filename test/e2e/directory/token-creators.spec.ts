import { ulid } from 'ulid';
import { WriteTurns } from '../../../src/directory/scim/scim-calls.js';
import type { TenantId } from '../../../src/kernel/index.js';
import { Database } from '../../../src/platform/database/index.js';
import { Organization } from '../../support/organization.js';
import { GROUP_SCHEMA, ScimDirectory, userOf, verifyDomain } from '../../support/scim-directory.js';
import { eventually, itemsOf, withApp } from '../../support/test-app.js';

type Joined = Awaited<ReturnType<Organization['join']>>;

const STOPPED = 'The member who created this token has left, is suspended, or could not create it any more.';

/** Attack F8: a removed owner comes back by what they have left behind. */
describe('F8: the token of a directory, without the creator', () => {
  let acme: Organization;
  const app = withApp();
  beforeEach(async () => (acme = await Organization.found(app)));

  /** Creates a directory, and a token of it by a member. */
  const byMember = async ({ token }: Joined) => {
    const { body } = await acme.call('POST', '/directories', { name: 'Entra ID' });
    const id = String(body['id']);
    const made = await acme.call('POST', `/directories/${id}/tokens`, { name: 'Mine' }, token);
    expect(made.status).toBe(201);
    return ScimDirectory.of(acme, id, String(made.body['token']));
  };
  const read = async (directory: ScimDirectory) => (await directory.call('GET', '/Users')).status;
  const stoppedAt = async ({ id }: ScimDirectory) =>
    itemsOf<{ stoppedAt: string | null }>(await acme.call('GET', `/directories/${id}/tokens`))[0]?.stoppedAt;
  const announced = async () =>
    itemsOf<object>(await acme.call('GET', '/audit-events?action=directory.token-stopped')).length;
  const toldTo = async ({ person: { email } }: Joined) =>
    (await app.mails(email)).filter((mail) => mail.includes('cannot send changes any more'));
  const byRole = async (...scopes: string[]) => {
    const { body } = await acme.call('POST', '/roles', { key: 'helper', name: 'Helper', scopes });
    const change = async (to: string[]) =>
      expect((await acme.call('PATCH', `/roles/${String(body['id'])}`, { scopes: to })).status).toBe(200);
    return { helper: await acme.join('helper'), change };
  };

  it('is refused after the creator was removed: the text, the log, one mail, one event', async () => {
    const admin = await acme.join('admin');
    const directory = await byMember(admin);
    expect(await read(directory)).toBe(200);
    const second = await acme.join('owner');
    expect((await acme.call('DELETE', `/members/${admin.person.id}`)).status).toBe(204);
    const write = directory.call('POST', '/Users', userOf('back@acme.example'));
    const { status, body, headers } = await write;
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="gatehouse"']);
    expect(body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '401',
      detail: `${STOPPED} Create a new token of the directory, and enter it at the identity provider.`,
    });
    for (const owner of [acme.owner, second])
      await eventually('an owner is told', async () => (await toldTo(owner)).length === 1);
    expect([await read(directory), await announced()]).toEqual([401, 1]);
    const [told, ...more] = await toldTo(second);
    expect(more).toEqual([]);
    expect(told?.replaceAll(/=\r?\n/g, '')).toContain('Create a new token on the page of the directory');
    const log = itemsOf<{ status: number; detail: string }>(
      await acme.call('GET', `/directories/${directory.id}/log`),
    );
    expect(log[0]).toMatchObject({ status: 401, detail: expect.stringContaining(STOPPED) });
    expect(await stoppedAt(directory)).toEqual(expect.any(String));
  });

  it('rests while the creator is suspended in the organization or as a person, and works again', async () => {
    const admin = await acme.join('admin');
    const directory = await byMember(admin);
    const { id } = admin.person;
    expect((await acme.call('POST', `/members/${id}/suspend`)).status).toBe(200);
    expect(await read(directory)).toBe(401);
    expect((await acme.call('POST', `/members/${id}/restore`)).status).toBe(200);
    expect([await read(directory), await stoppedAt(directory)]).toEqual([200, null]);
    await app.sql('UPDATE accounts SET suspended_at = now() WHERE id = $1', [id]);
    expect([await read(directory), await announced()]).toEqual([401, 2]);
    await app.sql('UPDATE accounts SET suspended_at = NULL WHERE id = $1', [id]);
    expect(await read(directory)).toBe(200);
  });

  it('is refused when the role of the creator does not create tokens any more', async () => {
    const { helper, change } = await byRole('iam:directory:read', 'iam:directory-token:create');
    const directory = await byMember(helper);
    expect(await read(directory)).toBe(200);
    await change(['iam:directory:read']);
    expect(await read(directory)).toBe(401);
    await change(['iam:directory:read', 'iam:directory-token:create']);
    expect(await read(directory)).toBe(200);
  });

  it('is refused by what the database says, whatever is remembered of the creator', async () => {
    const scopes = ['iam:directory:read', 'iam:directory-token:create'];
    const { helper, change } = await byRole(...scopes);
    const directory = await byMember(helper);
    await change(['iam:directory:read']);
    const path = `/directories/${directory.id}/tokens`;
    expect((await acme.call('POST', path, { name: 'Other' }, helper.token)).status).toBe(403);
    // Without the announcement that tells replicas of it.
    await app.sql("UPDATE roles SET scopes = $2 WHERE tenant_id = $1 AND key = 'helper'", [acme.id, scopes]);
    expect([await read(directory), await stoppedAt(directory), await announced()]).toEqual([200, null, 0]);
  });

  it('is refused when the creator could not give the roles of the rules any more', async () => {
    const scopes = ['iam:directory-token:create', 'iam:member:read'];
    const { helper, change } = await byRole(...scopes);
    const directory = await byMember(helper);
    await acme.call('POST', '/roles', { key: 'packer', name: 'Packer', scopes: ['iam:member:read'] });
    const rules = { rules: [{ group: 'Packers', roles: ['packer'] }] };
    expect((await acme.call('PUT', `/directories/${directory.id}/rules`, rules)).status).toBe(200);
    expect(await read(directory)).toBe(200);
    await change(['iam:directory-token:create']);
    expect(await read(directory)).toBe(401);
  });

  it('whose rules make owners is refused once the creator is an owner no more', async () => {
    const roles = itemsOf<{ key: string; scopes: string[] }>(await acme.call('GET', '/roles'));
    const { scopes } = roles.find(({ key }) => key === 'owner')!;
    await acme.call('POST', '/roles', { key: 'deputy', name: 'Deputy', scopes });
    const owner = await acme.join('owner');
    const directory = await byMember(owner);
    const rules = { rules: [{ group: 'Owners', roles: ['owner'] }] };
    expect((await acme.call('PUT', `/directories/${directory.id}/rules`, rules)).status).toBe(200);
    expect(await read(directory)).toBe(200);
    const path = `/members/${owner.person.id}`;
    expect((await acme.call('PATCH', path, { roles: ['deputy'] })).status).toBe(200);
    expect(await read(directory)).toBe(401);
  });

  it('gives no access token, and ends those that it gave', async () => {
    const admin = await acme.join('admin');
    const { id, token } = await byMember(admin);
    const request = async () => {
      const form = { grant_type: 'client_credentials', client_id: id, client_secret: token };
      const response = await fetch(`${app.url}/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams(form),
      });
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    };
    const issued = ScimDirectory.of(acme, id, String((await request()).body['access_token']));
    expect(await read(issued)).toBe(200);
    expect((await acme.call('DELETE', `/members/${admin.person.id}`)).status).toBe(204);
    expect(await read(issued)).toBe(401);
    expect(await request()).toMatchObject({
      status: 401,
      body: { error: 'invalid_client', error_description: expect.stringContaining(STOPPED) },
    });
  });

  it('ends a bulk request at the operation that comes after the removal', async () => {
    const domain = `${ulid().toLowerCase()}.example`;
    await verifyDomain(acme, domain);
    const admin = await acme.join('admin');
    const directory = await byMember(admin);
    const id = await directory.create(`ada@${domain}`);
    const version = async () => {
      const sql = 'SELECT version FROM directory_users WHERE id = $1';
      return (await app.sql<{ version: number }>(sql, [id]))[0]!.version;
    };
    const Operations = Array.from({ length: 200 }, (_, n) => ({
      method: 'PATCH',
      path: `/Users/${id}`,
      data: { Operations: [{ op: 'replace', path: 'title', value: `Title ${n}` }] },
    }));
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
    const running = directory.call('POST', '/Bulk', { schemas, Operations });
    await eventually('the first operations are done', async () => (await version()) > 2);
    expect((await acme.call('DELETE', `/members/${admin.person.id}`)).status).toBe(204);
    const { body } = await running;
    const statuses = (body['Operations'] as { status: string }[]).map(({ status }) => status);
    const done = statuses.filter((status) => status === '200').length;
    expect(done).toBeLessThan(200);
    expect(statuses.slice(done)).toEqual(Array<string>(200 - done).fill('401'));
    expect((await version()) - 1).toBe(done);
    const log = itemsOf<{ status: number }>(
      await acme.call('GET', `/directories/${directory.id}/log?limit=100`),
    );
    expect(log.filter(({ status }) => status === 401)).toHaveLength(1);
  });

  it.each<[string, number, (creator: Joined, directory: ScimDirectory) => Promise<unknown>]>([
    ['the creator was removed', 401, ({ person }) => acme.call('DELETE', `/members/${person.id}`)],
    [
      'the token was revoked',
      401,
      (_, { id }) => app.sql('DELETE FROM directory_tokens WHERE directory_id = $1', [id]),
    ],
    [
      'the organization was archived',
      403,
      () => app.sql('UPDATE tenants SET archived_at = now() WHERE id = $1', [acme.id]),
    ],
  ])('is asked again after a write has waited for its turn: %s', async (_, refusal, happen) => {
    const admin = await acme.join('admin');
    const directory = await byMember(admin);
    const turns = app.app.get(WriteTurns, { strict: false });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const others = [1, 2].map(() => turns.run(acme.id as TenantId, () => held));
    const run = jest.spyOn(turns, 'run');
    const waiting = directory.call('POST', '/Groups', { schemas: [GROUP_SCHEMA], displayName: 'Late' });
    await eventually('it waits for its turn', () => Promise.resolve(run.mock.calls.length === 1));
    run.mockRestore();
    await happen(admin, directory);
    release();
    await Promise.all(others);
    expect((await waiting).status).toBe(refusal);
  });

  it('works for a creator who is not known, and is not told to others', async () => {
    const admin = await acme.join('admin');
    const directory = await byMember(admin);
    const other = await ScimDirectory.create(acme);
    await app.sql('UPDATE directory_tokens SET created_by = NULL WHERE directory_id = $1', [other.id]);
    expect((await acme.call('DELETE', `/members/${admin.person.id}`)).status).toBe(204);
    expect(await read(other)).toBe(200);
    const misplaced = ScimDirectory.of(acme, other.id, directory.token);
    expect(await read(misplaced)).toBe(404);
  });

  it('is told once, by calls at the same time too, and locks nothing after that', async () => {
    const admin = await acme.join('admin');
    const directory = await byMember(admin);
    expect((await acme.call('DELETE', `/members/${admin.person.id}`)).status).toBe(204);
    expect(await Promise.all(Array.from({ length: 5 }, () => read(directory)))).toEqual(Array(5).fill(401));
    expect(await announced()).toBe(1);
    const rows = jest.spyOn(app.app.get(Database, { strict: false }), 'rows');
    expect(await read(directory)).toBe(401);
    const statements = rows.mock.calls.map(([sql]) => JSON.stringify(sql));
    rows.mockRestore();
    expect(statements.filter((sql) => /FROM tenants .*FOR UPDATE/.test(sql))).toEqual([]);
  });

  it('costs no statement for its creator while it works', async () => {
    const directory = await ScimDirectory.create(acme);
    expect(await read(directory)).toBe(200);
    const rows = jest.spyOn(app.app.get(Database, { strict: false }), 'rows');
    expect(await read(directory)).toBe(200);
    const statements = rows.mock.calls.map((call) => JSON.stringify(call));
    rows.mockRestore();
    expect(statements.filter((call) => call.includes('directory_tokens'))).toHaveLength(1);
    // The caches may refresh what they hold of other organizations.
    const own = statements.filter((call) => call.includes(acme.id));
    expect(own.filter((call) => /\b(members|member_roles|roles)\b/.test(call))).toEqual([]);
  });
});
