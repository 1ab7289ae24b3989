import { requireUnambiguousJson } from '../../src/platform/web/index.js';

const accepts = (text: string): boolean => {
  try {
    requireUnambiguousJson(text);
    return true;
  } catch {
    return false;
  }
};

describe('Unambiguous JSON', () => {
  it.each([
    ['equal texts that are a key and a value', String.raw`{"a":"a","b":"a"}`],
    ['a text that looks like a second key', String.raw`{"a":"\"a\":1,\"a\":2"}`],
    ['keys that differ by a backslash', String.raw`{"a\\":1,"a":2}`],
    ['a text that ends in backslashes', String.raw`{"a":"\\\\","b":"\\"}`],
    ['equal keys of two objects', '[{"a":1},{"a":2}]'],
    ['no end of a text', '{"a":"'],
  ])('has %s', (_what, text) => expect(accepts(text)).toBe(true));

  it.each([
    ['a key twice', '{"a":1,"a":2}'],
    ['a key twice, once escaped', String.raw`{"a":1,"\u0061":2}`],
    ['a key twice, after a text that ends in backslashes', String.raw`{"b":"\\\\","a":1,"a":2}`],
    ['a key with a backslash twice', String.raw`{"a\\":1,"a\\":2}`],
    ['a key with a quote twice', String.raw`{"a\"":1,"a\"":2}`],
    ['a space before the colon', '{"a" :1,"a"\n:2}'],
    ['a key that reaches a prototype', String.raw`{"__pro\u0074o__":1}`],
    ['33 levels', '['.repeat(33)],
  ])('has not %s', (_what, text) => expect(accepts(text)).toBe(false));
});
