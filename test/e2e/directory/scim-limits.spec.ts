import { request } from 'node:http';
import { ulid } from 'ulid';
import { Organization, Person } from '../../support/organization.js';
import { GROUP_SCHEMA, ScimDirectory, userOf, verifyDomain } from '../../support/scim-directory.js';
import { eventually, itemsOf, NO_LIMITS, TestApp } from '../../support/test-app.js';

const BULK = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
/** No more than these at once, and then one in five seconds. */
const RATE = 12;

const patchOf = (id: string, value: string) => ({
  method: 'PATCH',
  path: `/Users/${id}`,
  data: { Operations: [{ op: 'replace', path: 'title', value }] },
});
const bulkOf = (Operations: object[], more: object = {}) => ({ schemas: [BULK], Operations, ...more });
const statusesOf = ({ body }: { body: Record<string, unknown> }) =>
  (body['Operations'] as { status: string }[]).map(({ status }) => status);

async function directoryOf(app: TestApp): Promise<{ directory: ScimDirectory; newAddress: () => string }> {
  const acme = await Organization.found(app);
  const domain = `${ulid().toLowerCase()}.example`;
  await verifyDomain(acme, domain);
  return {
    directory: await ScimDirectory.create(acme),
    newAddress: () => `${ulid().toLowerCase()}@${domain}`,
  };
}
const usedBy = async (app: TestApp, { id }: ScimDirectory) => {
  const [used] = await app.sql<{ records: number; bytes: string }>(
    'SELECT records, bytes FROM directories WHERE id = $1',
    [id],
  );
  return { records: used!.records, bytes: Number(used!.bytes) };
};
const logOf = async ({ organization, id }: ScimDirectory) =>
  itemsOf<{ method: string; status: number; detail: string | null }>(
    await organization.call('GET', `/directories/${id}/log?limit=100`),
  );

describe('The rate limit of a directory', () => {
  let app: TestApp;
  let directory: ScimDirectory;
  let id: string;
  beforeAll(async () => {
    app = await TestApp.start({ RATE_SCIM: String(RATE) });
    const made = await directoryOf(app);
    directory = made.directory;
    id = await directory.create(made.newAddress());
  });
  afterAll(() => app.stop());

  it('counts the operations of a bulk request, and answers 429 to each beyond it (F12)', async () => {
    const answer = await directory.call(
      'POST',
      '/Bulk',
      bulkOf(Array.from({ length: RATE + 30 }, (_, n) => patchOf(id, `Title ${n}`))),
    );
    expect(answer.status).toBe(200);
    const statuses = statusesOf(answer);
    const done = statuses.filter((status) => status === '200').length;
    expect(done).toBeGreaterThanOrEqual(RATE - 1);
    expect(statuses.slice(done)).toEqual(Array<string>(RATE + 30 - done).fill('429'));
    expect((answer.body['Operations'] as { response?: object }[]).at(-1)!.response).toMatchObject({
      schemas: [ERROR],
      status: '429',
    });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await logOf(directory)).filter(({ status }) => status === 429)).toHaveLength(1);
    const [stored] = await app.sql<{ title: string }>(
      "SELECT attributes ->> 'title' AS title FROM directory_users WHERE id = $1",
      [id],
    );
    expect(stored).toEqual({ title: `Title ${done - 1}` });
  });

  it('is by default what Entra ID asks for: 25 requests a second', async () => {
    const usual = await TestApp.start({ ...NO_LIMITS, RATE_SCIM: '' });
    const made = await directoryOf(usual);
    const { headers } = await made.directory.call('GET', '/Users');
    expect(Number(headers.get('x-ratelimit-limit'))).toBeGreaterThanOrEqual(30 * 60);
    await usual.stop();
  });
});

