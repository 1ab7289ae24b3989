import { nextDelay, readRetryAfter } from '../../src/webhook/engine/finished-deliveries.js';
import { FILTER_SHAPE, matchesType, wants } from '../../src/webhook/matching.js';

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
