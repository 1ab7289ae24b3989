import { provisionBy } from '../../src/connection/index.js';

const PROVISIONING = { defaultRoleIds: ['default'], onNoMatch: 'default' } as const;
const matches = (operator: 'equals' | 'contains' | 'matches', value: string, given: string) => {
  const rule = { attribute: 'groups', operator, value, roleIds: ['given'] };
  return provisionBy(PROVISIONING, [rule], { groups: ['Other', given] }).roleIds.includes('given');
};

describe('Rules of a connection', () => {
  it.each([
    ['equals', 'Engineering', 'Engineering', true],
    ['equals', 'Engineering', 'engineering', false],
    ['contains', 'gine', 'Engineering', true],
    ['contains', 'Sales', 'Engineering', false],
    ['matches', 'Engineering', 'Engineering', true],
    ['matches', 'Eng*', 'Engineering', true],
    ['matches', '*ing', 'Engineering', true],
    ['matches', 'E*gi*ng', 'Engineering', true],
    ['matches', 'E*ring*ing', 'Engineering', false],
    ['matches', 'Engineering*ing', 'Engineering', false],
    ['matches', 'Eng', 'Engineering', false],
    ['matches', '*', 'Engineering', true],
    ['matches', '.*', 'Engineering', false],
  ] as const)('with %s %s on %s: %s', (operator, value, given, fits) => {
    expect(matches(operator, value, given)).toBe(fits);
  });

  it('give the roles of all that match, each once, or the default ones', () => {
    const rule = (value: string, ...roleIds: string[]) =>
      ({ attribute: 'groups', operator: 'equals', value, roleIds }) as const;
    const rules = [rule('a', '1', '2'), rule('b', '2', '3'), rule('c', '4')];
    expect(provisionBy(PROVISIONING, rules, { groups: ['a', 'b'] }).roleIds).toEqual(['1', '2', '3']);
    expect(provisionBy(PROVISIONING, rules, { groups: ['x'] }).roleIds).toEqual(['default']);
    expect(provisionBy({ ...PROVISIONING, onNoMatch: 'refuse' }, rules, {})).toEqual({
      roleIds: [],
      isRefused: true,
    });
    expect(provisionBy(PROVISIONING, [rule('x', '9')], { __proto__: ['x'] } as never).roleIds).toEqual([
      'default',
    ]);
  });
});
