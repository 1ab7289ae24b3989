import { execFile } from 'node:child_process';
import { chmod, chown, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './built-service.js';
import { temporaryFolder } from './temporary-folder.js';

const run = promisify(execFile);
const BIN = '/usr/lib/postgresql/15/bin';

/**
 * Programs that {@link DebianPostgres} needs; the embedded PostgreSQL has none that dump and
 * restore.
 */
export const DEBIAN_POSTGRES = ['postgres', 'initdb', 'pg_ctl', 'pg_dump', 'pg_restore'].map(
  (name) => `${BIN}/${name}`,
);

/** A server of the oldest supported release, with its programs. */
export class DebianPostgres {
  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly user: object,
  ) {}

  static async start(): Promise<DebianPostgres> {
    const folder = temporaryFolder('debian-postgres');
    await chmod(folder, 0o755);
    const user = await serverUser();
    if (user) await chown(folder, user.uid, user.gid);
    const postgres = new DebianPostgres(folder, await freePort(), { ...user, cwd: folder });
    await postgres.run(
      'initdb',
      '-D',
      join(folder, 'data'),
      '-U',
      'gatehouse',
      '--no-sync',
      '--locale=C',
      '-E',
      'UTF8',
    );
    const options = `-p ${postgres.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off`;
    await postgres.run(
      'pg_ctl',
      'start',
      '-w',
      '-D',
      join(folder, 'data'),
      '-l',
      join(folder, 'log'),
      '-o',
      options,
    );
    return postgres;
  }

  url(database: string): string {
    return `postgres://gatehouse@127.0.0.1:${this.port}/${database}`;
  }

  /** Creates an empty database. */
  async create(database: string): Promise<void> {
    await this.run('createdb', `--maintenance-db=${this.url('postgres')}`, database);
  }

  /** Runs one of its programs in its folder, where their files go. */
  async run(program: string, ...args: string[]): Promise<void> {
    await run(join(BIN, program), args, this.user);
  }

  async stop(): Promise<void> {
    await this.run('pg_ctl', 'stop', '-m', 'immediate', '-D', join(this.folder, 'data'));
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** User to run as, since PostgreSQL refuses root; null for the current user, who is not root. */
async function serverUser(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n');
  const [, , uid, gid] = lines.find((line) => line.startsWith('postgres:'))?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}
