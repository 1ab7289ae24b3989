import { anywhere, isSearchedAnywhere, NEAR_ROWS } from '../../src/platform/database/any-part.js';
import { DirectoryPeopleRepository } from '../../src/directory/records/directory-people.repository.js';
import { AccountService } from '../../src/iam/index.js';
import { OperatedTenantRepository } from '../../src/operator/tenants/tenant.repository.js';
import type { TenantId } from '../../src/kernel/index.js';
import { Organization } from '../support/organization.js';
import { planOf, statementsOf } from '../support/plans.js';
import { itemsOf, withApp } from '../support/test-app.js';

describe('A search for any part of a text', () => {
  const app = withApp();

  it.each([
    ['ada', true],
    ['ÁDÁ', true],
    ['d77.', true],
    ['ad', false],
    ['a-b.c', false],
    ['дмитрий', false],
  ])('takes %s: %s', (text, isAnywhere) => expect(isSearchedAnywhere(text)).toBe(isAnywhere));

  it('takes no character for a wildcard', () => expect(anywhere('a%b_c\\')).toBe('%a\\%b\\_c\\\\%'));

  it('finds members beyond the next rows of the list by the index of trigrams', async () => {
    const organization = await Organization.found(app);
    const other = await Organization.found(app);
    const id = (kind: string) => `('01${kind}' || lpad(n::text, 22, '0'))`;
    const add = async (kind: string, name: string, count: number, of = organization) => {
      await app.sql(
        `INSERT INTO accounts (id, first_name) SELECT ${id(kind)}, '${name}' || n FROM generate_series(1, ${count}) n`,
      );
      await app.sql(
        `INSERT INTO members (tenant_id, user_id) SELECT $1, ${id(kind)} FROM generate_series(1, ${count}) n`,
        [of.id],
      );
    };
    await add('AX', 'aa filler ', NEAR_ROWS);
    await add('BX', 'Konrad Zuse ', 3);
    await add('CX', 'Konrad Adenauer ', 1, other);
    await app.sql('ANALYZE members');
    const found = async (query: string) => {
      const answer = await organization.call('GET', `/members?${query}`);
      const names = itemsOf<{ name: string }>(answer).map(({ name }) => name);
      return { names, total: answer.body['total'], next: String(answer.body['nextCursor']) };
    };
    const first = await found('query=onrad&limit=2');
    expect(first).toMatchObject({ names: ['Konrad Zuse 1', 'Konrad Zuse 2'], total: 3 });
    const next = await found(`query=onrad&limit=2&cursor=${first.next}`);
    expect(next.names).toEqual(['Konrad Zuse 3']);
    expect((await found('query=onrad&sort=-name')).names).toHaveLength(3);
    expect((await found('query=filler&limit=1')).names).toEqual(['aa filler 1']);
    const statements = await statementsOf(() => found('query=onrad'));
    const list = statements.filter(([sql]) => sql.includes('near'));
    expect(list).toHaveLength(1);
    for (const statement of list) {
      const nodes = (await planOf(app, statement)).map((node) => node['Node Type']);
      expect(nodes).toContain('Bitmap Index Scan');
    }
  });

  it('finds organizations by name or domain beyond the next rows by the indexes', async () => {
    const [older, verified, newer] = [
      `('01GX' || lpad(n::text, 22, '0'))`,
      '01GX0000000000000000000003',
      `('01HX' || lpad(n::text, 22, '0'))`,
    ];
    await app.sql(
      `INSERT INTO tenants (id, name) SELECT ${older}, 'Konrad Zuse ' || n FROM generate_series(1, 2) n`,
    );
    await app.sql("INSERT INTO tenants (id, name, slug) VALUES ($1, 'Other', 'z3-konrad')", [verified]);
    await app.sql(
      "INSERT INTO tenant_domains (tenant_id, id, domain, token, status, verified_at) VALUES ($1, $1, 'zuse.example', '', 'verified', now())",
      [verified],
    );
    await app.sql(
      `INSERT INTO tenants (id, name) SELECT ${newer}, 'filler ' || n FROM generate_series(1, ${NEAR_ROWS + 1}) n`,
    );
    await app.sql('ANALYZE tenants');
    const find = (part: string, domain = '') =>
      app.app
        .get(OperatedTenantRepository, { strict: false })
        .listByPart(part, domain, { limit: 1, after: null });
    expect((await find('NRAD')).map(({ name }) => name)).toEqual(['Other', 'Konrad Zuse 2']);
    expect((await find('zuse.example', 'zuse.example')).map(({ id }) => id)).toEqual([verified]);
    const [statement = ['', []]] = await statementsOf(() => find('zuse.example', 'zuse.example'));
    const plan = await planOf(app, statement);
    const indexes = plan.map((node) => node['Index Name']);
    expect(indexes).toEqual(expect.arrayContaining(['tenants_search_idx', 'tenant_domains_verified_idx']));
    expect(plan.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
  });

  it('finds people and records of directories beyond the next rows by the index of trigrams', async () => {
    const tenantId = (await Organization.found(app)).id as TenantId;
    const directoryId = '01DX0000000000000000000001';
    const id = (kind: string) => `('01${kind}' || lpad(n::text, 22, '0'))`;
    const [near, far] = [`generate_series(1, ${NEAR_ROWS + 1}) n`, 'generate_series(1, 2) n'];
    const record = (kind: string, name: string, rows: string) =>
      app.sql(
        `INSERT INTO directory_users (tenant_id, directory_id, id, user_name_key, attributes)
         SELECT $1, $2, ${id(kind)}, ${id(kind)}, jsonb_build_object('name', jsonb_build_object('familyName', '${name}')) FROM ${rows}`,
        [tenantId, directoryId],
      );
    await app.sql("INSERT INTO directories (tenant_id, id, name) VALUES ($1, $2, 'D')", [
      tenantId,
      directoryId,
    ]);
    await record('EX', 'filler', near);
    await record('FX', 'Lovelace', far);
    await app.sql(`INSERT INTO accounts (id, last_name) SELECT ${id('EX')}, 'Hopper' FROM ${far}`);
    await app.sql(`INSERT INTO accounts (id, last_name) SELECT ${id('FX')}, 'filler' FROM ${near}`);
    await app.sql('ANALYZE accounts, directory_users');
    const page = { limit: 1, after: null };
    const filter = { query: 'OVELAC' };
    const searches = {
      records: () => app.app.get(DirectoryPeopleRepository).list({ tenantId, directoryId }, page, filter),
      people: () => app.app.get(AccountService).listByPart('OPPE', page),
    };
    for (const search of Object.values(searches)) {
      expect(await search()).toHaveLength(2);
      const [statement = ['', []]] = await statementsOf(search);
      const nodes = (await planOf(app, statement)).map((node) => node['Node Type']);
      expect(nodes).toContain('Bitmap Index Scan');
    }
  });
});
