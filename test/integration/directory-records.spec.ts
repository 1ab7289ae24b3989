import { ulid } from 'ulid';
import { DirectoryTokenCheck } from '../../src/directory/directories/directory-token-check.js';
import { DirectoryTokenService } from '../../src/directory/directories/directory-token.service.js';
import { GroupSync } from '../../src/directory/projection/group-sync.js';
import { DirectoryGroupEntity, DirectoryUserEntity } from '../../src/directory/records/record.entity.js';
import { GroupMembershipRepository } from '../../src/directory/records/group-membership.repository.js';
import { RecordListRepository, type Selection } from '../../src/directory/records/record-list.repository.js';
import type { DirectoryScope } from '../../src/directory/records/record-rules.js';
import { requireVersion, throwNotFound, userAttributesOf } from '../../src/directory/records/record-rules.js';
import { UserRecordRepository } from '../../src/directory/records/user-record.repository.js';
import { applyPatch } from '../../src/directory/scim/patch.js';
import type { TenantId, UserId } from '../../src/kernel/principal.js';
import { Database, type TenantDatabase } from '../../src/platform/database/index.js';
import { withApp } from '../support/test-app.js';

let users: UserRecordRepository;
let lists: RecordListRepository;
let groups: GroupSync;
let tokens: DirectoryTokenService;
let check: DirectoryTokenCheck;
const app = withApp();
beforeAll(async () => {
  users = app.app.get(UserRecordRepository, { strict: false });
  lists = app.app.get(RecordListRepository, { strict: false });
  groups = app.app.get(GroupSync, { strict: false });
  tokens = app.app.get(DirectoryTokenService, { strict: false });
  check = app.app.get(DirectoryTokenCheck, { strict: false });
});

async function newDirectory(tenant?: TenantId): Promise<DirectoryScope> {
  const tenantId = tenant ?? (ulid() as TenantId);
  if (tenant === undefined) await app.sql("INSERT INTO tenants (id, name) VALUES ($1, 'Fleet')", [tenantId]);
  const directoryId = ulid();
  await app.sql("INSERT INTO directories (tenant_id, id, name) VALUES ($1, $2, 'Entra ID')", [
    tenantId,
    directoryId,
  ]);
  return { tenantId, directoryId };
}

/** More records than are counted. */
const MANY = 10_050;

const person = (userName: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName,
  ...more,
});
const create = async (scope: DirectoryScope, body: unknown): Promise<DirectoryUserEntity> =>
  users.create(scope, userAttributesOf(body));
type Derive = (stored: DirectoryUserEntity['attributes']) => unknown;
/** Changes a record as it is, if it has the version. */
async function change(
  scope: DirectoryScope,
  id: string,
  version: number | null,
  derive: Derive,
): Promise<DirectoryUserEntity> {
  const before = (await users.find(scope, id)) ?? throwNotFound();
  requireVersion(version, before.version);
  const attributes = userAttributesOf(derive(before.attributes), before.attributes);
  const after = await users.update(before, attributes);
  if (!after) requireVersion(before.version, -1);
  return after ?? throwNotFound();
}
const listUsers = (scope: DirectoryScope, selection: Selection) =>
  lists.list(scope, DirectoryUserEntity, selection);
const listGroups = (scope: DirectoryScope, selection: Selection) =>
  lists.list(scope, DirectoryGroupEntity, selection);
const replace = (scope: DirectoryScope, id: string, version: number | null, body: unknown) =>
  change(scope, id, version, () => body);
const patch = (scope: DirectoryScope, id: string, version: number | null, operations: unknown) =>
  change(scope, id, version, (stored) => applyPatch(stored, operations));
const refusal = (status: number, scimType: string | null = null) =>
  expect.objectContaining({ status, scimType });

