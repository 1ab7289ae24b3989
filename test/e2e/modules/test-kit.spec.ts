/** @service separate */
import { readdir } from 'node:fs/promises';
import { Controller, Get, Module } from '@nestjs/common';
import { TestGatehouse } from '../../../src/testing/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createDatabase } from '../../support/test-app.js';

@Controller('api/v1/pallets')
class PalletsController {
  @Get()
  list(): readonly string[] {
    return [];
  }
}

@Module({ controllers: [PalletsController] })
class PalletsModule {}

/** The kit with its own PostgreSQL is tested by the tests of examples/shipments. */
describe('The test kit', () => {
  it('runs on a database that a setting names', async () => {
    const databaseUrl = await createDatabase('template1');
    const gatehouse = await TestGatehouse.start({}, { DATABASE_URL: databaseUrl });
    try {
      const { email } = await gatehouse.register();
      expect(await gatehouse.sql('SELECT email FROM accounts')).toEqual([{ email }]);
      expect(gatehouse.databaseUrl).toBe(databaseUrl);
    } finally {
      await gatehouse.stop();
    }
  });

  it('leaves no folder behind where it does not start', async () => {
    const TMPDIR = temporaryFolder('kit');
    const { TMPDIR: before } = process.env;
    process.env['TMPDIR'] = TMPDIR;
    try {
      await expect(TestGatehouse.start({}, { LOG_LEVEL: 'nonsense' })).rejects.toThrow('LOG_LEVEL');
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
    expect(await readdir(TMPDIR)).toEqual([]);
  });

  it('starts no module with a route that declares no access', async () => {
    const starting = TestGatehouse.start(
      { modules: [PalletsModule] },
      { DATABASE_URL: await createDatabase() },
    );
    await expect(starting).rejects.toThrow(/api\/v1\/pallets.*declares no access/);
  });
});
