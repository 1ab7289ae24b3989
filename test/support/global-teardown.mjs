import { rm } from 'node:fs/promises';

export default async function tearDown() {
  const { dataDir, postgres, watcher } = globalThis.testPostgres;
  watcher.kill();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