describe('A bulk request whose caller has gone (F12)', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('stops between two operations, and records how far it came', async () => {
    const { directory, newAddress } = await directoryOf(app);
    const id = await directory.create(newAddress());
    const version = async () => {
      const [user] = await app.sql<{ version: number }>('SELECT version FROM directory_users WHERE id = $1', [
        id,
      ]);
      return user!.version;
    };
    const operations = Array.from({ length: 200 }, (_, n) => patchOf(id, `Title ${n}`));
    const call = request(`${app.url}/api/scim/v2/${directory.id}/Bulk`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${directory.token}`, 'Content-Type': 'application/scim+json' },
    });
    call.on('error', () => undefined);
    call.end(JSON.stringify(bulkOf(operations)));
    await eventually('the first operations are done', async () => (await version()) > 2);
    call.destroy();
    await eventually('the stop is recorded', async () =>
      (await logOf(directory)).some(({ status }) => status === 499),
    );
    const done = (await version()) - 1;
    expect(done).toBeLessThan(200);
    const [call499] = (await logOf(directory)).filter(({ status }) => status === 499);
    expect(call499!.detail).toBe(
      `The caller closed the connection after ${done} of 200 operations. The rest was not run.`,
    );
  });
});

describe('The space of a directory', () => {
  const MAX_RECORDS = 5;
  const MAX_BYTES = 8_000;
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({
      LIMIT_DIRECTORY_RECORDS: String(MAX_RECORDS),
      LIMIT_DIRECTORY_BYTES: String(MAX_BYTES),
      LIMIT_RECORD_BYTES: '2000',
    });
  });
  afterAll(() => app.stop());

  it('ends at its records, also by writes at once, and has room again after a DELETE (F7)', async () => {
    const { directory, newAddress } = await directoryOf(app);
    const answers = await Promise.all(
      Array.from({ length: MAX_RECORDS + 3 }, (_, n) =>
        n % 2 === 0
          ? directory.call('POST', '/Users', userOf(newAddress()))
          : directory.call('POST', '/Groups', { schemas: [GROUP_SCHEMA], displayName: `Group ${n}` }),
      ),
    );
    const refused = answers.filter(({ status }) => status === 413);
    expect(refused).toHaveLength(3);
    expect(refused[0]!.body).toEqual({
      schemas: [ERROR],
      status: '413',
      detail: `The directory has its maximum of ${MAX_RECORDS} users and groups. Delete some, or ask the operators of this service for more.`,
    });
    expect((await usedBy(app, directory)).records).toBe(MAX_RECORDS);
    const [user] = answers.filter(({ status, body }) => status === 201 && 'userName' in body);
    expect((await directory.call('DELETE', `/Users/${String(user!.body['id'])}`)).status).toBe(204);
    expect((await directory.call('POST', '/Users', userOf(newAddress()))).status).toBe(201);
  });

  it('ends at its bytes, of which a membership has 128, and takes what does not grow', async () => {
    const { directory, newAddress } = await directoryOf(app);
    const large = { title: 'x'.repeat(1_500) };
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.push(await directory.create(newAddress(), large));
    await app.sql('UPDATE directories SET bytes = $2 WHERE id = $1', [directory.id, MAX_BYTES - 50]);
    const grown = await directory.patch(`/Users/${ids[0]}`, {
      op: 'add',
      path: 'nickName',
      value: 'y'.repeat(100),
    });
    expect([grown.status, grown.body['detail']]).toEqual([
      413,
      `The directory has its maximum of ${MAX_BYTES} bytes. Delete some, or ask the operators of this service for more.`,
    ]);
    const leave = { op: 'replace', value: { active: false } };
    await app.sql('UPDATE directories SET bytes = $2 WHERE id = $1', [directory.id, MAX_BYTES + 1]);
    expect((await directory.patch(`/Users/${ids[0]}`, leave)).status).toBe(200);
    expect((await directory.call('DELETE', `/Users/${ids[3]}`)).status).toBe(204);
    const group = { schemas: [GROUP_SCHEMA], displayName: 'All' };
    const members = ids.slice(0, 3).map((value) => ({ value }));
    await app.sql('UPDATE directories SET bytes = 5000 WHERE id = $1', [directory.id]);
    const before = (await usedBy(app, directory)).bytes;
    const made = await directory.call('POST', '/Groups', { ...group, members });
    expect(made.status).toBe(201);
    const growth = (await usedBy(app, directory)).bytes - before;
    expect(growth).toBeGreaterThan(3 * 128);
    await app.sql('UPDATE directories SET bytes = $2 WHERE id = $1', [directory.id, MAX_BYTES - 127]);
    const path = `/Groups/${String(made.body['id'])}`;
    const remove = { op: 'remove', path: `members[value eq "${ids[0]}"]` };
    expect((await directory.patch(path, remove)).status).toBe(200);
    await app.sql('UPDATE directories SET bytes = $2 WHERE id = $1', [directory.id, MAX_BYTES - 127]);
    const add = { op: 'add', path: 'members', value: [{ value: ids[0] }] };
    expect((await directory.patch(path, add)).status).toBe(413);
  });

  it('is counted whatever removes a record', async () => {
    const { directory, newAddress } = await directoryOf(app);
    const empty = await usedBy(app, directory);
    const [one, other] = [await directory.create(newAddress()), await directory.create(newAddress())];
    const members = [{ value: one }, { value: other }];
    await directory.call('POST', '/Groups', { schemas: [GROUP_SCHEMA], displayName: 'All', members });
    await directory.patch(`/Users/${one}`, { op: 'add', path: 'title', value: 'Pilot' });
    const expected = await app.sql<{ bytes: string }>(
      `SELECT (SELECT sum(octet_length(attributes::text)) FROM directory_users WHERE directory_id = $1)
         + (SELECT sum(octet_length(attributes::text)) FROM directory_groups WHERE directory_id = $1) + 256 AS bytes`,
      [directory.id],
    );
    expect(await usedBy(app, directory)).toEqual({ records: 3, bytes: Number(expected[0]!.bytes) });
    await app.sql('DELETE FROM directory_users WHERE directory_id = $1', [directory.id]);
    await app.sql('DELETE FROM directory_groups WHERE directory_id = $1', [directory.id]);
    expect(await usedBy(app, directory)).toEqual(empty);
  });

  it('has room again after the erasure of a person, whose memberships of groups go too', async () => {
    const { directory, newAddress } = await directoryOf(app);
    const [linked, waiting] = [newAddress(), `${ulid().toLowerCase()}@other.example`];
    const staying = [{ value: await directory.create(newAddress()) }];
    const group = { schemas: [GROUP_SCHEMA], displayName: 'All', members: staying };
    const path = `/Groups/${String((await directory.call('POST', '/Groups', group)).body['id'])}`;
    const before = await usedBy(app, directory);
    for (const email of [linked, waiting]) {
      const { token } = await Person.signUp(app, email);
      const value = [{ value: await directory.create(email) }];
      expect((await directory.patch(path, { op: 'add', path: 'members', value })).status).toBe(200);
      expect((await usedBy(app, directory)).records).toBe(before.records + 1);
      expect((await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token })).status).toBe(204);
      expect(await usedBy(app, directory)).toEqual(before);
    }
  });

  it('lets a record that is larger than the limit by now be changed, but not grow', async () => {
    const { directory, newAddress } = await directoryOf(app);
    const id = await directory.create(newAddress());
    await app.sql(
      "UPDATE directory_users SET attributes = attributes || jsonb_build_object('title', repeat('x', 4000)) WHERE id = $1",
      [id],
    );
    const path = `/Users/${id}`;
    expect((await directory.patch(path, { op: 'add', path: 'nickName', value: 'Ada' })).body).toMatchObject({
      status: '413',
      detail: 'The resource is larger than 2000 bytes without its members. Send fewer attributes.',
    });
    const leave = { op: 'replace', value: { active: false } };
    expect((await directory.patch(path, leave)).status).toBe(200);
    const shrink = { op: 'replace', path: 'title', value: 'x'.repeat(3_000) };
    expect((await directory.patch(path, shrink)).status).toBe(200);
  });
});
