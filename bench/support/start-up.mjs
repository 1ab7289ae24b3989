import { spawn } from 'node:child_process';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/own-service.mjs';
import { SERVICE } from '../../scripts/service.mjs';
import { pinned, PLACE } from './place.mjs';

const POLL_MS = 10;

/** Settings of a service with its own database. */
export async function dataFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-start-'));
  await chmod(folder, 0o755); // PostgreSQL runs as another user
  return folder;
}

/** Starts the service, returns the seconds until its first response, and stops it. */
export async function startUp(folder) {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const [command, ...args] = pinned(PLACE.all, [process.execPath, ...SERVICE]);
  const environment = {
    PORT: String(port),
    PUBLIC_URL: base,
    DATA_DIR: folder,
    DATABASE_URL: '',
    SMTP_URL: '',
  };
  const began = performance.now();
  const service = spawn(command, args, {
    env: { ...process.env, ...environment },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => service.once('exit', resolve));
  while (service.exitCode === null && !(await answers(`${base}/readyz`))) await sleep(POLL_MS);
  const seconds = (performance.now() - began) / 1000;
  service.kill('SIGTERM');
  if ((await ended) !== 0) throw new Error('The service did not start.');
  return seconds;
}

function answers(address) {
  return fetch(address).then(
    ({ ok }) => ok,
    () => false,
  );
}
