import { importKeysOf } from '../../src/iam/import/import-keys.js';
import { readLines } from '../../src/iam/import/import-lines.js';
import { readPerson } from '../../src/iam/import/imported-person.js';
import { Secret } from '../../src/platform/config/secret.js';
import { KeyDerivation, keyedHash } from '../../src/platform/crypto/index.js';
import { textArray } from '../../src/platform/database/index.js';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

describe('The key of an imported account', () => {
  it('has the first 80 bits of the hash, five in each character', () => {
    const keys = new KeyDerivation(new Secret(Buffer.alloc(32, 1)));
    for (let n = 0; n < 500; n += 1) {
      const hash = keyedHash(keys, 'imported-account', `other-${n}`);
      const bits = BigInt(`0x${hash.toString('hex', 0, 10)}`)
        .toString(2)
        .padStart(80, '0');
      const expected = bits.replace(/.{5}/g, (five) => CROCKFORD.charAt(parseInt(five, 2)));
      expect(importKeysOf(keys, `other-${n}`)).toEqual([expected]);
    }
  });
});

describe('The lines of a file', () => {
  const read = async (...chunks: (string | Buffer)[]) => {
    const lines: (string | null)[] = [];
    for await (const some of readLines(chunks.map((chunk) => Buffer.from(chunk as string))))
      lines.push(...some.map(({ number, text, position }) => `${number}:${text}:${position}`));
    return lines;
  };

  it('are the same, wherever the chunks end', async () => {
    const text = 'one\n\n  \nfour é\nfive';
    const expected = ['1:one:4', '4:four é:16', '5:five:20'];
    for (let cut = 0; cut <= Buffer.byteLength(text); cut += 1) {
      const bytes = Buffer.from(text);
      const lines: string[] = [];
      for await (const some of readLines([bytes.subarray(0, cut), bytes.subarray(cut)]))
        lines.push(...some.map((line) => `${line.number}:${line.text}:${line.position}`));
      expect(lines).toEqual(expected);
    }
  });

  it('are reported without their text where they are too long', async () => {
    expect(await read(`${'a'.repeat(65_537)}\nnext\n`)).toEqual(['1:null:65538', '2:next:65543']);
    expect(await read(`${'a'.repeat(65_536)}\n`)).toEqual([`1:${'a'.repeat(65_536)}:65537`]);
  });

  it('are reported without their text where they are not UTF-8', async () => {
    expect(await read(Buffer.from([0x61, 0xff, 0x0a]), 'next')).toEqual(['1:null:3', '2:next:7']);
  });
});

describe('A person of a file', () => {
  const ada = { externalId: '1', email: 'ada@example.com', emailVerified: true };

  it('has no number or PIN of a worker: PINs are always new', () => {
    expect(readPerson(JSON.stringify(ada))).toMatchObject({ email: ada.email });
    for (const more of [{ number: '4711' }, { pinHash: '$2b$08$' }, { pin: '705318' }])
      expect(typeof readPerson(JSON.stringify({ ...ada, ...more }))).toBe('string');
  });
});

describe('An array of texts', () => {
  it('is written as PostgreSQL reads it', () => {
    expect(textArray([])).toBe('{}');
    expect(textArray(['a', null, '', 'NULL', '{,}'])).toBe('{"a",NULL,"","NULL","{,}"}');
    expect(textArray(['"', String.raw`\ and \"`])).toBe(String.raw`{"\"","\\ and \\\""}`);
  });
});
