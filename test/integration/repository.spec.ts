import { AccountEntity } from '../../src/iam/accounts/account.entity.js';
import { RoleEntity } from '../../src/iam/organizations/roles/role.entity.js';
import { TenantEntity } from '../../src/iam/organizations/tenants/tenant.entity.js';
import { SigningKeyEntity } from '../../src/session/signing-keys/signing-key.entity.js';
import { Database } from '../../src/platform/database/database.js';
import { columnsOf } from '../../src/platform/database/columns.js';
import { TenantDatabase } from '../../src/platform/database/tenant-database.js';
import type { TenantId, UserId } from '../../src/kernel/principal.js';
import { statementsOf } from '../support/plans.js';
import { withApp } from '../support/test-app.js';

const [OURS, THEIRS] = ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FAW'] as TenantId[] as [
  TenantId,
  TenantId,
];

let database: Database;
const app = withApp();
beforeAll(async () => {
  database = app.app.get(Database, { strict: false });
});

describe('A repository of Database', () => {
  it('joins the open transaction and rolls back with it', async () => {
    const id = 'rolled-back' as TenantId;
    const failed = database.transaction(async () => {
      await database.repository(TenantEntity).insert({ id, name: 'Alpha' });
      expect(await database.repository(TenantEntity).exists({ where: { id } })).toBe(true);
      expect(await app.sql('SELECT 1 FROM tenants WHERE id = $1', [id])).toEqual([]);
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    expect(await database.repository(TenantEntity).exists({ where: { id } })).toBe(false);
  });

  it('sends one statement for each call', async () => {
    const id = 'counted' as UserId;
    const sent = await statementsOf(async () => {
      const accounts = database.repository(AccountEntity);
      await accounts.insert({ id });
      await accounts.findOne({ where: { id }, select: { id: true } });
      await accounts.find({ where: { id }, order: { id: 'ASC' }, take: 2 });
      await accounts.update({ id }, { firstName: 'Ada' });
      await accounts.delete({ id });
    });
    // The job worker sends statements of its own.
    expect(sent.filter(([, parameters]) => parameters.includes(id))).toHaveLength(5);
  });

  it.each(['find', 'update', 'delete'] as const)('refuses undefined in a condition: %s', async (method) => {
    const accounts = database.repository(AccountEntity);
    const id = undefined as unknown as UserId;
    const call = {
      find: () => accounts.find({ where: { id } }),
      update: () => accounts.update({ id }, { firstName: 'Ada' }),
      delete: () => accounts.delete({ id }),
    }[method];
    await expect(call()).rejects.toThrow(/undefined/i);
  });
});

describe('The rows of a tenant', () => {
  let roles: ReturnType<typeof rolesOf>;
  const rolesOf = () => app.app.get(TenantDatabase, { strict: false }).of(RoleEntity);
  const role = { id: 'r', key: 'packer', name: 'Packer', scopes: [], builtIn: false };
  beforeAll(async () => {
    roles = rolesOf();
    for (const tenantId of [OURS, THEIRS]) {
      await database.repository(TenantEntity).insert({ id: tenantId, name: tenantId });
      await roles.insert(tenantId, role);
    }
  });

  it('belong to the tenant, whatever tenant the condition names', async () => {
    const theirs = { where: { id: 'r', tenantId: THEIRS } as { id: string } };
    expect((await roles.find(OURS, theirs)).map(({ tenantId }) => tenantId)).toEqual([OURS]);
    expect((await roles.find(OURS)).map(({ tenantId }) => tenantId)).toEqual([OURS]);
    expect((await roles.findOne(OURS, theirs))?.tenantId).toBe(OURS);
    expect(await roles.count(OURS, theirs.where)).toBe(1);
  });

  it('are inserted, changed and removed in the tenant alone', async () => {
    const stray = { ...role, id: 's', key: 'stray', tenantId: THEIRS };
    await roles.insert(OURS, stray);
    expect(await roles.count(THEIRS, { id: 's' })).toBe(0);
    expect(await roles.update(OURS, {}, { name: 'Changed' })).toBe(2);
    expect(await roles.count(THEIRS, { name: 'Changed' })).toBe(0);
    expect(await roles.delete(OURS, {})).toBe(2);
    expect(await roles.count(THEIRS)).toBe(1);
  });

  it('cannot be read without a tenant', async () => {
    const none = undefined as unknown as TenantId;
    await expect(roles.find(none)).rejects.toThrow(/undefined/i);
    await expect(roles.count(none)).rejects.toThrow(/undefined/i);
    await expect(roles.update(none, { id: 'r' }, { name: 'x' })).rejects.toThrow(/undefined/i);
    await expect(roles.delete(none, { id: 'r' })).rejects.toThrow(/undefined/i);
    await expect(roles.insert(none, role)).rejects.toThrow('tenant_id');
  });
});

describe('The columns of an entity', () => {
  it('carry the names of their properties, and the alias of the table', () => {
    expect(columnsOf(TenantEntity, 't', { archivedAt: true, id: true })).toBe(
      't.id, t.archived_at AS "archivedAt"',
    );
    expect(columnsOf(SigningKeyEntity)).toBe(
      'kid, public_jwk AS "publicJwk", sealed_private_key AS "sealedPrivateKey", signs_from AS "signsFrom", created_at AS "createdAt"',
    );
  });
});
