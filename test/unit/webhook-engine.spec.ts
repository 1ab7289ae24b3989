import { nextDelay, readRetryAfter } from '../../src/webhook/engine/schedule.js';
import { Slots } from '../../src/webhook/engine/slots.js';
import { FILTER_SHAPE, matchesType, wants } from '../../src/webhook/matching.js';

const fresh = (n: number) => ({ endpointId: `fresh-${n}`, isTroubled: false });
const troubled = (n: number) => ({ endpointId: `troubled-${n}`, isTroubled: true });
const times = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('Slots', () => {
  let now = 0;
  let slots: Slots;
  beforeEach(() => {
    now = 1_000;
    slots = new Slots(() => now);
  });
  const succeed = (n: number) => {
    slots.take(fresh(n));
    slots.free(fresh(n), true);
  };

  it('begin with one for each receiver, double with each success up to four, and end with a failure', () => {
    expect([slots.total, slots.forTroubled, slots.freeOf(fresh(1))]).toEqual([200, 200, 1]);
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
    for (const n of times(250)) slots.take(troubled(n));
    expect(slots.forTroubled).toBe(50);
    for (const n of times(50)) slots.take(troubled(250 + n));
    expect([slots.forTroubled, slots.freeOf(fresh(1)), slots.total]).toEqual([0, 1, 200]);
    slots.free(troubled(0), false);
    expect(slots.forTroubled).toBe(1);
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
});

describe('The delay before the next attempt', () => {
  it('grows with the attempts, ends after the ninth, and spreads by a fifth', () => {
    const middle = (attempts: number) => nextDelay(attempts, null, () => 0.5);
    const schedule = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, null];
    expect(schedule.map((_, n) => middle(n + 1))).toEqual(schedule);
    expect([nextDelay(2, null, () => 0), nextDelay(2, null, () => 1)]).toEqual([48, 72]);
  });

  it.each([
    [30, 30],
    [1, 5],
    [3_600, 3_600],
    [86_400, 3_600],
  ])('is what the receiver asks for, at most an hour: %d', (asked, delay) => {
    expect(nextDelay(1, asked, () => 0.5)).toBe(delay);
  });

  it.each([
    ['120', 120],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 60],
    ['Wed, 21 Oct 2015 07:20:00 GMT', 0],
    ['soon', null],
    ['1234567890', null],
    [undefined, null],
  ])('reads Retry-After: %s', (header, seconds) => {
    expect(readRetryAfter(header, Date.parse('Wed, 21 Oct 2015 07:27:00 GMT'))).toBe(seconds);
  });
});

describe('A filter', () => {
  it.each([
    ['*', 'iam.role.created', true],
    ['iam.*', 'iam.role.created', true],
    ['iam.role.*', 'iam.role.created', true],
    ['iam.role.created', 'iam.role.created', true],
    ['iam.role.*', 'iam.roles.created', false],
    ['iam.role.created', 'iam.role.created-again', false],
    ['iam.*', 'iamb.role.created', false],
  ])('%s and %s: %s', (filter, type, matches) => {
    expect(matchesType(filter, type)).toBe(matches);
    expect(wants({ types: ['a.b.c', filter], subjectPrefix: null }, { type, subject: 'iam/roles/1' })).toBe(
      matches,
    );
  });

  it('of the subject compares the beginning', () => {
    const prefixed = (subjectPrefix: string) =>
      wants({ types: ['*'], subjectPrefix }, { type: 'iam.role.created', subject: 'iam/roles/1' });
    expect([prefixed('iam/roles/'), prefixed('roles/')]).toEqual([true, false]);
  });

  it.each(['*', 'iam.*', 'iam.sign-in-policy.*', 'iam.role.created'])('has the shape of %s', (filter) => {
    expect(filter).toMatch(FILTER_SHAPE);
  });
  it.each(['', 'iam', 'iam*', '*.role', 'iam.role.cre*', 'iam.*.created', 'iam.role.created.*', 'Iam.*'])(
    'has not the shape of "%s"',
    (filter) => {
      expect(filter).not.toMatch(FILTER_SHAPE);
    },
  );
});
