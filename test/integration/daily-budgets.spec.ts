import { DailyBudgets } from '../../src/platform/budgets/index.js';
import { withApp } from '../support/test-app.js';
import { CleanupService } from '../../src/platform/cleanup/cleanup.js';

describe('A budget of a day', () => {
  let budgets: DailyBudgets;
  let counter = 0;
  const app = withApp();
  beforeAll(async () => {
    budgets = app.app.get(DailyBudgets, { strict: false });
  });

  const newHolder = () => `holder-${(counter += 1)}`;

  it('is of one kind, of one holder, and of today', async () => {
    const holder = newHolder();
    await app.sql("INSERT INTO daily_uses VALUES ('mails', $1, (now() AT TIME ZONE 'UTC')::date - 1, 7)", [
      holder,
    ]);
    expect(await budgets.findUsed('mails', holder)).toBe(0);
    expect(await budgets.take('mails', holder, 1)).toBe(true);
    expect(await budgets.take('mails', holder, 1)).toBe(false);
    expect(await budgets.take('others', holder, 2)).toBe(true);
    expect(await budgets.take('others', holder, 2)).toBe(true);
    expect(await budgets.findUsed('mails', holder)).toBe(1);
    expect(await budgets.findUsed('others', holder)).toBe(2);
    expect(await budgets.findUsed('mails', newHolder())).toBe(0);
  });

  it('is never there if it is zero, and has no end without a maximum', async () => {
    const holder = newHolder();
    expect(await budgets.take('mails', holder, 0)).toBe(false);
    expect(await budgets.take('mails', holder, null)).toBe(true);
    expect(await budgets.findUsed('mails', holder)).toBe(0);
  });

  it('is kept until its day is over', async () => {
    const holder = newHolder();
    await budgets.take('mails', holder, 1);
    await app.sql("INSERT INTO daily_uses VALUES ('others', $1, (now() AT TIME ZONE 'UTC')::date - 1, 7)", [
      holder,
    ]);
    await app.app.get(CleanupService, { strict: false }).run();
    expect(await app.sql('SELECT kind, used FROM daily_uses WHERE holder = $1', [holder])).toEqual([
      { kind: 'mails', used: 1 },
    ]);
  });
});
