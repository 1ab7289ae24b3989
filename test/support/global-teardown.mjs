import { rm } from 'node:fs/promises';

export default async function tearDown() {
  const { dataDir, postgres } = globalThis.testPostgres;
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
