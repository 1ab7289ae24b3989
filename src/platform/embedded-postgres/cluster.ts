import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Place } from './place.js';

const run = promisify(execFile);

/** Makes the cluster in a draft and renames it, so that a start that was cut off leaves nothing half-made in its place. */
export async function createCluster(
  { binaries, cluster, user }: Place,
  password: string,
  durable: boolean,
  meanwhile: () => void,
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
  const making = run(join(binaries, 'bin', 'initdb'), [...options, ...(durable ? [] : ['--no-sync'])], {
    ...user,
    cwd: draft,
  });
  meanwhile();
  await making;
  await rm(passwordFile);
  await rename(draft, cluster);
}
