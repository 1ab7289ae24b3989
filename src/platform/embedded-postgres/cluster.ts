import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Place } from './place.js';

const run = promisify(execFile);

/**
 * Creates the cluster in a draft directory, then renames it, so that an interrupted start leaves no
 * partial cluster.
 */
export async function createCluster(
  { binaries, cluster, user }: Place,
  password: string,
  durable: boolean,
  whileStarting: () => void,
): Promise<void> {
  const home = dirname(cluster);
  for (const name of await readdir(home))
    if (name.startsWith('postgres.draft-')) await rm(join(home, name), { recursive: true, force: true });
  if (existsSync(join(cluster, 'PG_VERSION'))) return;
  const draft = `${cluster}.draft-${process.pid}`;
  const passwordFile = `${draft}-password`;
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user) await Promise.all([chown(draft, user.uid, user.gid), chown(passwordFile, user.uid, user.gid)]);
  const options = [
    '-D',
    draft,
    '-U',
    'gatehouse',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
  ];
  const initdb = run(join(binaries, 'bin', 'initdb'), [...options, ...(durable ? [] : ['--no-sync'])], {
    ...user,
    cwd: draft,
  });
  whileStarting();
  await initdb;
  await rm(passwordFile);
  await rename(draft, cluster);
}