describe('Records of people in a directory', () => {
  it('are not created without the directory', async () => {
    const scope = { ...(await newDirectory()), directoryId: ulid() };
    await expect(create(scope, person('ada'))).rejects.toEqual(refusal(404));
  });

  it('read back as they were written, without what clients cannot set', async () => {
    const scope = await newDirectory();
    const sent = person('Ada@Example.com', {
      externalId: 'E1',
      active: 'True',
      name: { givenName: 'Ada' },
      emails: [{ value: 'Ada@Example.com', primary: true, type: 'work' }],
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Ops' },
    });
    const { id } = await create(scope, { ...sent, password: 'canary-1', id: 'mine', meta: {} });
    const found = await users.find(scope, id);
    const { schemas: _, ...attributes } = sent;
    expect(found?.attributes).toEqual({ ...attributes, active: true });
    expect(found).toMatchObject({
      version: 1,
      state: 'pending',
      accountId: null,
      emailKey: 'Ada@example.com'.toLowerCase(),
    });
    expect(JSON.stringify(await app.sql('SELECT * FROM directory_users'))).not.toContain('canary-1');
  });

  it('have a userName and an externalId of their own in the directory', async () => {
    const [scope, other] = [await newDirectory(), await newDirectory()];
    await create(scope, person('ada', { externalId: 'E1' }));
    const grace = await create(scope, person('grace', { externalId: 'E2' }));
    await expect(create(scope, person('ADA'))).rejects.toEqual(refusal(409, 'uniqueness'));
    await expect(replace(scope, grace.id, null, person('grace', { externalId: 'E1' }))).rejects.toEqual(
      refusal(409, 'uniqueness'),
    );
    const operations = [{ op: 'replace', path: 'userName', value: 'Ada' }];
    await expect(patch(scope, grace.id, null, operations)).rejects.toEqual(refusal(409, 'uniqueness'));
    await create(other, person('ada', { externalId: 'E1' }));
  });

  it('are found by filters, in pages', async () => {
    const scope = await newDirectory();
    for (const name of ['ada', 'alan', 'grace'])
      await create(
        scope,
        person(name, { title: `${name}'s %_\\ title`, emails: [{ value: `${name}@example.com` }] }),
      );
    const names = async (filter: string) =>
      (await listUsers(scope, { filter })).items.map(({ attributes }) => attributes['userName']);
    expect(await names('userName eq "ADA"')).toEqual(['ada']);
    expect(await names('emails.value eq "alan@example.com"')).toEqual(['alan']);
    expect(await names('emails[value sw "g"]')).toEqual(['grace']);
    expect(await names('title co "%_\\\\"')).toEqual(['ada', 'alan', 'grace']);
    expect(await names('not (userName sw "a") and active eq true')).toEqual(['grace']);
    expect(await names('externalId eq "none"')).toEqual([]);
    expect(await listUsers(scope, { startIndex: 2, count: 1 })).toMatchObject({
      total: 3,
      items: [{ attributes: { userName: 'alan' } }],
    });
    expect((await listUsers(scope, { count: 0 })).items).toEqual([]);
    expect((await listUsers(scope, { startIndex: -5, count: 1e9 })).items).toHaveLength(3);
    expect((await listUsers(scope, { startIndex: 1e9, count: -1 })).items).toEqual([]);
    await expect(listUsers(scope, { filter: 'userName' })).rejects.toEqual(refusal(400, 'invalidFilter'));
  });

  it('are neither skipped nor repeated by cursor over 10,000, with writes between pages', async () => {
    const scope = await newDirectory();
    const idOf = (n: number) => `01ARZ${String(n).padStart(21, '0')}`;
    await app.sql(
      `INSERT INTO directory_users (tenant_id, directory_id, id, user_name_key, attributes)
       SELECT $1, $2, '01ARZ' || lpad(n::text, 21, '0'), 'u' || n, jsonb_build_object('userName', 'u' || n)
       FROM generate_series(1, $3::int) n`,
      [scope.tenantId, scope.directoryId, MANY],
    );
    const seen: string[] = [];
    let [cursor, added]: [string | null, number] = ['', 0];
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof listUsers>> = await listUsers(scope, { cursor, count: 1_000 });
      expect(page.total).toBe(10_000);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      if (cursor === null) break;
      added += 1;
      await create(scope, person(`new-${added}`));
      await users.remove(scope, idOf(added));
      await patch(scope, idOf(added + 500), null, [{ op: 'add', path: 'title', value: 'T' }]);
    }
    expect(new Set(seen).size).toBe(seen.length);
    const original = seen.filter((id) => id.startsWith('01ARZ'));
    expect(original).toEqual(Array.from({ length: MANY }, (_, n) => idOf(n + 1)));
  });

  it('change once among 20 writers with the same version', async () => {
    const scope = await newDirectory();
    const { id } = await create(scope, person('ada'));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        patch(scope, id, 1, [{ op: 'replace', path: 'title', value: `${n}` }]),
      ),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(19);
    for (const outcome of refused) expect(outcome).toMatchObject({ reason: refusal(412) });
    expect(await users.find(scope, id)).toMatchObject({ version: 2 });
  });

  it('are those of their directory alone', async () => {
    const scope = await newDirectory();
    const beside = await newDirectory(scope.tenantId);
    const foreign = { ...beside, directoryId: scope.directoryId, tenantId: ulid() as TenantId };
    const { id } = await create(scope, person('ada'));
    for (const other of [beside, foreign]) {
      expect(await users.find(other, id)).toBeNull();
      expect((await listUsers(other, {})).total).toBe(0);
      await expect(replace(other, id, null, person('eve'))).rejects.toEqual(refusal(404));
      await expect(users.remove(other, id)).rejects.toEqual(refusal(404));
    }
    await users.remove(scope, id);
    await expect(users.remove(scope, id)).rejects.toEqual(refusal(404));
  });

  it.each([
    ['invalidSyntax', []],
    ['invalidValue', {}],
    ['invalidValue', person('')],
    ['invalidValue', person('x'.repeat(256))],
    ['invalidValue', person('ada', { externalId: '' })],
    ['invalidValue', person('ada', { externalId: 'x'.repeat(256) })],
    ['invalidValue', person('ada', { displayName: Array.from({ length: 256 }, () => ulid()).join('') })],
    ['invalidValue', person('ada', { active: 'maybe' })],
    ['invalidValue', person('ada', { title: '\u0000' })],
  ])('refuse a body as %s (%#)', async (scimType, body) => {
    await expect(create(await newDirectory(), body)).rejects.toEqual(refusal(400, scimType));
  });
});

