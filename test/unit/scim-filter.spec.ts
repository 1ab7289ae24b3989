import fc from 'fast-check';
import { compileFilter } from '../../src/directory/scim/filter-sql.js';
import { matcherOf, parseFilter, parsePath } from '../../src/directory/scim/filter.js';
import { ScimError } from '../../src/directory/scim/scim-error.js';

const ADA = {
  userName: 'Ada@Example.com',
  externalId: 'E1',
  active: true,
  title: 'Tour Guide',
  loginCount: 3,
  name: { familyName: "O'Malley" },
  emails: [
    { type: 'work', value: 'ada@example.com', primary: true },
    { type: 'home', value: 'ada@example.org' },
  ],
  urn: { value: 'x' },
};

const typeOf = (text: string): string | null => {
  try {
    parseFilter(text);
    return null;
  } catch (error) {
    return (error as ScimError).scimType;
  }
};

function compiled(text: string, resource: 'user' | 'group' = 'user') {
  const values: unknown[] = [];
  const sql = compileFilter(parseFilter(text), resource, (value) => `$${values.push(value)}`);
  return { sql, values };
}

describe('Filters of SCIM', () => {
  it.each([
    ['userName eq "ada@example.COM"', true],
    ['USERNAME EQ "ada@example.com"', true],
    ['externalId eq "e1"', false],
    ['externalId eq "E1"', true],
    ['name.familyName co "o\'malley"', true],
    ['userName sw "ada"', true],
    ['userName ew ".com"', true],
    ['userName ew ".org"', false],
    ['title pr', true],
    ['nickName pr', false],
    ['nickName eq null', true],
    ['title ne "Guide"', true],
    ['active eq true', true],
    ['active eq True', true],
    ['loginCount gt 2 and loginCount le 3', true],
    ['loginCount lt 3', false],
    ['loginCount ge 4', false],
    ['title pr and userType eq "Employee"', false],
    ['title pr or userType eq "Employee"', true],
    ['title pr or userType pr and active eq false', true],
    ['(title pr or userType pr) and active eq false', false],
    ['not (active eq false)', true],
    ['emails[type eq "work" and value co "@example.com"]', true],
    ['emails[type eq "home" and value co "@example.com"]', false],
    ['emails[type eq "work"].value eq "ADA@example.com"', true],
    ['emails[type eq "home"].value eq "ada@example.com"', false],
    ['emails[type eq "work"].value eq "ada@example.com" and title pr', true],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "A"', true],
    ['userName eq "\\u0061da@example.com"', true],
  ])('%s is %s', (text, expected) => {
    expect(matcherOf(parseFilter(text), '', () => undefined)(ADA)).toBe(expected);
  });

  it.each([
    '',
    'userName',
    'userName eq',
    'userName is "x"',
    'userName eq "x',
    'userName eq "x" and',
    'userName eq "x" xor title pr',
    '(userName eq "x"',
    'userName eq "x")',
    'emails[type eq "work"',
    'emails[type eq "work"].value',
    'emails[type eq "work"].',
    'emails[type eq "work"] value eq "x"',
    'not userName eq "x"',
    'user name eq "x"',
    'a.b.c eq "x"',
    "userName eq 'x'",
    'userName eq {}',
    'userName eq "a\\u0000"',
    '1 eq 1',
    `${'('.repeat(9)}title pr${')'.repeat(9)}`,
    Array.from({ length: 21 }, () => 'title pr').join(' or '),
    Array.from({ length: 10_000 }, () => 'title pr').join(' or '),
    `userName eq "${'x'.repeat(5_000)}"`,
  ])('refuses %#', (text) => {
    expect(typeOf(text)).toBe('invalidFilter');
  });

  it('takes a word, and a number for an attribute of texts, as a text', () => {
    const value = (text: string) => parseFilter(text) as unknown as { value: unknown };
    expect(value('userName eq ada@b.example')).toMatchObject({ value: 'ada@b.example' });
    expect(value('userName eq 007')).toMatchObject({ value: '007' });
    expect(value('title eq 1e3')).toMatchObject({ value: '1e3' });
    expect(value('score eq 1e3')).toMatchObject({ value: 1_000 });
    expect(value('title eq null')).toMatchObject({ value: null });
  });

  it('accepts 8 levels and 20 comparisons', () => {
    expect(typeOf(`${'('.repeat(8)}title pr${')'.repeat(8)}`)).toBeNull();
    expect(typeOf(Array.from({ length: 20 }, () => 'title pr').join(' or '))).toBeNull();
  });

  it('refuses names that objects inherit', () => {
    expect(typeOf('constructor pr')).toBe('invalidPath');
    expect(() => parsePath('constructor')).toThrow(ScimError);
  });

  it('answers any text with a filter or invalidFilter', () => {
    const part = fc.constantFrom(
      'userName',
      'eq',
      '"a"',
      '(',
      ')',
      '[',
      ']',
      'and',
      'not',
      'pr',
      ' ',
      '\\',
      '"',
      '%',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join(' ')),
        ),
        (text) => {
          expect([null, 'invalidFilter', 'invalidPath']).toContain(typeOf(text));
        },
      ),
    );
  });
});

