import { Slots } from '../../src/platform/delivery/slots.js';

const fresh = (n: number) => ({ key: `fresh-${n}`, isFailing: false });
const failing = (n: number) => ({ key: `failing-${n}`, isFailing: true });
const times = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Those of webhooks. */
const LIMITS = { total: 1_500, untried: 1_200, failing: 300, each: 4 };

describe('Slots', () => {
  let now = 0;
  let slots: Slots;
  beforeEach(() => {
    now = 1_000;
    slots = new Slots(LIMITS, () => now);
  });
  const succeed = (n: number) => {
    slots.take(fresh(n));
    slots.free(fresh(n), true);
  };

  it('begin with one for each receiver, double with each success up to four, and end with a failure', () => {
    expect([slots.total, slots.forFailing, slots.freeOf(fresh(1))]).toEqual([200, 200, 1]);
    succeed(1);
    expect(slots.freeOf(fresh(1))).toBe(2);
    succeed(1);
    succeed(1);
    expect(slots.freeOf(fresh(1))).toBe(4);
    slots.take(fresh(1));
    expect(slots.freeOf(fresh(1))).toBe(3);
    expect(slots.isBusy(fresh(1))).toBe(true);
    slots.free(fresh(1), false);
    expect(slots.freeOf(fresh(1))).toBe(1);
    expect(slots.isBusy(fresh(1))).toBe(false);
  });

  it('are none below zero for a receiver that failed while others of its requests are open', () => {
    for (let twice = 0; twice < 2; twice += 1) succeed(1);
    for (let slot = 0; slot < 4; slot += 1) slots.take(fresh(1));
    slots.free(fresh(1), false);
    expect(slots.freeOf(fresh(1))).toBe(0);
  });

  it('keep the limit of a receiver to which nothing was sent', () => {
    succeed(1);
    slots.take(fresh(1));
    slots.free(fresh(1), null);
    expect(slots.freeOf(fresh(1))).toBe(2);
    slots.take(fresh(2));
    slots.free(fresh(2), null);
    expect(slots.freeOf(fresh(2))).toBe(1);
  });

  it('are left for a claim that runs', () => {
    for (const n of times(650)) for (let twice = 0; twice < 2; twice += 1) succeed(n);
    const takeTwo = (n: number) => times(2).forEach(() => slots.take(fresh(n)));
    for (const n of times(649)) takeTwo(n);
    expect([slots.total, slots.canReserve(fresh(1)), slots.canReserve(fresh(700))]).toEqual([
      200,
      true,
      true,
    ]);
    takeTwo(649);
    expect([slots.total, slots.canReserve(fresh(1)), slots.freeOf(fresh(1))]).toEqual([200, false, 2]);
  });

  it('know whose last request was answered well', () => {
    expect(slots.isProven(fresh(1))).toBe(false);
    slots.take(fresh(1));
    expect(slots.isProven(fresh(1))).toBe(false);
    slots.free(fresh(1), true);
    expect(slots.isProven(fresh(1))).toBe(true);
    slots.take(fresh(1));
    slots.free(fresh(1), false);
    expect(slots.isProven(fresh(1))).toBe(false);
  });

  it('are left for receivers that answer while many others hang', () => {
    succeed(0);
    for (const n of times(1_200)) slots.take(fresh(n + 1));
    expect(slots.freeOf(fresh(2_000))).toBe(0);
    expect(slots.freeOf(fresh(1))).toBe(0);
    expect(slots.freeOf(fresh(0))).toBe(2);
    expect(slots.total).toBe(200);
    slots.free(fresh(1), true);
    expect(slots.freeOf(fresh(2_000))).toBe(1);
  });

  it('are left for new receivers while many hang that have failed before', () => {
    for (const n of times(250)) slots.take(failing(n));
    expect(slots.forFailing).toBe(50);
    for (const n of times(50)) slots.take(failing(250 + n));
    expect([slots.forFailing, slots.freeOf(fresh(1)), slots.total]).toEqual([0, 1, 200]);
    slots.free(failing(0), false);
    expect(slots.forFailing).toBe(1);
  });

  it('are bounded in total', () => {
    for (const n of times(400)) for (let twice = 0; twice < 2; twice += 1) succeed(n);
    for (const n of times(400)) for (let slot = 0; slot < 4; slot += 1) slots.take(fresh(n));
    expect(slots.total).toBeLessThanOrEqual(0);
    for (const n of times(150)) slots.free(fresh(n), true);
    expect(slots.total).toBe(50);
  });

  it('forget receivers without requests after a minute', () => {
    succeed(1);
    slots.take(fresh(2));
    slots.take(fresh(2));
    slots.free(fresh(2), true);
    expect([slots.freeOf(fresh(1)), slots.freeOf(fresh(2))]).toEqual([2, 1]);
    now += 59_000;
    succeed(3);
    expect(slots.freeOf(fresh(1))).toBe(2);
    now += 60_000;
    succeed(3);
    expect([slots.freeOf(fresh(1)), slots.freeOf(fresh(2))]).toEqual([1, 1]);
    slots.free(fresh(2), true);
    expect(slots.freeOf(fresh(2))).toBe(4);
  });

  it('are shared by the receivers of a group', () => {
    slots = new Slots({ ...LIMITS, ofGroup: 2 }, () => now);
    const of = (key: string, group: string) => ({ key, group, isFailing: false });
    slots.take(of('a', 'one'));
    expect([slots.freeOf(of('b', 'one')), slots.freeOf(of('b', 'one'), 1)]).toEqual([1, 0]);
    slots.take(of('b', 'one'));
    expect([slots.freeOf(of('c', 'one')), slots.freeOf(of('c', 'two'))]).toEqual([0, 1]);
    slots.free(of('a', 'one'), false);
    expect(slots.freeOf(of('c', 'one'))).toBe(1);
  });
});
