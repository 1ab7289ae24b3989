import { provisionBy } from '../../src/connection/index.js';

const PROVISIONING = { defaultRoleIds: ['default'], onNoMatch: 'default' } as const;
const matches = (operator: 'equals' | 'contains' | 'matches', value: string, given: string) => {
  const rule = { attribute: 'groups', operator, value, roleIds: ['given'] };
  return provisionBy(PROVISIONING, [rule], { attributes: { groups: ['Other', given] } }).roleIds.includes(
    'given',
  );
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
    expect(provisionBy(PROVISIONING, rules, { attributes: { groups: ['a', 'b'] } }).roleIds).toEqual([
      '1',
      '2',
      '3',
    ]);
    expect(provisionBy(PROVISIONING, rules, { attributes: { groups: ['x'] } }).roleIds).toEqual(['default']);
    expect(provisionBy({ ...PROVISIONING, onNoMatch: 'refuse' }, rules, {})).toEqual({
      roleIds: [],
      outcome: 'refused',
    });
    expect(
      provisionBy(PROVISIONING, [rule('x', '9')], { attributes: { __proto__: ['x'] } as never }).roleIds,
    ).toEqual(['default']);
  });

  it.each([
    ['contains', 'a'.repeat(20)],
    ['matches', 'a*'.repeat(240)],
  ] as const)('F5: with %s are compared with a bounded number of characters', (operator, value) => {
    const groups = Array.from({ length: 500 }, (_, n) => `${'a'.repeat(236)}${n}`);
    const rules = (count: number) =>
      Array.from({ length: count }, () => ({ attribute: 'groups', operator, value, roleIds: ['given'] }));
    const { outcome: within } = provisionBy(PROVISIONING, rules(16), { attributes: { groups } });
    expect(within).toBe('admitted');
    const beyond = provisionBy(PROVISIONING, rules(100), { attributes: { groups } });
    expect(beyond).toEqual({ outcome: 'undecided', roleIds: [] });
  });

  it('with equals are looked up, whatever their number', () => {
    const groups = Array.from({ length: 2_000 }, (_, n) => `${n}`.padStart(500, 'x'));
    const rules = Array.from({ length: 100 }, (_, n) => ({
      attribute: 'groups',
      operator: 'equals' as const,
      value: `${n}`.padStart(500, 'x'),
      roleIds: [`${n}`],
    }));
    expect(provisionBy(PROVISIONING, rules, { attributes: { groups } }).roleIds).toHaveLength(100);
  });

  it('decide nothing by an attribute that is not whole', () => {
    const rule = { attribute: 'groups', operator: 'equals', value: 'a', roleIds: ['1'] } as const;
    const attributes = { groups: ['a'] };
    const decide = (...incomplete: string[]) =>
      provisionBy(PROVISIONING, [rule], { attributes, incomplete }).outcome;
    expect([decide('groups'), decide('other'), decide()]).toEqual(['undecided', 'admitted', 'admitted']);
  });
});
