import { TenantDatabase } from '../../src/platform/database/tenant-database.js';
import type { TenantId } from '../../src/kernel/principal.js';
import { withApp } from '../support/test-app.js';

const TENANT = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as TenantId;

describe('A statement on the rows of a tenant', () => {
  let database: TenantDatabase;
  const app = withApp();
  beforeAll(async () => {
    database = app.app.get(TenantDatabase, { strict: false });
  });

  it.each([
    'SELECT 1 FROM members',
    'SELECT 1 FROM members WHERE $1::text IS NOT NULL',
    'SELECT 1 FROM members WHERE tenant_id <> $1',
    'SELECT 1 FROM members WHERE tenant_id = $2 AND $1::text IS NOT NULL',
    'SELECT 1 FROM members WHERE tenant_id = $10',
    'SELECT 1 FROM members WHERE not_tenant_id = $1',
    "DELETE FROM members WHERE user_id = $1 AND tenant_id = 'x'",
    'UPDATE members SET user_id = user_id WHERE user_id = $1',
    'INSERT INTO members (user_id, tenant_id) VALUES ($1, $1)',
    'SELECT 1 FROM members m JOIN unnest($1::text[]) asked (tenant_id) ON m.tenant_id = asked.tenant_id',
  ])('is refused where it is not restricted to one tenant: %s', async (sql) => {
    await expect(database.rows(TENANT, sql)).rejects.toThrow('must say tenant_id = $1');
    await expect(database.row(TENANT, sql)).rejects.toThrow('must say tenant_id = $1');
    const asked = { principal: { tenantId: TENANT }, lock: false };
    await expect(database.loadByIds(sql, ['x'], asked)).rejects.toThrow('must say tenant_id = $1');
  });

  it.each([
    'SELECT 1 FROM members',
    'SELECT 1 FROM members WHERE tenant_id = $1',
    'SELECT 1 FROM members WHERE tenant_id = ANY($1)',
    'SELECT 1 FROM members m, unnest($1::text[]) asked (tenant_id)',
    'SELECT 1 FROM members m JOIN unnest($2::text[]) asked (tenant_id) ON m.tenant_id = asked.tenant_id',
  ])('is refused where it is not restricted to the requested tenants: %s', async (sql) => {
    await expect(database.rowsOfEach([TENANT], sql)).rejects.toThrow('must say tenant_id = asked.tenant_id');
  });

  it('is refused on every call, and by each of the two rules', async () => {
    const ofOne = 'SELECT user_id FROM members WHERE tenant_id = $1';
    const ofEach =
      'SELECT user_id FROM unnest($1::text[]) asked (tenant_id) JOIN members m ON m.tenant_id = asked.tenant_id';
    for (const _ of [1, 2]) {
      expect(await database.rows(TENANT, ofOne)).toEqual([]);
      expect(await database.rowsOfEach([TENANT], ofEach)).toEqual([]);
      await expect(database.rows(TENANT, ofEach)).rejects.toThrow('must say');
      await expect(database.rowsOfEach([TENANT], ofOne)).rejects.toThrow('must say');
    }
  });

  it('finds nothing for a caller without a tenant', async () => {
    const sql = 'SELECT user_id AS id FROM members WHERE tenant_id = $1 AND user_id = ANY($2)';
    const asked = { principal: { tenantId: null }, lock: false };
    expect(await database.loadByIds(sql, ['x'], asked)).toEqual(new Map());
  });
});
