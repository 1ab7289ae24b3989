import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { answers, PROGRAM, runBuilt } from '../support/built-service.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/test-app.js';

jest.setTimeout(120_000); // npm start makes a database cluster

/** A first start creates a database cluster, which takes long on a busy machine. */
const START_LIMIT_MS = 50_000;

describe('With the embedded database', () => {
  let dataDir: string;
  let blocker: Server;
  let port: number;
  let npm: ChildProcess | undefined;
  beforeEach(async () => {
    dataDir = temporaryFolder('start');
    await chmod(dataDir, 0o755); // as root, the cluster would otherwise use another directory
    blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    port = (blocker.address() as AddressInfo).port;
  });
  afterEach(async () => {
    npm?.kill('SIGTERM');
    await new Promise((resolve) => blocker.close(resolve));
    await rm(dataDir, { recursive: true, force: true });
  });
  const databaseRuns = () => existsSync(join(dataDir, 'postgres', 'postmaster.pid'));

  it('a start on a taken port says so and leaves no database behind', async () => {
    const { code, stderr } = await runBuilt(PROGRAM, [], {
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`port ${port} of 127.0.0.1 is taken`)]);
    expect(databaseRuns()).toBe(false);
  });

  it.each([
    ['while it starts', () => databaseRuns()],
    ['once it runs', () => answers(`http://127.0.0.1:${port}/readyz`)],
  ])('npm start ends service and database on SIGTERM %s', async (_when, moment) => {
    await new Promise((resolve) => blocker.close(resolve));
    const { PATH = '' } = process.env;
    const env = { PATH, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'silent' };
    npm = spawn('npm', ['start'], { env, stdio: 'ignore' });
    await eventually('the moment has come', moment, START_LIMIT_MS);
    npm.kill('SIGTERM');
    await eventually('the database has ended', () => !databaseRuns(), START_LIMIT_MS);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  });
});
