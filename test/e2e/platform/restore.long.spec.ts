import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BuiltService, CLI, runBuilt } from '../../support/built-service.js';
import { found, dump } from '../../support/canaries.js';
import { DEBIAN_POSTGRES, DebianPostgres } from '../../support/debian-postgres.js';
import { describeWith } from '../../support/tools.js';

jest.setTimeout(120_000); // starts a database server, two services and two commands in turn

const erased = { email: 'canary-restored-3f7a@example.com' };
const kept = 'another-person-91@example.com';

/** Other lists than this one are replayed in test/integration/erasure.spec.ts. */
describeWith(DEBIAN_POSTGRES, 'A backup that is restored', () => {
  let postgres: DebianPostgres;
  let service: BuiltService;
  const start = (database: string, settings: Record<string, string> = {}) =>
    BuiltService.start({ ...settings, DATABASE_URL: postgres.url(database) });
  const cli = (...words: string[]) => runBuilt(CLI, words, service.environment);

  beforeAll(async () => {
    postgres = await DebianPostgres.start();
    for (const name of ['first', 'second']) await postgres.create(name);
    service = await start('first');
  });
  afterAll(async () => {
    await service.stop();
    await postgres.stop();
  });

  it('loses the accounts again that were erased after it was made', async () => {
    const account = await service.register(erased.email);
    const other = await service.register(kept);
    await postgres.run('pg_dump', '-Fc', '-f', 'backup', postgres.url('first'));

    const { accessToken } = await service.login(account);
    await service.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: accessToken });
    const { stdout: list } = await cli('erasures:export');
    expect(JSON.parse(list)).toEqual({ erased: [expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/)] });
    const { ROOT_SECRET = '' } = service.environment;
    await service.stop();

    await postgres.run('pg_restore', '-d', postgres.url('second'), 'backup');
    service = await start('second', { ROOT_SECRET });
    expect(found(erased, await dump(service))).toEqual(['email']);
    const file = join(service.environment['DATA_DIR'] ?? '', 'erased.json');
    await writeFile(file, list);
    expect(JSON.parse((await cli('erasures:replay', '--file', file)).stdout)).toEqual({
      listed: 1,
      erased: 1,
    });

    expect(found(erased, await dump(service))).toEqual([]);
    expect(await service.sql("SELECT 1 FROM outgoing_mails WHERE kind = 'account-erased'")).toEqual([]);
    expect((await service.post('login', account)).status).toBe(401);
    await service.login(other);
  });
});
