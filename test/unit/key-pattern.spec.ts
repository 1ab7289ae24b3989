import { randomBytes } from 'node:crypto';
import { API_KEY_PATTERN, createApiKey, parseApiKey } from '../../src/platform/crypto/index.js';

const MEGABYTE = 1_048_576;

describe('The published pattern of keys', () => {
  const find = (text: string) => text.match(new RegExp(API_KEY_PATTERN, 'g')) ?? [];

  it('finds every key in source code, settings and logs', () => {
    const keys = (['sa', 'me', 'scim', 'setup'] as const).flatMap((kind) =>
      Array.from({ length: 250 }, () => createApiKey(kind).plainKey),
    );
    const around = [
      (key: string) => `const key = "${key}";`,
      (key: string) => `API_KEY=${key}`,
      (key: string) => `Authorization: Bearer ${key}`,
      (key: string) => `{"key":"${key}","other":1}`,
      (key: string) => `https://example.com/?key=${key}&x=1`,
    ];
    const corpus = keys.map((key, n) => around[n % around.length]?.(key)).join('\n');
    expect(find(corpus)).toEqual(keys);
    expect(find(corpus).every((key) => parseApiKey(key) !== null)).toBe(true);
  });

  it('finds nothing in a megabyte of random text', () => {
    expect(find(randomBytes(MEGABYTE).toString('base64'))).toEqual([]);
    expect(find(randomBytes(MEGABYTE).toString('latin1'))).toEqual([]);
  });
});
