import { byTwoFactors } from '../support/factors.js';
import { type Member, Organization } from '../support/organization.js';
import { LiveCache } from '../../src/platform/live/live-cache.js';
import { NEAR_ROWS } from '../../src/platform/database/any-part.js';
import { MAX_COUNTED } from '../../src/platform/api/index.js';
import { planOf, type Statement, statementsOf } from '../support/plans.js';
import { itemsOf, TestApp } from '../support/test-app.js';

/** More than a search reads in the order of a list. */
const ROWS = 3 * NEAR_ROWS;
/** Far fewer than all rows, and enough for a page with the rows of its items. */
const TOUCHED = 1_500;
const DIRECTORY = '01DX0000000000000000000001';
const GROUP = '01BX0000000000000000000001';
const ULIDS = "'01BX' || lpad(n::text, 22, '0')";

/** Reads of a live cache serve many requests; this one may find an entry that has expired. */
const isOfCache = ([sql]: Statement): boolean => sql.includes('unnest($1::text[]) asked (tenant_id)');

/** A page costs the same however long the list is: checked by the plans of its statements. */
describe('Long lists', () => {
  let app: TestApp;
  let organization: Organization;
  let other: Member;
  beforeAll(async () => {
    // Reads in the background belong to no request.
    jest
      .spyOn(LiveCache.prototype as unknown as { refresh: () => Promise<void> }, 'refresh')
      .mockResolvedValue(undefined);
    app = await TestApp.start();
    organization = await Organization.found(app);
    const { person } = organization.owner;
    other = await organization.join('admin');
    await organization.call('POST', '/roles', { key: 'other', name: 'Other', scopes: [] }, other.token);
    const seed = (sql: string, ...parameters: unknown[]) =>
      app.sql(sql.replaceAll('ULIDS', ULIDS).replaceAll('MANY', `generate_series(1, ${ROWS}) n`), parameters);
    await seed(
      "INSERT INTO accounts (id, email, email_key, first_name) SELECT ULIDS, n || '@many.example', n || '@many.example', 'Ada ' || n FROM MANY",
    );
    await seed('INSERT INTO members (tenant_id, user_id) SELECT $1, ULIDS FROM MANY', organization.id);
    await seed(
      `INSERT INTO member_roles (tenant_id, user_id, role_id) SELECT $1, ULIDS, (SELECT id FROM roles WHERE tenant_id = $1 AND key = 'member') FROM MANY`,
      organization.id,
    );
    await seed(
      `INSERT INTO invitations (tenant_id, id, email, email_key, role_ids, token_hash, invited_by, expires_at)
       SELECT $1, ULIDS, n || '@x.example', n || '@x.example', '{}', sha256(n::text::bytea), $2, now() + interval '1 day' FROM MANY`,
      organization.id,
      person.id,
    );
    await seed(
      "UPDATE invitations SET accepted_at = CASE WHEN email LIKE '77%' THEN now() END, revoked_at = CASE WHEN email LIKE '88%' THEN now() END",
    );
    await seed(
      "INSERT INTO roles (tenant_id, id, key, name, scopes, built_in) SELECT $1, ULIDS, 'role-' || n, 'Role', '{}', false FROM MANY",
      organization.id,
    );
    await seed(
      "INSERT INTO registered_things (tenant_id, thing, id, name) SELECT $1, 'freight/orders/' || ULIDS, ULIDS, 'Order ' || n FROM MANY",
      organization.id,
    );
    await seed('INSERT INTO tenants (id, name) SELECT ULIDS, n::text FROM MANY');
    await seed('INSERT INTO members (tenant_id, user_id) SELECT ULIDS, $1 FROM MANY', person.id);
    await seed(
      "INSERT INTO audit_events (id, account_id, tenant_id, action) SELECT ULIDS, $2, $1, 'tenant.renamed' FROM MANY",
      organization.id,
      person.id,
    );
    await seed(
      `INSERT INTO audit_details (event_id, account_id, tenant_id, details)
       SELECT ULIDS, $2, $1, jsonb_build_object('role', 'keeper', 'on', CASE n WHEN 7 THEN 'yard/sites/7' ELSE 'yard/sites/1' END, 'via', NULL) FROM MANY`,
      organization.id,
      person.id,
    );
    await seed(
      'INSERT INTO workers (tenant_id, user_id, number, number_key) SELECT $1, ULIDS, n::text, n::text FROM MANY',
      organization.id,
    );
    // Other organizations have a thing of the same name.
    const THEIRS = "'01BZ' || lpad(n::text, 22, '0')";
    await seed(
      `INSERT INTO audit_events (id, account_id, tenant_id, action) SELECT ${THEIRS}, $1, ULIDS, 'tenant.renamed' FROM MANY`,
      person.id,
    );
    await seed(
      `INSERT INTO audit_details (event_id, account_id, tenant_id, details)
       SELECT ${THEIRS}, $1, ULIDS, '{"role": "keeper", "on": "yard/sites/7", "via": null}' FROM MANY`,
      person.id,
    );
    await seed(
      "INSERT INTO sessions (id, account_id, amr, expires_at) SELECT ULIDS, $1, '{pwd}', now() + interval '1 day' FROM MANY",
      person.id,
    );
    await seed(
      "INSERT INTO grants (id, session_id, account_id, client_id, idle_expires_at) SELECT ULIDS, ULIDS, $1, 'gatehouse', now() + interval '1 day' FROM MANY",
      person.id,
    );
    // Without the triggers that count the records of the directory.
    const inDirectory = (table: string, columns: string, values: string) =>
      app.sql(
        `SET session_replication_role = replica;
         INSERT INTO ${table} (tenant_id, directory_id, ${columns})
         SELECT '${organization.id}', '${DIRECTORY}', ${values} FROM generate_series(1, ${ROWS}) n;
         RESET session_replication_role`,
      );
    await app.sql(`INSERT INTO directories (tenant_id, id, name) VALUES ($1, '${DIRECTORY}', 'D')`, [
      organization.id,
    ]);
    const names = `jsonb_build_object('displayName', 'Ada ' || n)`;
    const record = `${ULIDS}, n::text, ${names}`;
    await inDirectory(
      'directory_users',
      'id, user_name_key, attributes, search_text',
      `${record}, 'ada ' || n`,
    );
    await inDirectory('directory_groups', 'id, display_name_key, attributes', record);
    await inDirectory('directory_group_members', 'group_id, user_id', `'${GROUP}', ${ULIDS}`);
    await app.sql('INSERT INTO operators (account_id) SELECT id FROM accounts');
    await app.sql(
      "INSERT INTO satellites (id, client_id, name, redirect_uris, secret_hash) SELECT id, id, id, '{}', '' FROM accounts",
    );
    await app.sql('ANALYZE');
  });
  afterAll(() => app.stop());

  /** Expects that no part of the plans reads many rows. */
  const expectFew = async (statements: readonly Statement[], touchable = TOUCHED) => {
    for (const statement of statements.filter((sent) => !isOfCache(sent)))
      for (const node of await planOf(app, statement, 'ANALYZE, FORMAT JSON')) {
        const touched = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
        const seen = { sql: statement[0], node: node['Node Type'] };
        expect({ ...seen, few: touched <= touchable }).toEqual({ ...seen, few: true });
      }
  };

  it.each([
    ['account:find', '--query', '1'],
    [
      'account:find',
      '--query',
      '1',
      '--cursor',
      Buffer.from('01BX0000000000000000000019').toString('base64url'),
    ],
    ['operator:list', '--personal-data'],
    ['satellite:list'],
    ['saml-app:list'],
    ['webhook:list'],
  ])('reads few rows for a page of %s %s %s', async (...words) => {
    const statements = await statementsOf(() => app.command(...words));
    expect(statements.length).toBeGreaterThan(0);
    await expectFew(statements);
  });

  it.each([
    ['members', () => `${organization.path}/members?`],
    ['members by name, backward', () => `${organization.path}/members?sort=-name&`],
    ['members by address', () => `${organization.path}/members?sort=email&`],
    ['members by time', () => `${organization.path}/members?sort=-joinedAt&`],
    ['members with a common prefix', () => `${organization.path}/members?query=1&`],
    ['members with a role that most hold', () => `${organization.path}/members?role=member&`],
    ['workers', () => `${organization.path}/workers?`],
    ['workers by name', () => `${organization.path}/workers?sort=name&`],
    ['workers by number, backward', () => `${organization.path}/workers?sort=-number&`],
    ['invitations', () => `${organization.path}/invitations?`],
    ['open invitations', () => `${organization.path}/invitations?status=open&sort=-createdAt&`],
    ['invitations by address', () => `${organization.path}/invitations?query=1&sort=email&`],
    ['roles', () => `${organization.path}/roles?`],
    ['audit events of an organization', () => `${organization.path}/audit-events?`],
    ['audit events of an action', () => `${organization.path}/audit-events?action=tenant.renamed&`],
    ['audit events of a thing', () => `${organization.path}/audit-events?by=yard/sites/1&`],
    ['audit events of a group of actions', () => `${organization.path}/audit-events?group=tenant&`],
    ['people of a directory', () => `${organization.path}/directories/${DIRECTORY}/users?`],
    [
      'people of a directory in a state',
      () => `${organization.path}/directories/${DIRECTORY}/users?state=pending&`,
    ],
    [
      'people of a directory in a group',
      () => `${organization.path}/directories/${DIRECTORY}/users?groupId=${GROUP}&`,
    ],
    ['groups of a directory', () => `${organization.path}/directories/${DIRECTORY}/groups?`],
    ['audit events of a period', () => `${organization.path}/audit-events?from=2016-01-01T00:00:00Z&`],
    ['my audit events', () => '/api/v1/iam/me/audit-events?'],
    ['my organizations', () => '/api/v1/iam/me/tenants?'],
    ['my sessions', () => '/api/v1/iam/me/sessions?'],
  ])('of %s read the rows of one page', async (_what, path) => {
    const first = await app.get(`${path()}limit=100`, organization.owner.token);
    const next = `${path()}limit=100&cursor=${String(first.body['nextCursor'])}`;
    const statements = await statementsOf(async () => {
      expect(itemsOf(await app.get(next, organization.owner.token))).toHaveLength(100);
    });
    expect(statements.length).toBeGreaterThan(0);
    await expectFew(statements);
  });

  it.each([
    ['members with a rare role', 'members?role=owner'],
    ['accepted invitations', 'invitations?status=accepted'],
    ['revoked invitations', 'invitations?status=revoked'],
    ['events of a rare action', 'audit-events?action=tenant.created'],
    ['events of a rare thing', 'audit-events?by=yard/sites/7'],
  ])('of %s find few among many by index', async (_what, query) => {
    const statements = await statementsOf(async () => {
      const found = await app.get(`${organization.path}/${query}`, organization.owner.token);
      expect(itemsOf(found).length).toBeGreaterThan(0);
    });
    await expectFew(statements);
  });

  it.each([
    ['members with a name', 'members?query=ada+1999'],
    ['members with an address', 'members?query=1999&sort=-joinedAt'],
    ['invitations of an address', 'invitations?query=1999'],
    ['people of a directory', `directories/${DIRECTORY}/users?query=ada+1999`],
    ['things with a common name', 'things?query=order'],
    ['things with a name', 'things?query=order+59999'],
  ])('of %s read at most the rows that come next in the list', async (_what, query) => {
    const statements = await statementsOf(async () => {
      const found = await app.get(`${organization.path}/${query}`, organization.owner.token);
      expect(itemsOf(found).length).toBeGreaterThan(0);
    });
    await expectFew(statements, NEAR_ROWS);
  });

  it.each([
    ['subject', () => `subject=iam/tenants/${organization.id}`],
    ['person', () => `actorId=${other.person.id}`],
    ['person and action', () => `actorId=${other.person.id}&action=role.created`],
    ['period', () => `to=${new Date(Date.now() + 60_000).toISOString()}&action=tenant.created`],
  ])('of events find those of a %s by index', async (_what, query) => {
    const statements = await statementsOf(async () => {
      const found = await app.get(`${organization.path}/audit-events?${query()}`, organization.owner.token);
      expect(itemsOf(found).length).toBeGreaterThan(0);
    });
    await expectFew(statements);
  });

  it('of events find what people did by index, in an organization and on the platform', async () => {
    const query = `audit-events?query=${organization.owner.person.email}&limit=100`;
    const token = byTwoFactors(app, other.token);
    for (const [path, as] of [
      [`${organization.path}/${query}`, organization.owner.token],
      [`/api/v1/operator/${query}`, token],
    ] as const) {
      const statements = await statementsOf(async () => expect((await app.get(path, as)).status).toBe(200));
      const lists = statements.filter(([sql]) => sql.includes('LATERAL (SELECT id FROM audit_events'));
      expect(lists).toHaveLength(1);
      await expectFew(lists);
    }
  });

  it('of members count to the maximum, and no further', async () => {
    const statements = await statementsOf(async () => {
      const { body } = await app.get(`${organization.path}/members`, organization.owner.token);
      expect(body['total']).toBe(MAX_COUNTED);
    });
    const [count] = statements.filter(([sql]) => sql.startsWith('SELECT count('));
    for (const node of await planOf(app, count ?? ['', []], 'ANALYZE, FORMAT JSON'))
      expect(node['Actual Rows']).toBeLessThanOrEqual(MAX_COUNTED + 1);
  });
});
