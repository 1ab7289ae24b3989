import { claimAt, textClaims } from '../../src/external-identity/providers/attributes.js';

/** Claims of a provider, which an organization chooses: up to a megabyte of JSON. */
describe('Claims that are nested deep', () => {
  const DEPTH = 100_000;
  const nested = (key: string, inner: string) =>
    JSON.parse(`${`{"${key}":`.repeat(DEPTH)}${inner}${'}'.repeat(DEPTH)}`) as Record<string, unknown>;

  it('are read for four levels', () => {
    const within = { b: 'two', c: { d: ['four'], e: { f: 'four', g: { h: 'five' } } } };
    expect(textClaims({ a: { ...within, x: nested('a', '"x"') }, z: 'one' })).toEqual([
      ['z', ['one']],
      ['a.b', ['two']],
      ['a.c.d', ['four']],
      ['a.c.e.f', ['four']],
    ]);
    expect(textClaims(nested('a', '"x"'))).toEqual([]);
  });

  it('are found as deep as a name says', () => {
    expect(claimAt(nested('a', '"x"'), 'a.a.b')).toBeUndefined();
    expect(claimAt({ a: { 'b.c': { d: 1 } }, 'a.b': { c: 2 } }, 'a.b.c.d')).toBe(1);
  });
});
