import { randomBytes } from 'node:crypto';
import { lintSource } from '@secretlint/core';
import { creator as rule } from '@secretlint/secretlint-rule-pattern';
import { API_KEY_PATTERN, createApiKey, parseApiKey } from '../../src/platform/crypto/index.js';

const MEGABYTE = 1_048_576;

describe('The published pattern of keys', () => {
  /** Returns what a scanner of another author finds with the published pattern. */
  const find = async (content: string): Promise<string[]> => {
    const options = { patterns: [{ name: 'Gatehouse', patterns: [`/${API_KEY_PATTERN}/g`] }] };
    const { messages } = await lintSource({
      source: { content, filePath: 'corpus.txt', ext: '.txt', contentType: 'text' },
      options: { config: { rules: [{ id: '@secretlint/secretlint-rule-pattern', rule, options }] } },
    });
    return messages.map(({ range: [start, end] }) => content.slice(start, end));
  };

  it('finds every key in source code, settings and logs', async () => {
    const keys = (['sa', 'cs', 'me', 'scim', 'setup'] as const).flatMap((kind) =>
      Array.from({ length: 200 }, () => createApiKey(kind).plainKey),
    );
    const around = [
      (key: string) => `const key = "${key}";`,
      (key: string) => `API_KEY=${key}`,
      (key: string) => `Authorization: Bearer ${key}`,
      (key: string) => `{"key":"${key}","other":1}`,
      (key: string) => `https://example.com/?key=${key}&x=1`,
    ];
    const corpus = keys.map((key, n) => around[n % around.length]?.(key)).join('\n');
    const found = await find(corpus);
    expect(found).toEqual(keys);
    expect(found.every((key) => parseApiKey(key) !== null)).toBe(true);
  });

  it('finds nothing in a megabyte of random text', async () => {
    for (const encoding of ['base64', 'base64url'] as const)
      expect(await find(randomBytes(MEGABYTE).toString(encoding))).toEqual([]);
    expect(await find(randomBytes(MEGABYTE).toString('latin1'))).toEqual([]);
  });
});
