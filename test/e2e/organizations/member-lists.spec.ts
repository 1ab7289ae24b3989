import { Client } from 'pg';
import { Organization } from '../../support/organization.js';
import { itemsOf, type Answer, eventually, withApp } from '../../support/test-app.js';

interface Listed {
  readonly userId: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastActiveAt: string | null;
}

/** Names and addresses of members that are inserted next to the owner, Ada. */
const PEOPLE = [
  ['José', 'zoe@many.example'],
  ['josephine', 'ab_c@many.example'],
  ['Ödön', 'bela@many.example'],
  [null, 'Jo.Null@many.example'],
  ['Zed', 'abxc@many.example'],
] as const;

describe('The list of members', () => {
  let organization: Organization;
  let other: Organization;
  const app = withApp();
  beforeAll(async () => {
    organization = await Organization.found(app);
    other = await Organization.found(app);
    for (const [n, [name, email]] of PEOPLE.entries()) {
      const id = `01BX${String(n).padStart(22, '0')}`;
      await app.sql('INSERT INTO accounts (id, email, email_key, first_name) VALUES ($1, $2, $3, $4)', [
        id,
        email,
        email.toLowerCase(),
        name,
      ]);
      await app.sql(
        "INSERT INTO members (tenant_id, user_id, joined_at) VALUES ($1, $2, '2026-01-01T00:00:00.000001Z'::timestamptz + $3::int / 2 * interval '1 microsecond')",
        [organization.id, id, n],
      );
    }
  });

  const list = (query: Record<string, string> = {}, of = organization): Promise<Answer> =>
    of.call('GET', `/members?${new URLSearchParams(query).toString()}`);
  const idOf = (n: number): string => `01BX${String(n).padStart(22, '0')}`;
  const names = (answer: Answer): string[] =>
    itemsOf<Listed>(answer).map(({ firstName, email }) => firstName ?? email);
  const violation = (propertyPath: string) => ({
    status: 400,
    body: { type: '/errors/validation-error', violations: [{ propertyPath }] },
  });

  it('names the directory that added a member', async () => {
    const id = idOf(2);
    const { body: directory } = await organization.call('POST', '/directories', { name: 'Entra ID' });
    const named = async () => {
      const items = itemsOf<Record<string, unknown>>(await list());
      return items.flatMap(({ userId, directoryName }) =>
        directoryName === null ? [] : [[userId, directoryName]],
      );
    };
    await app.sql(
      "INSERT INTO directory_users (tenant_id, directory_id, id, user_name_key, attributes, account_id) VALUES ($1, $2, $3, 'x', '{}', $3)",
      [organization.id, directory['id'], id],
    );
    expect(await named()).toEqual([]); // it was added by a person
    await app.sql("UPDATE members SET source = 'directory' WHERE user_id = $1", [id]);
    try {
      expect(await named()).toEqual([[id, 'Entra ID']]);
      await organization.call('DELETE', `/directories/${String(directory['id'])}`);
      expect(await named()).toEqual([]);
    } finally {
      await app.sql("UPDATE members SET source = 'manual' WHERE user_id = $1", [id]);
    }
  });

  it('is filtered by state and by what added the member', async () => {
    const id = idOf(2);
    await app.sql("UPDATE members SET status = 'suspended', source = 'directory' WHERE user_id = $1", [id]);
    try {
      expect(names(await list({ status: 'suspended' }))).toEqual(['Ödön']);
      expect(names(await list({ source: 'directory' }))).toEqual(['Ödön']);
      expect(names(await list({ source: 'directory', status: 'active' }))).toEqual([]);
      expect((await list({ source: 'manual' })).body['total']).toBe(PEOPLE.length);
      expect(await list({ status: 'gone' })).toMatchObject(violation('status'));
    } finally {
      await app.sql("UPDATE members SET status = 'active', source = 'manual' WHERE user_id = $1", [id]);
    }
  });

  it('goes on after a name that is folded to many letters', async () => {
    const wide = await Organization.found(app);
    const { person } = await wide.join();
    const id = `01CX${'1'.padStart(22, '0')}`;
    const long = "repeat('\ufdfa', 100)";
    await app.sql(`UPDATE accounts SET first_name = ${long}, last_name = ${long} WHERE id = $1`, [person.id]);
    await app.sql(`INSERT INTO accounts (id, first_name, last_name) VALUES ($1, ${long}, ${long})`, [id]);
    await app.sql('INSERT INTO members (tenant_id, user_id) VALUES ($1, $2)', [wide.id, id]);
    const seen: string[] = [];
    for (const sort of ['name', '-name'])
      for (let cursor = ''; cursor !== 'null';) {
        const page = await list({ limit: '1', sort, cursor }, wide);
        seen.push(...itemsOf<Listed>(page).map(({ userId }) => userId));
        cursor = String(page.body['nextCursor']);
      }
    expect(seen.slice(3).toReversed()).toEqual(seen.slice(0, 3));
    expect(new Set(seen).size).toBe(3);
  });

  it('finds any part of a name or an address, without regard to case and accents', async () => {
    expect(names(await list({ query: 'JO' }))).toEqual(['Jo.Null@many.example', 'José', 'josephine']);
    expect(names(await list({ query: 'Jose' }))).toEqual(['José', 'josephine']);
    expect(names(await list({ query: 'ödö' }))).toEqual(['Ödön']);
    expect(names(await list({ query: 'odon' }))).toEqual(['Ödön']);
    expect(names(await list({ query: 'bela@' }))).toEqual(['Ödön']);
    expect(names(await list({ query: 'dön' }))).toEqual(['Ödön']);
    expect(names(await list({ query: 'SEPH' }))).toEqual(['josephine']);
    expect(names(await list({ query: 'many.ex', sort: '-email' }))).toEqual([
      'José',
      'Jo.Null@many.example',
      'Ödön',
      'Zed',
      'josephine',
    ]);
    expect(names(await list({ query: 'null@many' }))).toEqual(['Jo.Null@many.example']);
    expect(names(await list({ query: 'bela@many.example' }))).toEqual(['Ödön']);
  });

  it('finds the beginning only by less than three letters', async () => {
    expect(names(await list({ query: 'dö' }))).toEqual([]);
    expect(names(await list({ query: 'öd' }))).toEqual(['Ödön']);
  });

  it('takes no character of the query for a wildcard', async () => {
    expect(names(await list({ query: 'ab_' }))).toEqual(['josephine']);
    expect(names(await list({ query: '%' }))).toEqual([]);
    expect(names(await list({ query: 'man%' }))).toEqual([]);
    expect(names(await list({ query: 'man\\' }))).toEqual([]);
    expect(names(await list({ query: 'b_c@many' }))).toEqual(['josephine']);
    expect(names(await list({ query: "'" }))).toEqual([]);
  });

  it('finds no member of another organization', async () => {
    expect(names(await list({ query: 'jo' }, other))).toEqual([]);
    expect((await list({}, other)).body).toMatchObject({ total: 1 });
  });

  it.each(['name', '-name', 'email', '-email', 'joinedAt', '-joinedAt'])(
    'has the same members in pages of one as at once, by %s',
    async (sort) => {
      const all = itemsOf<Listed>(await list({ sort })).map(({ userId }) => userId);
      expect(all).toHaveLength(PEOPLE.length + 1);
      const seen: string[] = [];
      let cursor = '';
      do {
        const page = await list({ sort, limit: '1', cursor });
        expect(page.status).toBe(200);
        seen.push(...itemsOf<Listed>(page).map(({ userId }) => userId));
        cursor = String(page.body['nextCursor'] ?? '');
      } while (cursor !== '');
      expect(seen).toEqual(all);
    },
  );

  it('is sorted as asked, by name if nothing is asked', async () => {
    const byName = ['Ada', 'Jo.Null@many.example', 'José', 'josephine', 'Ödön', 'Zed'];
    expect(names(await list())).toEqual(byName);
    expect(names(await list({ sort: 'name' }))).toEqual(byName);
    expect(names(await list({ sort: '-name' }))).toEqual([...byName].reverse());
    expect(names(await list({ sort: 'email', query: 'ab' }))).toEqual(['josephine', 'Zed']);
    const joined = itemsOf<Listed>(await list({ sort: 'joinedAt' })).map(({ userId }) => userId);
    expect(joined.slice(0, 5)).toEqual([0, 1, 2, 3, 4].map(idOf));
  });

  it('counts what matches, on the first page only', async () => {
    const first = await list({ limit: '2' });
    expect(first.body).toMatchObject({ total: 6 });
    const second = await list({ limit: '2', cursor: String(first.body['nextCursor']) });
    expect(second.body).not.toHaveProperty('total');
    expect((await list({ query: 'jo' })).body).toMatchObject({ total: 3 });
    expect((await list({ role: 'owner' })).body).toMatchObject({ total: 1 });
    expect((await list({ role: 'nonsense' })).body).toMatchObject({ items: [], total: 0, nextCursor: null });
  });

  it('shows who holds a role', async () => {
    await organization.join('admin', 'member');
    expect(names(await list({ role: 'owner' }))).toEqual(['Ada']);
    const admins = itemsOf<Listed>(await list({ role: 'admin' }));
    expect(admins).toHaveLength(1);
    expect(admins[0]).toMatchObject({ roles: ['admin', 'member'] });
    expect(names(await list({ role: 'admin', query: 'zed' }))).toEqual([]);
  });

  it('follows a changed name, and the erasure of an account', async () => {
    const member = await organization.join('member');
    const rename = (firstName: string) =>
      app.call('PATCH', '/api/v1/iam/me', { firstName }, { token: member.person.token });
    await rename('Grace');
    expect(names(await list({ query: 'gra' }))).toEqual(['Grace']);
    await rename('Hedy');
    expect(names(await list({ query: 'gra' }))).toEqual([]);
    expect(names(await list({ query: 'hed' }))).toEqual(['Hedy']);
    const { rows } = {
      rows: await app.sql('SELECT count(*)::int AS n FROM members WHERE name_key = $1', ['hedy']),
    };
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('shows when a session of the member last renewed its token for this organization', async () => {
    const member = await organization.join('member');
    const find = async () =>
      itemsOf<Listed>(await list()).find(({ userId }) => userId === member.person.id)?.lastActiveAt;
    const active = await find();
    expect(Date.parse(String(active))).toBeGreaterThan(Date.now() - 600_000);
    await app.sql("UPDATE grants SET last_used_at = '2026-05-05T05:05:05Z' WHERE account_id = $1", [
      member.person.id,
    ]);
    expect(await find()).toBe('2026-05-05T05:05:05.000Z');
    const another = await Organization.found(app, member.person);
    expect(await find()).toBeNull();
    expect(itemsOf<Listed>(await list({}, another))[0]?.lastActiveAt).not.toBeNull();
  });

  it('shows when a tab of the member last renewed its token for this organization', async () => {
    const member = await organization.join('member');
    const find = async () =>
      itemsOf<Listed>(await list()).find(({ userId }) => userId === member.person.id)?.lastActiveAt;
    const { email, password } = member.person;
    const { body } = await app.post('login', { email, password });
    await app.sql('UPDATE grants SET tenant_id = NULL WHERE account_id = $1', [member.person.id]);
    expect(await find()).toBeNull();
    const refresh = (refreshToken: unknown) =>
      app.post('refresh', { refreshToken, tenantId: organization.id });
    const first = await refresh(body['refreshToken']);
    await eventually('the activity is noted', async () => (await find()) !== null);
    const active = await find();
    expect(Date.parse(String(active))).toBeGreaterThan(Date.now() - 600_000);
    await refresh(first.body['refreshToken']);
    expect(await find()).toBe(active); // noted once in ten minutes
  });

  it('lets a tab renew its token while the membership is locked, or cannot be written', async () => {
    const member = await organization.join('member');
    const { email, password } = member.person;
    let { body } = await app.post('login', { email, password });
    const refresh = async () => {
      const given = { refreshToken: body['refreshToken'], tenantId: organization.id };
      const answer = await app.post('refresh', given);
      expect(answer.status).toBe(200);
      ({ body } = answer);
    };
    await app.sql('UPDATE grants SET tenant_id = NULL WHERE account_id = $1', [member.person.id]);
    const locking = new Client({ connectionString: app.databaseUrl });
    await locking.connect();
    try {
      await locking.query('BEGIN');
      await locking.query('SELECT 1 FROM members WHERE user_id = $1 FOR UPDATE', [member.person.id]);
      await refresh();
      await refresh();
      await locking.query('COMMIT');
    } finally {
      await locking.end();
    }
    await app.sql('ALTER TABLE members ADD CONSTRAINT members_idle CHECK (last_active_at IS NULL) NOT VALID');
    try {
      await refresh();
      await refresh();
    } finally {
      await app.sql('ALTER TABLE members DROP CONSTRAINT members_idle');
    }
  });

  it('refuses an unknown order, and a cursor of another order or none', async () => {
    expect(await list({ sort: 'age' })).toMatchObject(violation('sort'));
    expect(await list({ sort: '' })).toMatchObject(violation('sort'));
    expect(await list({ role: 'Not A Key' })).toMatchObject(violation('role'));
    expect(await list({ query: '' })).toMatchObject(violation('query'));
    expect(await list({ query: 'a\u0000' })).toMatchObject(violation('query'));
    expect(await list({ search: 'a' })).toMatchObject(violation('search'));
    const { body } = await list({ limit: '1' });
    const cursor = String(body['nextCursor']);
    expect(await list({ sort: '-name', cursor })).toMatchObject(violation('cursor'));
    const forged = [
      ['name', 'a\u0000', idOf(0)],
      ['name', '\ud800', idOf(0)],
      ['name', 'a', 'no id'],
      ['name', 1, idOf(0)],
      ['name', 'a'],
      {},
    ];
    for (const position of forged) {
      const made = Buffer.from(JSON.stringify(position)).toString('base64url');
      expect(await list({ cursor: made })).toMatchObject(violation('cursor'));
    }
    const late = Buffer.from(JSON.stringify(['joinedAt', "now'", idOf(0)])).toString('base64url');
    expect(await list({ sort: 'joinedAt', cursor: late })).toMatchObject(violation('cursor'));
    const far = Buffer.from(JSON.stringify(['joinedAt', '9'.repeat(17), idOf(0)])).toString('base64url');
    expect((await list({ sort: 'joinedAt', cursor: far })).status).toBe(200);
  });
});
