import bcrypt from 'bcrypt';
import { readForeignHash } from '../../src/iam/accounts/credentials/imported/foreign-hash.js';
import { findScheme } from '../../src/iam/accounts/credentials/imported/hash-scheme.js';
import { wrapWeakHash } from '../../src/iam/accounts/credentials/imported/wrapped-hash.js';
import { FOREIGN_HASH } from '../../src/iam/import/imported-hash.js';
import { FIREBASE_VECTOR, HASH_VECTORS, VECTOR_PASSWORDS, WEAK_VECTORS } from '../support/hash-vectors.js';

async function fits(password: string, hash: string): Promise<boolean> {
  const { scheme, salt, fits: isRight } = readForeignHash(hash);
  return isRight(await scheme.derive(password, salt));
}
const refusal = (hash: string) => () => readForeignHash(hash);
const NOT_KNOWN = 'the format of the password hash is not known';
const NOT_ACCEPTED = 'the parameters of the password hash are not accepted';

describe('A password hash of another system', () => {
  it.each(Object.entries(HASH_VECTORS))('fits its password alone: %s', async (_name, hashes) => {
    const { plain, unicode } = VECTOR_PASSWORDS;
    expect(await fits(plain, hashes.plain)).toBe(true);
    expect(await fits(unicode, hashes.unicode)).toBe(true);
    expect(await fits(`${plain}x`, hashes.plain)).toBe(false);
    expect(await fits('', hashes.plain)).toBe(false);
    expect(await fits(plain, hashes.unicode)).toBe(false);
  });

  it('of Firebase has the parameters of the project', async () => {
    const { password, hash } = FIREBASE_VECTOR;
    expect(await fits(password, hash)).toBe(true);
    expect(await fits('user2password', hash)).toBe(false);
  });

  it('of Firebase has salt and hash in base64url, as they are exported (supabase/auth#2283, firebase/firebase-admin-java#775)', async () => {
    const { password, hash } = FIREBASE_VECTOR;
    const [kind, rounds, memory, separator, signer, ...own] = hash.split('$');
    const url = own.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
    const exported = [kind, rounds, memory, separator, signer, ...url].join('$');
    expect(exported).not.toBe(hash);
    expect(await fits(password, exported)).toBe(true);
  });

  /** Hashes of public reports, whose password is known: see docs/interop. */
  it.each([
    ['firebase/firebase-tools#248', 'none', '$2a$10$Kuvv6ATRsbtHnJJHB359WeKrC6ImbEzY0wtCmB21KS39Cw5sMecMK'],
    ['firebase/firebase-tools#1617', 'tester5', '72d4a5a5b605c53ae1ac478d9a4977d7'],
    ['firebase/firebase-tools#1617', 'tester5', '437091f31bf59809bd34cd0cc5e4c7da6820fe77'],
    ['firebase/firebase-tools#3514', 'passwordsalt', 'C88E9C67041A74E0357BEFDFF93F87DDE0904214'],
    ['firebase/firebase-tools#3514', 'salt', 'sha1$password$C88E9C67041A74E0357BEFDFF93F87DDE0904214'],
    [
      'firebase/firebase-tools#3514',
      'password',
      `{SSHA}${Buffer.from('C88E9C67041A74E0357BEFDFF93F87DDE090421473616c74', 'hex').toString('base64')}`,
    ],
  ])('of the report %s fits %s', async (_report, password, hash) => {
    const stored = await wrapWeakHash(hash);
    expect(await fits(password, stored)).toBe(true);
    expect(await fits(`${password}x`, stored)).toBe(false);
  });

  it('of the report zitadel/zitadel-tools#84 fits: a key of Keycloak of 64 bytes (keycloak/keycloak#4697)', async () => {
    const exported = {
      secretData:
        '{"value":"G4pkQxlaYGLOqaO4wDUgItslxTtvcg3lv+JihbYD2ccym7aDixYmCUf5L318TjrfMFZIxqwzrVjGTXUF5GGttA==","salt":"VaXa3H3OJXXujl+cRg66HA==","additionalParameters":{}}',
      credentialData: '{"hashIterations":27500,"algorithm":"pbkdf2-sha256","additionalParameters":{}}',
    };
    expect(await fits('test', FOREIGN_HASH.parse(exported))).toBe(true);
    expect(await fits('tests', FOREIGN_HASH.parse(exported))).toBe(false);
  });

  it.each([
    ['$2a$08$Fi60ML92l/WR13O2dx9/b.R408cIoIF7pQw8HEDycadI.BSCp7DmO', 'firebase/firebase-admin-go#595'],
    ['$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy', 'FusionAuth/fusionauth-site#1174'],
  ])('is read: %s (%s)', (hash) => {
    expect(readForeignHash(hash).scheme.name).toMatch(/^bcrypt/);
  });

  it('of Keycloak is its credential, as it is exported', async () => {
    const [, type = '', , , salt = '', value = ''] = HASH_VECTORS['Argon2id']?.plain.split('$') ?? [];
    const additionalParameters = {
      hashLength: ['32'],
      memory: ['1024'],
      type: [type.slice('argon2'.length)],
      version: ['1.3'],
      parallelism: ['1'],
    };
    const credential = { hashIterations: 2, algorithm: 'argon2', additionalParameters };
    const exported = {
      credentialData: JSON.stringify(credential),
      secretData: JSON.stringify({ value: `${value}=`, salt: `${salt}==`, additionalParameters: {} }),
    };
    expect(await fits(VECTOR_PASSWORDS.plain, FOREIGN_HASH.parse(exported))).toBe(true);
    for (const other of [
      { algorithm: 'md5' },
      { algorithm: 'our-pbkdf2-sha256' },
      { algorithm: 'pbkdf2-sha256-ours' },
      { hashIterations: 1.5 },
    ]) {
      const damaged = { ...exported, credentialData: JSON.stringify({ ...credential, ...other }) };
      expect(FOREIGN_HASH.parse(damaged)).toBe('');
    }
    expect(FOREIGN_HASH.parse({ ...exported, secretData: '{' })).toBe('');
    const bare = JSON.stringify({ ...credential, additionalParameters: {} });
    expect(refusal(String(FOREIGN_HASH.parse({ ...exported, credentialData: bare })))).toThrow(NOT_KNOWN);
  });

  it('is found again by the name of its scheme, which has its cost and no salt', async () => {
    for (const { plain } of Object.values(HASH_VECTORS)) {
      const { scheme, salt, fits: isRight } = readForeignHash(plain);
      const again = findScheme(scheme.name);
      expect(scheme.name).toMatch(/^[\w.]+$/);
      expect(isRight((await again?.derive(VECTOR_PASSWORDS.plain, salt)) ?? Buffer.alloc(0))).toBe(true);
      expect(isRight((await again?.derive(VECTOR_PASSWORDS.plain, scheme.decoySalt)) ?? salt)).toBe(false);
    }
  });

  it('of phpass is wrapped, so that its digest is not in what is stored', async () => {
    const weak = Object.entries(HASH_VECTORS).filter(([name]) => name.startsWith('phpass'));
    expect(weak.length).toBeGreaterThan(1);
    for (const [, hashes] of weak) {
      const wrapped = await wrapWeakHash(hashes.plain);
      expect(wrapped).not.toContain(hashes.plain.slice(12));
      expect(await fits(VECTOR_PASSWORDS.plain, wrapped)).toBe(true);
      expect(await fits(VECTOR_PASSWORDS.unicode, await wrapWeakHash(hashes.unicode))).toBe(true);
      expect(await fits(`${VECTOR_PASSWORDS.plain}x`, wrapped)).toBe(false);
      expect(await fits('', wrapped)).toBe(false);
      // What is wrapped is not wrapped again, so that an export can be imported.
      expect(await wrapWeakHash(wrapped)).toBe(wrapped);
      const { scheme, salt, fits: isRight } = readForeignHash(wrapped);
      const again = findScheme(scheme.name);
      expect(isRight((await again?.derive(VECTOR_PASSWORDS.plain, salt)) ?? Buffer.alloc(0))).toBe(true);
      expect(isRight((await again?.derive(VECTOR_PASSWORDS.plain, scheme.decoySalt)) ?? salt)).toBe(false);
    }
    const strong = Object.entries(HASH_VECTORS).filter(([name]) => !name.startsWith('phpass'));
    for (const [, { plain }] of strong) expect(await wrapWeakHash(plain)).toBe(plain);
  });

  it.each(Object.entries(WEAK_VECTORS))(
    'that is weak is stored in a wrap alone: %s',
    async (_name, hashes) => {
      const { plain, unicode } = VECTOR_PASSWORDS;
      expect(refusal(hashes.plain)).toThrow(NOT_KNOWN);
      const wrapped = await wrapWeakHash(hashes.plain);
      expect(wrapped).not.toContain(hashes.plain.slice(-12));
      expect(readForeignHash(wrapped).scheme.name).toBe(`${hashes.scheme}.1024.8`);
      expect(await fits(plain, wrapped)).toBe(true);
      expect(await fits(unicode, await wrapWeakHash(hashes.unicode))).toBe(true);
      expect(await fits(`${plain}x`, wrapped)).toBe(false);
      expect(await fits('', wrapped)).toBe(false);
      expect(await wrapWeakHash(wrapped)).toBe(wrapped);
      const again = findScheme(readForeignHash(wrapped).scheme.name);
      const { salt, fits: isRight } = readForeignHash(wrapped);
      expect(isRight((await again?.derive(plain, salt)) ?? Buffer.alloc(0))).toBe(true);
    },
  );

  it('in a wrap has the length that every wrap has', () => {
    const wrap = (bytes: number) => Buffer.alloc(bytes).toString('base64');
    for (const start of ['$sha1.after+scrypt$ln=10,r=8$$', '$phpass+scrypt$ln=10,r=8$6abcdefgh$']) {
      expect(refusal(start + wrap(32))).not.toThrow();
      for (const bytes of [16, 31, 33, 48]) expect(refusal(start + wrap(bytes))).toThrow(NOT_KNOWN);
    }
  });

  it('that is weak is not wrapped where its length fits no digest', async () => {
    const short = [
      '{SSHA}AAAA',
      `{SHA256}${Buffer.alloc(20).toString('base64')}`,
      'sha1$salt$00',
      'd31eee762b4b3b5fa6be1096e09b9a4',
      `md5$salt$${'0'.repeat(40)}`,
    ];
    for (const hash of short) expect(await wrapWeakHash(hash)).toBe(hash);
    for (const hash of short) expect(refusal(hash)).toThrow(NOT_KNOWN);
  });

  it('of a directory may have the name of its format before it', async () => {
    const { plain } = VECTOR_PASSWORDS;
    const crypt = HASH_VECTORS['SHA-512 crypt with 1000 rounds']?.plain ?? '';
    const argon = HASH_VECTORS['Argon2id']?.plain ?? '';
    const md5 = WEAK_VECTORS['MD5 crypt by passlib 1.7.4']?.plain ?? '';
    for (const hash of [`{CRYPT}${crypt}`, `{crypt}${md5}`, `{ARGON2}${argon}`]) {
      const bare = FOREIGN_HASH.parse(hash);
      expect(await fits(plain, await wrapWeakHash(bare))).toBe(true);
    }
    expect(FOREIGN_HASH.parse(`{UNIX}${crypt}`)).toBe(`{UNIX}${crypt}`);
  });

  it('of WordPress before 6.8 is of the password without outer blanks, and of phpBB with them', async () => {
    const hash = HASH_VECTORS['phpass']?.plain ?? '';
    const { plain } = VECTOR_PASSWORDS;
    const [wordpress, phpbb] = await Promise.all([
      wrapWeakHash(hash.replace('$H$', '$P$')),
      wrapWeakHash(hash.replace('$P$', '$H$')),
    ]);
    for (const typed of [` ${plain}`, `${plain}\t`, `\n\v${plain} \0\r`]) {
      expect(await fits(typed, wordpress)).toBe(true);
      expect(await fits(typed, phpbb)).toBe(false);
    }
    expect([await fits(plain, wordpress), await fits(plain, phpbb)]).toEqual([true, true]);
    expect(await fits(`\u00a0${plain}`, wordpress)).toBe(false); // `trim` of PHP keeps it
  });

  // passlib 1.7.4: sha256_crypt, sha512_crypt, phpass, pbkdf2_sha1, pbkdf2_sha256, pbkdf2_sha512
  it.each([
    `$5$rounds=535000$salt$${'a'.repeat(43)}`,
    `$6$rounds=656000$salt$${'a'.repeat(86)}`,
    `$P$Habcdefgh${'a'.repeat(22)}`,
    `$pbkdf2$131000$${'A'.repeat(22)}$${'A'.repeat(27)}`,
    `$pbkdf2-sha256$29000$${'A'.repeat(22)}$${'A'.repeat(43)}`,
    `$pbkdf2-sha512$25000$${'A'.repeat(22)}$${'A'.repeat(86)}`,
  ])('of passlib is accepted with its default rounds: %s', async (hash) => {
    expect(readForeignHash(await wrapWeakHash(hash)).scheme.milliseconds).toBeLessThanOrEqual(2_500);
  });

  it('of bcrypt counts 72 bytes, and fits with each prefix', async () => {
    const long = 'a'.repeat(72);
    const hash = await bcrypt.hash(long, 4);
    for (const prefix of ['$2a$', '$2b$', '$2y$', 'bcrypt$$2b$']) {
      expect(await fits(`${long}b`, prefix + hash.slice(4))).toBe(true);
      expect(await fits(long.slice(1), prefix + hash.slice(4))).toBe(false);
    }
    expect(refusal(`$2x$${hash.slice(4)}`)).toThrow(NOT_KNOWN);
  });

  it('is refused where its format is not known', () => {
    const damaged = Object.values(HASH_VECTORS).flatMap(({ plain }) => [`x${plain}`, plain.slice(0, 12)]);
    for (const hash of ['', 'plain-text', '{SSHA}AAAA', 'AQAAAA==', ...damaged])
      expect(refusal(hash)).toThrow();
    expect(refusal('plain-text')).toThrow(NOT_KNOWN);
    expect(refusal('$argon2id$v=16$m=1024,t=2,p=1$Q29hS0NNOG1EWE5FZFhaVQ$rcT2vHYabJDqe93d3kcCsw')).toThrow(
      NOT_KNOWN,
    );
  });

  const salt = 'AAECAwQFBgcICQoLDA0ODw';
  const key = 'A'.repeat(43);
  it.each([
    ['bcrypt cost', `$2b$15$${'a'.repeat(53)}`],
    ['bcrypt cost, too low to exist', `$2b$03$${'a'.repeat(53)}`],
    ['Argon2 memory', `$argon2id$v=19$m=262145,t=1,p=1$${salt}$${key}`],
    ['Argon2 passes', `$argon2id$v=19$m=1024,t=11,p=1$${salt}$${key}`],
    ['Argon2 lanes', `$argon2id$v=19$m=1024,t=1,p=17$${salt}$${key}`],
    ['Argon2 time', `$argon2id$v=19$m=262144,t=10,p=1$${salt}$${key}`],
    ['scrypt N', `$scrypt$ln=21,r=1,p=1$${salt}$${key}`],
    ['scrypt N, no power of two', `scrypt$1000$salt$8$1$${key}=`],
    ['scrypt memory', `$scrypt$ln=19,r=8,p=1$${salt}$${key}`],
    ['scrypt lanes', `$scrypt$ln=14,r=8,p=65$${salt}$${key}`],
    ['scrypt time', `$scrypt$ln=17,r=8,p=64$${salt}$${key}`],
    ['Firebase memory', FIREBASE_VECTOR.hash.replace('$14$', '$40$')],
    ['PBKDF2 iterations', `pbkdf2_sha256$2000001$salt$${key}=`],
    ['PBKDF2 iterations, beyond numbers', `pbkdf2_sha256$${'9'.repeat(300)}$salt$${key}=`],
    ['PBKDF2 iterations, none', `pbkdf2_sha256$0$salt$${key}=`],
    ['PBKDF2 length', `pbkdf2_sha256$1000$salt$${'A'.repeat(88)}`],
    ['PBKDF2 length, too short to be safe', 'pbkdf2_sha256$1000$salt$AAAA'],
    ['PBKDF2 time, by its length', `$pbkdf2$1500001$${salt}$${'A'.repeat(86)}`],
    ['SHA-512 crypt rounds', `$6$rounds=999999999$salt$${'a'.repeat(86)}`],
    ['SHA-512 crypt time', `$6$rounds=750001$salt$${'a'.repeat(86)}`],
    ['phpass rounds', `$P$Zabcdefgh${'a'.repeat(22)}`],
    ['phpass rounds, twice the most that are accepted', `$P$Iabcdefgh${'a'.repeat(22)}`],
    ['phpass wrapped, N', `$phpass+scrypt$ln=21,r=8$6abcdefgh$${key}=`],
    ['phpass wrapped, memory', `$phpass+scrypt$ln=20,r=8$6abcdefgh$${key}=`],
    ['salt', `pbkdf2_sha256$1000$${'s'.repeat(257)}$${key}=`],
  ])('is refused beyond what a sign-in may cost: %s', (_what, hash) => {
    expect(refusal(hash)).toThrow(NOT_ACCEPTED);
  });

  it('is refused where it is longer than any', () => {
    expect(refusal(`$2b$04$${'a'.repeat(2_000)}`)).toThrow('the password hash is too long');
  });

  it('has no scheme by a name that is not one', () => {
    for (const name of [
      '',
      'md5.1',
      'constructor',
      'bcrypt',
      'bcrypt.4',
      'bcrypt.4.toString',
      'bcrypt.15.plain',
      'pbkdf2.md5.1000.32',
      'pbkdf2.sha256.1e3.32',
      'argon2id.1.1.1.32',
      'phpass.6',
      'phpass.8.2048',
      'phpass.8.1000.8',
      'phpass.8.0.8',
      'md5crypt.crypt',
      'md5crypt.toString.1024.8',
      'sha1.after',
      'sha1.middle.1024.8',
      'sha1.after.1000.8',
      'sha384.after.1024.8',
      'sha512crypt.999',
    ])
      expect(findScheme(name)).toBeNull();
  });
});
