import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CLI, exitOf, launch } from '../../support/built-service.js';
import { HASH_VECTORS, VECTOR_PASSWORDS } from '../../support/hash-vectors.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createDatabase, eventually, NO_LIMITS, QUIET, TestApp } from '../../support/test-app.js';

const PASSWORD = VECTOR_PASSWORDS.plain;
const passwordHash = HASH_VECTORS['bcrypt ($2y$, PHP)']?.plain ?? '';

it('An import that is killed is completed by running it again', async () => {
  const ROOT_SECRET = randomBytes(32).toString('base64');
  const environment = {
    ...QUIET,
    ...NO_LIMITS,
    ROOT_SECRET,
    DATABASE_URL: await createDatabase(),
    DATA_DIR: temporaryFolder('killed'),
  };
  const app = await TestApp.start(environment);
  const lines = Array.from({ length: 10_000 }, (_, n) => ({
    externalId: `u-${n}`,
    email: `imported-${n}@example.com`,
    emailVerified: true,
    firstName: 'Ada',
    passwordHash,
  }));
  const file = join(temporaryFolder('import'), 'people.ndjson');
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const count = async () =>
    Number((await app.sql<{ count: string }>('SELECT count(*) AS count FROM accounts'))[0]?.count);
  try {
    const child = launch([CLI, 'people:import', '--file', file], environment);
    await eventually('accounts are imported', async () => (await count()) > 0);
    child.kill('SIGKILL');
    await exitOf(child);
    const before = await count();
    expect(before).toBeLessThan(lines.length);
    const report = await app.command('people:import', '--file', file);
    expect(report).toEqual({
      imported: lines.length - before,
      unchanged: before,
      failed: 0,
      errors: [],
    });
    expect(await count()).toBe(lines.length);
    const last = lines.at(-1);
    expect((await app.post('login', { email: last?.email, password: PASSWORD })).status).toBe(200);
  } finally {
    await app.stop();
  }
});