describe('Groups of a directory', () => {
  const crew = (...ids: string[]) => ({ displayName: 'Crew', members: ids.map((value) => ({ value })) });

  it('read back with their members, who are changed one by one', async () => {
    const scope = await newDirectory();
    const ids: string[] = [];
    for (const name of ['ada', 'alan', 'grace']) ids.push((await create(scope, person(name))).id);
    const [ada = '', alan = '', grace = ''] = ids;
    const { group } = await groups.create(scope, { ...crew(ada, ada), externalId: 'G1' });
    const membersAfter = async (...operations: object[]) =>
      (await groups.patch(scope, group.id, null, operations)).memberIds;
    expect((await groups.get(scope, group.id)).memberIds).toEqual([ada]);
    expect(
      await membersAfter({ op: 'Add', path: 'members', value: [{ value: grace }, { value: alan }] }),
    ).toEqual(ids);
    expect(await membersAfter({ op: 'Remove', path: 'members', value: [{ value: alan }] })).toEqual([
      ada,
      grace,
    ]);
    expect(await membersAfter({ op: 'remove', path: `members[value eq "${ada}"]` })).toEqual([grace]);
    expect(await membersAfter({ op: 'replace', value: { displayName: 'Fleet' } })).toEqual([grace]);
    const found = await groups.get(scope, group.id);
    expect(found).toMatchObject({ memberIds: [grace], group: { version: 5, displayNameKey: 'fleet' } });
    expect(found?.group.attributes).toEqual({ displayName: 'Fleet', externalId: 'G1' });
    expect((await listGroups(scope, { filter: `members.value eq "${grace}"` })).total).toBe(1);
    expect((await listGroups(scope, { filter: `members.value eq "${ada}"` })).total).toBe(0);
    expect((await groups.replace(scope, group.id, 5, crew(alan))).memberIds).toEqual([alan]);
    await expect(groups.replace(scope, group.id, 5, crew())).rejects.toEqual(refusal(412));
    await users.remove(scope, alan);
    expect((await groups.get(scope, group.id)).memberIds).toEqual([]);
    await groups.remove(scope, group.id, null);
    await expect(groups.get(scope, group.id)).rejects.toEqual(refusal(404));
    await expect(groups.remove(scope, group.id, null)).rejects.toEqual(refusal(404));
  });

  it('have members of their directory alone, and change as a whole or not', async () => {
    const [scope, other] = [await newDirectory(), await newDirectory()];
    const ada = await create(scope, person('ada'));
    const eve = await create(other, person('eve'));
    const { group } = await groups.create(scope, crew(ada.id));
    await expect(groups.replace(scope, group.id, null, crew(eve.id))).rejects.toEqual(
      refusal(400, 'invalidValue'),
    );
    expect(await groups.get(scope, group.id)).toMatchObject({ memberIds: [ada.id], group: { version: 1 } });
    await expect(groups.create(scope, crew(eve.id))).rejects.toEqual(refusal(400, 'invalidValue'));
    expect((await listGroups(scope, {})).total).toBe(1);
    await expect(groups.get(other, group.id)).rejects.toEqual(refusal(404));
    await expect(groups.patch(other, group.id, null, [])).rejects.toEqual(refusal(404));
  });

  it.each([
    ['invalidSyntax', []],
    ['invalidValue', {}],
    ['invalidValue', { displayName: 'Crew', members: 'x' }],
    ['invalidValue', { displayName: 'Crew', members: ['x'] }],
    ['invalidValue', { displayName: 'Crew', members: [{ value: '\u0000' }] }],
  ])('refuse a body as %s (%#)', async (scimType, body) => {
    await expect(groups.create(await newDirectory(), body)).rejects.toEqual(refusal(400, scimType));
  });

  it('have an externalId of their own', async () => {
    const scope = await newDirectory();
    await groups.create(scope, { displayName: 'Crew', externalId: 'G1' });
    await groups.create(scope, { displayName: 'Crew' });
    const taken = groups.create(scope, { displayName: 'Fleet', externalId: 'G1' });
    await expect(taken).rejects.toEqual(refusal(409, 'uniqueness'));
  });
});

