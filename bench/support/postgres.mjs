import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../dist/src/platform/embedded-postgres/index.js';

/** Starts a PostgreSQL for the run, with the durability of production. */
export async function startPostgres() {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  await chmod(dataDir, 0o755); // it runs as another user
  const postgres = await startEmbeddedPostgres({ dataDir, durable: true });
  return {
    url: postgres.url,
    log: join(dataDir, 'postgres.log'),
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}