describe('Filters as SQL', () => {
  it.each([
    ['userName eq "Ada"', 'r.user_name_key = $1::text', ['ada']],
    ['externalId eq "Ada"', 'r.external_id = $1::text', ['Ada']],
    ['id eq "01"', 'r.id = $1::text', ['01']],
    ['displayName sw "A"', 'starts_with(r.display_name_key, $1::text)', ['a']],
    ['displayName co "A"', 'strpos(r.display_name_key, $1::text) > 0', ['a']],
    ['userName ew "A"', 'right(r.user_name_key, length($1::text)) = $1::text', ['a']],
    ['externalId ne "A"', 'r.external_id IS DISTINCT FROM $1::text', ['A']],
    ['externalId eq null', 'r.external_id IS NULL', []],
    ['externalId ne null', 'r.external_id IS NOT NULL', []],
    ['externalId pr', 'r.external_id IS NOT NULL', []],
    ['active eq false', 'r.active = $1::boolean', [false]],
    ['active ne false', 'r.active <> $1::boolean', [false]],
    [
      'meta.lastModified ge "2026-01-01T00:00:00Z"',
      'r.updated_at >= $1::timestamptz',
      [new Date('2026-01-01')],
    ],
    ['userName gt "b"', 'r.user_name_key > $1::text', ['b']],
    ['not (active eq true)', 'NOT COALESCE(r.active = $1::boolean, false)', [true]],
    [
      'title eq "A"',
      'lower((r.attributes #>> $1::text[]) COLLATE "und-x-icu") COLLATE "C" = lower(($2::text) COLLATE "und-x-icu") COLLATE "C"',
      [['title'], 'A'],
    ],
    ['title pr', "COALESCE(r.attributes #>> $1::text[], '') NOT IN ('', '[]', '{}')", [['title']]],
  ])('%s', (text, sql, values) => {
    expect(compiled(text)).toEqual({ sql, values });
  });

  it('binds every value and name', () => {
    const hostile = `x' OR 1=1 --\\u0025_`;
    const { sql, values } = compiled(`emails[type eq "${hostile}"] or title eq "${hostile}"`);
    expect(sql).not.toContain('OR 1=1');
    expect(values).toEqual([['emails'], ['type'], "x' OR 1=1 --%_", ['title'], "x' OR 1=1 --%_"]);
  });

  it.each([
    'emails eq "A@x"',
    'emails.value eq "A@x"',
    'emails[type eq "work"].value eq "A@x"',
    'emails[type eq "work" and value eq "A@x"]',
    'emails[value eq "A@x"]',
  ])('finds people by an index for %s', (text) => {
    const { sql, values } = compiled(text);
    const at = values.length;
    expect(sql).toContain(`directory_address_keys(a.attributes) @> directory_address_keys($${at}::jsonb)`);
    expect(sql).toContain('a.tenant_id = $1 AND a.directory_id = $2');
    expect(values.at(-1)).toBe('{"emails":[{"value":"A@x"}]}');
  });

  it.each([
    'emails[type eq "work" or value eq "A@x"]',
    'emails[not (value eq "A@x")]',
    'emails.value co "A@x"',
    'emails.type eq "work"',
    'emails pr',
    'phoneNumbers.value eq "A@x"',
  ])('compares the elements alone for %s', (text) => {
    expect(compiled(text).sql).not.toContain('directory_address_keys');
  });

  it('finds groups by their members', () => {
    expect(compiled('members.value eq "01"', 'group')).toMatchObject({ values: ['01'] });
    expect(compiled('members[value eq "01"]', 'group').sql).toContain('gm.user_id = $1');
    expect(compiled('members pr', 'group').sql).toContain('EXISTS');
    expect(() => compiled('members.value co "01"', 'group')).toThrow(ScimError);
  });

  it.each([
    'active eq "maybe"',
    'active gt true',
    'userName gt null',
    'score gt 5',
    'meta.created ge "yesterday"',
    'meta.created co "2026-01-01T00:00:00Z"',
    'emails[a[b pr]]',
  ])('refuses %s', (text) => {
    expect(() => compiled(text)).toThrow(ScimError);
  });
});
