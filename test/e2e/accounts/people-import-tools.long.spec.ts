import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { TestApp } from '../../support/test-app.js';
import { describeWith } from '../../support/tools.js';

const PYTHON = '/usr/lib/python3/dist-packages';
const WORDPRESS = '/usr/share/wordpress/wp-includes/class-phpass.php';
const PASSWORD = 'grüße-42 🚢';

const run = (program: string, words: readonly string[], input?: string) =>
  execFileSync(program, words, { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'ignore'] }).trim();
const python = (code: string) => run('/usr/bin/python3', ['-c', code, PASSWORD]);
const php = (code: string) => run('php', ['-r', code, '--', PASSWORD]);
const passlib = (call: string) =>
  python(`import sys; from passlib import hash; print(hash.${call}.hash(sys.argv[1]))`);
const django = (hasher: string) =>
  python(
    `import sys; from django.conf import settings; settings.configure(); ` +
      `from django.contrib.auth import hashers as h; k = h.${hasher}(); print(k.encode(sys.argv[1], k.salt()))`,
  );

/** What makes a hash of the password now, by its name; the cost is small where it can be chosen. */
const MAKERS: Readonly<Record<string, () => string>> = {
  'passlib, PBKDF2-SHA512': () => passlib('pbkdf2_sha512.using(rounds=1200)'),
  'passlib, scrypt': () => passlib('scrypt.using(rounds=10)'),
  'passlib, SHA-512 crypt': () => passlib('sha512_crypt.using(rounds=1200)'),
  'passlib, {SSHA}': () => passlib('ldap_salted_sha1'),
  'passlib, {SSHA512}': () => passlib('ldap_salted_sha512'),
  'passlib, {CRYPT} with MD5': () => passlib('ldap_md5_crypt'),
  'Django, PBKDF2-SHA256': () => django('PBKDF2PasswordHasher'),
  'Django, salted SHA-1': () => django('SHA1PasswordHasher'),
  'PHP, bcrypt': () => php(`echo password_hash($argv[1], PASSWORD_BCRYPT, ['cost' => 5]);`),
  'PHP, Argon2id': () =>
    php(`echo password_hash($argv[1], PASSWORD_ARGON2ID, ['memory_cost' => 1024, 'time_cost' => 2]);`),
  'WordPress, phpass': () =>
    php(`require '${WORDPRESS}'; echo (new PasswordHash(8, true))->HashPassword($argv[1]);`),
  'argon2, Argon2i': () =>
    run('argon2', ['salt-of-sixteen-b', '-i', '-t', '2', '-k', '1024', '-p', '1', '-e'], PASSWORD),
  'argon2, Argon2id': () =>
    run('argon2', ['salt-of-sixteen-b', '-id', '-t', '3', '-k', '2048', '-p', '2', '-e'], PASSWORD),
  'OpenSSL, MD5 crypt of Apache': () => run('openssl', ['passwd', '-apr1', '-stdin'], PASSWORD),
};

describeWith(
  ['argon2', 'openssl', 'php', WORDPRESS, `${PYTHON}/passlib`, `${PYTHON}/django`],
  'A hash that another program makes now',
  () => {
    let app: TestApp;
    let folder: string;
    beforeAll(async () => {
      folder = temporaryFolder('import');
      app = await TestApp.start();
    });
    afterAll(() => app.stop());

    it.each(Object.keys(MAKERS))('signs in once imported, and is replaced: %s', async (name) => {
      const made = MAKERS[name]?.() ?? '';
      const email = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}@example.com`;
      const file = join(folder, 'people.ndjson');
      const line = { externalId: name, email, emailVerified: true, passwordHash: made };
      await writeFile(file, JSON.stringify(line));
      expect(await app.command('people:import', '--file', file)).toMatchObject({ imported: 1, errors: [] });
      const stored = async () => {
        const [row] = await app.sql<{ hash: string }>(
          'SELECT password_hash AS hash FROM accounts WHERE email_key = $1',
          [email],
        );
        return row?.hash ?? '';
      };
      expect(await stored()).toMatch(/^f1\$/);
      expect((await app.post('login', { email, password: `${PASSWORD}x` })).status).toBe(401);
      expect((await app.post('login', { email, password: PASSWORD })).status).toBe(200);
      expect(await stored()).toMatch(/^v1\$/);
      expect((await app.post('login', { email, password: PASSWORD })).status).toBe(200);
    });
  },
);
