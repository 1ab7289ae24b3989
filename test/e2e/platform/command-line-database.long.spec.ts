import { randomBytes } from 'node:crypto';
import { CLI, runBuilt } from '../../support/built-service.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createDatabase } from '../../support/test-app.js';

describe('The command line without a service', () => {
  it('does not migrate a database', async () => {
    const environment = {
      DATA_DIR: temporaryFolder('none'),
      DATABASE_URL: await createDatabase('template1'),
      ROOT_SECRET: randomBytes(32).toString('base64'),
    };
    const refused = await runBuilt(CLI, ['keys:rotate'], environment);
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The database is empty or of an earlier release. Migrate it first, by the command migrate.\n',
    });
    expect(await runBuilt(CLI, ['migrate'], environment)).toMatchObject({ code: 0, stderr: '' });
    expect(await runBuilt(CLI, ['keys:list'], environment)).toMatchObject({ code: 0, stderr: '' });
  });
});
