import { listed, shown } from '../../src/directory/scim/representation.js';
import type { Query, ScimCall } from '../../src/directory/scim/scim-call.js';

const URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const ADA = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', URN],
  id: 'A',
  userName: 'ada',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'ada@example.com', type: 'work' }],
  [URN]: { department: 'Engines', costCenter: '7' },
  'own.name': 'dotted',
  meta: {},
};
interface Names {
  readonly attributes?: string[];
  readonly excludedAttributes?: string[];
}
const query = ({ attributes = [], excludedAttributes = [] }: Names): Query => {
  return { descending: false, attributes, excludedAttributes };
};

describe('Attributes that a directory asks for', () => {
  const show = (names: Names) =>
    shown({ ifNoneMatch: null, query: query(names) } as ScimCall, { version: 1 } as never, ADA).body;
  const always = { schemas: ADA.schemas, id: 'A', meta: {} };

  it.each([
    ['username', { userName: 'ada' }],
    ['name.givenname', { name: { givenName: 'Ada' } }],
    ['urn:ietf:params:scim:schemas:core:2.0:user:username', { userName: 'ada' }],
    ['emails.type', { emails: [{ type: 'work' }] }],
    [URN.toLowerCase(), { [URN]: ADA[URN] }],
    [`${URN.toLowerCase()}:department`, { [URN]: { department: 'Engines' } }],
    [`${URN.toLowerCase()}.department`, { [URN]: { department: 'Engines' } }],
    ['own.name', { 'own.name': 'dotted' }],
    ['user', {}],
    ['name.', {}],
  ])('are %s', (name, expected) => {
    expect(show({ attributes: [name] })).toEqual({ ...always, ...expected });
  });

  it('are several of one attribute, and the whole of it if that is among them', () => {
    const { name } = ADA;
    expect(show({ attributes: ['name.givenname', 'name.familyname'] })).toEqual({ ...always, name });
    expect(show({ attributes: ['name.givenname', 'name'] })).toEqual({ ...always, name });
  });

  it('are all but those that it excludes', () => {
    const left = show({
      excludedAttributes: ['id', 'emails', 'name.givenname', `${URN.toLowerCase()}:costcenter`],
    });
    const { emails: _, ...rest } = ADA;
    expect(left).toEqual({ ...rest, name: { familyName: 'Lovelace' }, [URN]: { department: 'Engines' } });
  });

  it.each(['attributes', 'excludedAttributes'])('are read once for a page: %s', (kind) => {
    let reads = 0;
    const names = new Proxy(
      Array.from({ length: 1_000 }, (_, n) => `name${n}`),
      {
        get: (list, key, of) => {
          if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
          return Reflect.get(list, key, of) as unknown;
        },
      },
    );
    const items = Array.from({ length: 50 }, () => ADA);
    const page = listed({ items, total: 50, nextCursor: null }, query({ [kind]: names }), (one) => one);
    expect(page.Resources).toHaveLength(50);
    expect(reads).toBe(1_000);
  });
});