describe('A page of records', () => {
  it('is refused if it is too large to be read at once', async () => {
    const scope = await newDirectory();
    await app.sql(
      `INSERT INTO directory_users (tenant_id, directory_id, id, user_name_key, attributes)
       SELECT $1, $2, lpad(n::text, 26, '0'), n::text, jsonb_build_object('title', repeat('x', 250000)) FROM generate_series(1, 70) n`,
      [scope.tenantId, scope.directoryId],
    );
    await expect(listUsers(scope, { count: 70 })).rejects.toEqual(refusal(400, 'tooMany'));
    expect((await listUsers(scope, { count: 64 })).items).toHaveLength(64);
    expect((await listUsers(scope, { count: 66, cursor: '' })).items).toHaveLength(66);
  });

  it('is refused if it has too many members of groups', async () => {
    const scope = await newDirectory();
    const answering = (rows: object[]) =>
      new GroupMembershipRepository({ rows: () => Promise.resolve(rows) } as unknown as TenantDatabase);
    const groupOf = (count: number) => ({ groupId: 'g', userIds: Array.from({ length: count }, String) });
    const [most, tooMany] = [
      [groupOf(100_000), groupOf(100_000)],
      [groupOf(100_000), groupOf(100_001)],
    ];
    expect((await answering(most).membersOf(scope, ['g'])).size).toBe(1);
    await expect(answering(tooMany).membersOf(scope, ['g'])).rejects.toEqual(refusal(400, 'tooMany'));
    const memberships = Array.from({ length: 200_001 }, (_, n) => ({ userId: 'u', id: String(n) }));
    expect((await answering(memberships.slice(1)).groupsOf(scope, ['u'])).size).toBe(1);
    await expect(answering(memberships).groupsOf(scope, ['u'])).rejects.toEqual(refusal(400, 'tooMany'));
  });
});

