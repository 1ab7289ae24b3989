import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The tests run as CommonJS; what is shipped is ESM. This starts what is shipped. */
describe('Built artifact', () => {
  it('starts, answers, and ends with exit code 0 on SIGTERM', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-built-'));
    const port = await freePort();
    const service = spawn(process.execPath, ['dist/src/main.js'], {
      env: {
        ...process.env,
        NODE_ENV: 'test',
        BCRYPT_COST: '4',
        DATA_DIR: dataDir,
        PORT: String(port),
        DATABASE_URL: process.env['TEST_POSTGRES_URL'],
        ROOT_SECRET: randomBytes(32).toString('base64'),
      },
      stdio: 'ignore',
    });
    const ended = new Promise<number | null>((resolve) => service.once('exit', resolve));
    try {
      await waitFor(`http://127.0.0.1:${port}/readyz`);
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/iam/me`);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect(await answer.json()).toMatchObject({ type: '/errors/unauthenticated', status: 401 });
    } finally {
      service.kill('SIGTERM');
    }
    expect(await ended).toBe(0);
    await rm(dataDir, { recursive: true, force: true });
  });
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function waitFor(url: string): Promise<void> {
  for (const limit = Date.now() + 20_000; ;) {
    const ready = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    if (Date.now() > limit) throw new Error('The service did not become ready.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
