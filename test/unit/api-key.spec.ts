import { crc32 } from 'node:zlib';
import { Secret } from '../../src/platform/config/secret.js';
import {
  API_KEY_PATTERN,
  createApiKey,
  hashApiKey,
  isApiKeyOf,
  KeyDerivation,
  parseApiKey,
  resemblesApiKey,
} from '../../src/platform/crypto/index.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretOf = (byte: number) => new Secret(Buffer.alloc(32, byte));
const keys = new KeyDerivation(secretOf(1));

describe('API keys', () => {
  it.each(['sa', 'me', 'scim', 'setup'] as const)('have the published spelling (%s)', (kind) => {
    const { id, plainKey } = createApiKey(kind);
    expect(plainKey).toMatch(new RegExp(`^${API_KEY_PATTERN}$`));
    expect(parseApiKey(plainKey)).toEqual({ kind, id });
    expect(plainKey.split('_')).toEqual([
      'gh',
      kind,
      id,
      expect.stringMatching(/^\w{32}$/),
      expect.any(String),
    ]);
  });

  it('end with the CRC32 of all that stands before it', () => {
    const { plainKey } = createApiKey('sa');
    const digits = Array.from(plainKey.slice(-6), (digit) => BASE62.indexOf(digit));
    expect(digits.reduce((sum, digit) => sum * 62 + digit, 0)).toBe(crc32(plainKey.slice(0, -7)));
  });

  it('are refused with any one character changed', () => {
    const { plainKey } = createApiKey('sa');
    for (let at = 0; at < plainKey.length; at++)
      for (const other of `${BASE62}_-`)
        if (other !== plainKey[at])
          expect(parseApiKey(plainKey.slice(0, at) + other + plainKey.slice(at + 1))).toBeNull();
  });

  it('are refused with characters before, after, missing or swapped', () => {
    const { plainKey } = createApiKey('sa');
    const [a, b] = [plainKey.slice(0, 20), plainKey.slice(20)];
    for (const text of [` ${plainKey}`, `${plainKey}\n`, a + b.slice(1), b + a, '', 'gh_sa_'])
      expect(parseApiKey(text)).toBeNull();
    expect(parseApiKey(plainKey.toLowerCase())).toBeNull();
    expect(parseApiKey(plainKey.replace('gh_sa_', 'gh_me_'))).toBeNull();
    expect(resemblesApiKey('gh_sa_x')).toBe(true);
    expect(resemblesApiKey('ghr_x')).toBe(false);
  });

  it('do not repeat, and use each character', () => {
    const made = Array.from({ length: 500 }, () => createApiKey('me'));
    expect(new Set(made.map(({ id }) => id)).size).toBe(500);
    expect(new Set(made.flatMap(({ plainKey }) => [...(plainKey.split('_')[3] ?? '')])).size).toBe(62);
  });

  it('match only their own hash, under the current or the previous root secret', () => {
    const { plainKey } = createApiKey('sa');
    const hash = hashApiKey(keys, 'api-key', plainKey);
    expect(hash).toHaveLength(32);
    expect(isApiKeyOf(keys, 'api-key', plainKey, hash)).toBe(true);
    expect(isApiKeyOf(new KeyDerivation(secretOf(2), secretOf(1)), 'api-key', plainKey, hash)).toBe(true);
    expect(isApiKeyOf(new KeyDerivation(secretOf(2)), 'api-key', plainKey, hash)).toBe(false);
    expect(isApiKeyOf(keys, 'webhook-signing', plainKey, hash)).toBe(false);
    expect(isApiKeyOf(keys, 'api-key', createApiKey('sa').plainKey, hash)).toBe(false);
    expect(isApiKeyOf(keys, 'api-key', plainKey, hash.subarray(0, 16))).toBe(false);
  });
});