describe('Tokens of a directory', () => {
  const creator = ulid() as UserId;
  const createToken = ({ tenantId, directoryId }: DirectoryScope, expiresAt?: string) =>
    tokens.create(tenantId, creator, directoryId, { name: 'Entra', expiresAt });

  it('are verified for their directory, and stored as a hash', async () => {
    const { tenantId, directoryId } = await newDirectory();
    const { plainKey, id } = await createToken({ tenantId, directoryId });
    expect(plainKey).toMatch(/^gh_scim_/);
    expect(await check.verify(plainKey)).toEqual({
      tenantId,
      directoryId,
      tokenId: id,
      isArchived: false,
      createdBy: creator,
      isCreatorActive: false,
      roleIds: [],
      isStopped: false,
    });
    expect(await tokens.list(tenantId, directoryId)).toEqual([
      {
        id,
        name: 'Entra',
        createdAt: expect.any(Date),
        expiresAt: null,
        lastUsedAt: expect.any(Date),
        stoppedAt: null,
      },
    ]);
    const stored = await app.sql('SELECT secret_hash FROM directory_tokens WHERE id = $1', [id]);
    expect(JSON.stringify(stored)).not.toContain(plainKey);
    await app.sql("UPDATE directory_tokens SET secret_hash = 'x' WHERE id = $1", [id]);
    expect(await check.verify(plainKey)).toBeNull();
  });

  it('are refused once revoked, expired, or with a disabled directory', async () => {
    const { tenantId, directoryId } = await newDirectory();
    const revoked = await createToken({ tenantId, directoryId });
    const revoke = (from: TenantId) =>
      app.app.get(Database).transaction(() => tokens.revoke(from, creator, directoryId, revoked.id));
    await expect(revoke(ulid() as TenantId)).rejects.toMatchObject({ code: 'not-found' });
    await revoke(tenantId);
    await expect(revoke(tenantId)).rejects.toMatchObject({ code: 'not-found' });
    expect(await check.verify(revoked.plainKey)).toBeNull();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const expired = await createToken({ tenantId, directoryId }, expiresAt);
    expect(await check.verify(expired.plainKey)).toMatchObject({ tenantId, directoryId, isArchived: false });
    await app.sql('UPDATE directory_tokens SET expires_at = now() WHERE id = $1', [expired.id]);
    expect(await check.verify(expired.plainKey)).toBeNull();
    const current = await createToken({ tenantId, directoryId });
    await app.sql("UPDATE directories SET status = 'disabled' WHERE id = $1", [directoryId]);
    expect(await check.verify(current.plainKey)).toBeNull();
    expect(await check.verify('gh_scim_x')).toBeNull();
  });

  it('are two at once at most, without expired ones', async () => {
    const { tenantId, directoryId } = await newDirectory();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => createToken({ tenantId, directoryId })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const [first] = await tokens.list(tenantId, directoryId);
    await app.sql('UPDATE directory_tokens SET expires_at = now() WHERE id = $1', [first?.id]);
    await createToken({ tenantId, directoryId });
    expect(await tokens.list(tenantId, directoryId)).toHaveLength(2);
    await expect(createToken({ tenantId, directoryId: ulid() })).rejects.toMatchObject({ code: 'not-found' });
  });
});
