import { ENTERPRISE_USER } from '../../src/directory/scim/schemas.js';
import { applyPatch } from '../../src/directory/scim/patch.js';
import type { ScimError } from '../../src/directory/scim/scim-error.js';

const ADA = { userName: 'ada', active: true, name: { givenName: 'Ada', familyName: 'King' } };
const patch = (resource: Record<string, unknown>, ...operations: unknown[]) =>
  applyPatch(resource, operations);

describe('PATCH of SCIM', () => {
  it.each([
    { op: 'replace', path: 'active', value: false },
    { op: 'Replace', path: 'active', value: 'False' },
    { op: 'add', path: 'active', value: 'false' },
    { op: 'replace', value: { active: false } },
    { op: 'Replace', value: { active: 'False' } },
    { OP: 'replace', Path: 'ACTIVE', Value: false },
    { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:active', value: false },
  ])('deactivates by %j', (operation) => {
    expect(patch(ADA, operation)).toEqual({ ...ADA, active: false });
    expect(ADA.active).toBe(true);
  });

  it('creates the element that a filtered path of Entra ID names', () => {
    const operation = { op: 'Add', path: 'emails[type eq "work"].value', value: 'ada@example.com' };
    const emails = [{ type: 'work', value: 'ada@example.com' }];
    expect(patch(ADA, operation)).toEqual({ ...ADA, emails });
    expect(patch(ADA, { ...operation, op: 'Replace' })).toEqual({ ...ADA, emails });
    const other = { ...operation, value: 'king@example.com' };
    expect(patch({ emails }, other)).toEqual({ emails: [{ type: 'work', value: 'king@example.com' }] });
  });

  it('leaves a pair of value and type once where a filtered path makes two', () => {
    const one = { value: 'ada@example.com', type: 'home' };
    const emails = [one, { value: 'king@example.com', type: 'work' }];
    const operation = { op: 'replace', path: 'emails[type eq "work"]', value: { ...one, primary: true } };
    expect(patch({ emails }, operation)).toEqual({ emails: [{ ...one, primary: true }] });
  });

  it('refuses a filtered path that describes no element', () => {
    const path = 'emails[type ne "work"].value';
    expect(failure(ADA, { op: 'replace', path, value: 'x' })).toBe('noTarget');
  });

  it('stores a manager that is a text as its value', () => {
    const path = `${ENTERPRISE_USER}:manager`;
    const expected = { ...ADA, [ENTERPRISE_USER]: { manager: { value: '7' } } };
    expect(patch(ADA, { op: 'Add', path, value: '7' })).toEqual(expected);
    expect(patch(ADA, { op: 'Add', value: { [path]: '7' } })).toEqual(expected);
    expect(patch(ADA, { op: 'Add', value: { [ENTERPRISE_USER]: { manager: '7' } } })).toEqual(expected);
    expect(patch(expected, { op: 'Remove', path })).toEqual(ADA);
    expect(patch(expected, { op: 'Replace', path, value: '' })).toEqual(ADA);
  });

  it('takes keys of a value as paths', () => {
    const operation = { op: 'replace', value: { 'name.familyName': 'Lovelace', title: 'Countess' } };
    const name = { givenName: 'Ada', familyName: 'Lovelace' };
    expect(patch(ADA, operation)).toEqual({ ...ADA, name, title: 'Countess' });
  });

  it('merges complex attributes, and keeps what is not named', () => {
    const name = { givenName: 'Ada', familyName: 'Lovelace' };
    expect(patch(ADA, { op: 'replace', path: 'name', value: { familyName: 'Lovelace' } })).toEqual({
      ...ADA,
      name,
    });
    expect(patch(ADA, { op: 'replace', path: 'name.familyName', value: 'Lovelace' })).toEqual({
      ...ADA,
      name,
    });
    expect(patch(ADA, { op: 'remove', path: 'name.familyName' })).toEqual({
      ...ADA,
      name: { givenName: 'Ada' },
    });
    expect(patch(ADA, { op: 'remove', path: 'name' })).toEqual({ userName: 'ada', active: true });
  });

  describe('of members', () => {
    const group = { displayName: 'Crew', members: [{ value: '1' }, { value: '2' }] };

    it.each([
      [{ op: 'Remove', path: 'members', value: [{ value: '1' }] }, ['2']],
      [{ op: 'remove', path: 'members[value eq "1"]' }, ['2']],
      [{ op: 'remove', path: 'members[value eq "9"]' }, ['1', '2']],
      [{ op: 'remove', path: 'members' }, undefined],
      [{ op: 'Add', path: 'members', value: [{ value: '2' }, { value: '3' }] }, ['1', '2', '3']],
      [{ op: 'add', path: 'members', value: { value: '3' } }, ['1', '2', '3']],
      [{ op: 'add', value: { members: [{ value: '3' }] } }, ['1', '2', '3']],
      [{ op: 'replace', path: 'members', value: [{ value: '3' }] }, ['3']],
      [{ op: 'replace', path: 'members', value: [] }, undefined],
    ])('%j', (operation, values) => {
      const { members } = patch(group, operation) as { members?: { value: string }[] };
      expect(members?.map(({ value }) => value)).toEqual(values);
    });
  });

  it('keeps one primary element', () => {
    const emails = [
      { type: 'work', value: 'a', primary: true },
      { type: 'home', value: 'b' },
    ];
    const primaries = (resource: Record<string, unknown>) =>
      (resource['emails'] as { value: string; primary?: boolean }[])
        .filter((one) => one.primary)
        .map((one) => one.value);
    const path = 'emails[type eq "home"].primary';
    expect(primaries(patch({ emails }, { op: 'replace', path, value: 'True' }))).toEqual(['b']);
    const value = [{ value: 'c', primary: true }];
    expect(primaries(patch({ emails }, { op: 'add', path: 'emails', value }))).toEqual(['c']);
  });

  it('ignores what clients cannot set, and never stores a password', () => {
    const value = { id: 'x', meta: {}, groups: [], password: 'secret', title: 'Countess' };
    expect(patch(ADA, { op: 'replace', value })).toEqual({ ...ADA, title: 'Countess' });
    expect(patch(ADA, { op: 'add', path: 'password', value: 'secret' })).toEqual(ADA);
  });

  it.each([
    ['invalidSyntax', { op: 'move', path: 'title' }],
    ['invalidSyntax', null],
    ['noTarget', { op: 'remove' }],
    ['invalidValue', { op: 'add', value: 'x' }],
    ['invalidPath', { op: 'add', path: 5, value: 'x' }],
    ['invalidPath', { op: 'add', path: 'a b', value: 'x' }],
    ['invalidPath', { op: 'add', path: 'emails[type eq "x"]value', value: 'x' }],
    ['invalidPath', { op: 'add', path: 'prototype.x', value: 'x' }],
    ['invalidFilter', { op: 'add', path: 'emails[type is "x"]', value: 'x' }],
    ['invalidValue', { op: 'replace', path: 'active', value: 'maybe' }],
    ['invalidValue', { op: 'replace', path: 'active', value: 1 }],
    ['invalidValue', { op: 'add', path: 'emails[type eq "x"]', value: 'x' }],
  ])('answers %s to %j', (scimType, operation) => {
    expect(failure(ADA, operation)).toBe(scimType);
  });

  it('compares lists of many elements by their values, and no more than a request may', () => {
    const listOf = (count: number, more: object = {}) =>
      Array.from({ length: count }, (_, n) => ({ value: `v${n}`, ...more }));
    const crew = { displayName: 'Crew', members: listOf(20_000) };
    const joined = patch(crew, { op: 'add', path: 'members', value: listOf(30_000, { type: 'User' }) });
    expect(joined['members']).toHaveLength(30_000);
    const left = patch(joined, { op: 'remove', path: 'members', value: listOf(29_999) });
    expect(left['members']).toEqual([{ value: 'v29999', type: 'User' }]);
    const mails = { ...ADA, emails: listOf(20_000) };
    const filter = Array.from({ length: 20 }, (_, n) => `value eq "x${n}"`).join(' or ');
    const filtered = { op: 'remove', path: `emails[${filter}]` };
    expect(patch(mails, filtered)).toMatchObject({ emails: mails.emails });
    expect(failure(mails, ...Array.from({ length: 13 }, () => filtered))).toBe('tooMany');
    const types = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ value: 'same', type: `t${n}` }));
    expect(failure(ADA, { op: 'add', path: 'emails', value: types(5_000) })).toBe('tooMany');
    const bare = Array.from({ length: 20_000 }, (_, n) => ({ display: `d${n}` }));
    expect(patch({ ...ADA, emails: bare }, { op: 'add', path: 'emails', value: bare })['emails']).toEqual(
      bare,
    );
    const once = { op: 'add', path: 'emails[type eq "work"].value', value: 'w' };
    expect(patch(mails, once)['emails']).toHaveLength(20_001);
  });

  describe('refuses operations that cost more than a replica can hold:', () => {
    const emails = Array.from({ length: 2_000 }, (_, n) => ({ value: `v${n}`, type: 'work' }));
    const long = 'x'.repeat(100_000);
    const keysOf = (count: number, keyOf: (n: number) => string) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [keyOf(n), 1]));

    it('a long value for each element', () => {
      expect(failure({ emails }, { op: 'replace', path: 'emails.display', value: long })).toBe('tooMany');
    });

    it('a long value for each element that a filter matches', () => {
      const operation = { op: 'replace', path: 'emails[type eq "work"].display', value: long };
      expect(failure({ emails }, operation)).toBe('tooMany');
    });

    it('merges of an element with many attributes', () => {
      const wide = { emails: [{ value: 'same', ...keysOf(10_000, (n) => `key${n}`) }] };
      const value = Array.from({ length: 60 }, () => ({ value: 'same' }));
      expect(failure(wide, { op: 'add', path: 'emails', value })).toBe('tooMany');
    });

    it('comparisons of a long element that has no value', () => {
      const operations = Array.from({ length: 100 }, (_, n) => {
        return { op: 'add', path: 'emails', value: [{ display: `d${n}` }] };
      });
      expect(failure({ emails: [{ display: 'x'.repeat(250_000) }] }, ...operations)).toBe('tooMany');
    });

    it('many schemas', () => {
      const value = keysOf(1_200, (n) => `urn:a${n}:2.0:User:b`);
      expect(failure({}, { op: 'add', value })).toBe('tooMany');
    });

    it.each(['replace', 'remove'])('many schemas to %s, of a resource with many attributes', (op) => {
      const value = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`urn:a${n}:2.0:User`, null]));
      expect(
        failure(
          keysOf(3_000, (n) => `key${n}`),
          { op, value },
        ),
      ).toBe('tooMany');
    });

    it('many attributes for each element', () => {
      const value = keysOf(150, (n) => `emails.key${n}`);
      expect(failure({ emails }, { op: 'add', value })).toBe('tooMany');
    });

    it('many additions to a long list', () => {
      const members = Array.from({ length: 20_000 }, (_, n) => ({ value: `m${n}` }));
      const operations = Array.from({ length: 130 }, (_, n) => {
        return { op: 'add', path: 'members', value: [{ value: `new${n}` }] };
      });
      expect(failure({ displayName: 'Crew', members }, ...operations)).toBe('tooMany');
      expect(failure({ displayName: 'Crew', members }, ...operations.slice(0, 100))).toBeNull();
    });

    it('many filters whose elements are written', () => {
      const value = Object.fromEntries(
        Array.from({ length: 150 }, (_, n) => [`emails[value eq "v${n}"]`, { display: 'x' }]),
      );
      expect(failure({ emails }, { op: 'replace', value })).toBe('tooMany');
    });

    it('many filters over a long text', () => {
      const filter = Array.from({ length: 20 }, (_, n) => `value co "x${n}y"`).join(' or ');
      const operations = Array.from({ length: 10 }, () => ({ op: 'remove', path: `emails[${filter}]` }));
      expect(failure({ emails: [{ value: long }] }, ...operations)).toBe('tooMany');
      expect(failure({ emails: [{ value: 'short' }] }, ...operations)).toBeNull();
    });
  });

  it('takes 1 to 200 operations', () => {
    const operation = { op: 'replace', path: 'active', value: false };
    expect(failure(ADA)).toBe('invalidSyntax');
    expect(failure(ADA, ...Array.from({ length: 201 }, () => operation))).toBe('invalidSyntax');
    expect(patch(ADA, ...Array.from({ length: 200 }, () => operation))).toMatchObject({ active: false });
  });
});

function failure(resource: Record<string, unknown>, ...operations: unknown[]): string | null {
  try {
    applyPatch(resource, operations);
    return null;
  } catch (error) {
    return (error as ScimError).scimType;
  }
}
