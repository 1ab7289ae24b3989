import { TenantLock } from '../../src/iam/index.js';
import { newId, type TenantId } from '../../src/kernel/index.js';
import { Database } from '../../src/platform/database/index.js';
import { Organization } from '../support/organization.js';
import { eventually, withApp } from '../support/test-app.js';

describe('Locks', () => {
  let database: Database;
  let lock: TenantLock;
  const app = withApp();
  beforeAll(async () => {
    database = app.app.get(Database, { strict: false });
    lock = app.app.get(TenantLock, { strict: false });
  });

  /** Takes a lock in two transactions: the second gets it when the first has ended. */
  async function expectToWait(take: () => Promise<unknown>): Promise<void> {
    const order: number[] = [];
    const first = Promise.withResolvers<void>();
    const second = first.promise.then(() => database.transaction(take)).then(() => order.push(2));
    await database.transaction(async () => {
      await take();
      first.resolve();
      await eventually('the second transaction waits', async () => {
        const waiting = await app.sql(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        return waiting.length > 0;
      });
      order.push(1);
    });
    await second;
    expect(order).toEqual([1, 2]);
  }

  describe('of organizations', () => {
    let id: TenantId;
    beforeAll(async () => {
      id = (await Organization.found(app)).id as TenantId;
    });

    it('are proved to what runs in the transaction', async () => {
      const proved = await database.transaction(async () => {
        const locked = await lock.lockForUpdate(id);
        return [locked, await database.transaction(async () => lock.requireLocked(id))];
      });
      expect(proved).toEqual([id, id]);
    });

    it('are not proved without one, of another organization, or after the transaction', async () => {
      expect(() => lock.requireLocked(id)).toThrow('not locked');
      await expect(database.transaction(async () => lock.requireLocked(id))).rejects.toThrow('not locked');
      await database.transaction(async () => {
        await lock.lockForUpdate(id);
        expect(() => lock.requireLocked(newId() as TenantId)).toThrow('not locked');
      });
      expect(() => lock.requireLocked(id)).toThrow('not locked');
    });

    it('let the next transaction wait', () => expectToWait(() => lock.lockForUpdate(id)));

    it('are refused outside a transaction', async () => {
      await expect(lock.lockForUpdate(id)).rejects.toThrow('needs a transaction');
    });
  });

  describe('by name', () => {
    it('let the next transaction wait', () => expectToWait(() => database.lockNameForUpdate('count')));

    it('are refused outside a transaction', async () => {
      await expect(database.lockNameForUpdate('count')).rejects.toThrow('needs a transaction');
    });
  });
});
