import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { query } from '../../src/testing/query.js';
import { freePort } from './built-service.js';
import type { Namespace } from './namespace.js';
import { temporaryFolder } from './temporary-folder.js';

const run = promisify(execFile);
const QUIET = "-c unix_socket_directories='' -c fsync=off";
const BIN = '/usr/lib/postgresql/15/bin';

/**
 * Programs that {@link DebianPostgres} needs; the embedded PostgreSQL has none that dump and
 * restore.
 */
export const DEBIAN_POSTGRES = ['postgres', 'initdb', 'pg_ctl', 'pg_basebackup', 'pg_dump', 'pg_restore'].map(
  (name) => `${BIN}/${name}`,
);

/** A server of the oldest supported release, with its programs. */
export class DebianPostgres {
  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly user: { readonly cwd: string; readonly uid?: number; readonly gid?: number },
    private readonly namespace?: Namespace,
  ) {}

  /** @param settings of the server, such as `wal_level=replica` */
  static async start(...settings: string[]): Promise<DebianPostgres> {
    return DebianPostgres.startIn(undefined, ...settings);
  }

  /** @param namespace with a network that the test can cut */
  static async startIn(namespace?: Namespace, ...settings: string[]): Promise<DebianPostgres> {
    const postgres = await DebianPostgres.prepare(undefined, namespace);
    const options = ['-U', 'gatehouse', '--no-sync', '--locale=C', '-E', 'UTF8'];
    await postgres.run('initdb', '-D', postgres.data, ...options);
    const trusted = 'host all all 10.0.0.0/8 trust\nhost replication all 10.0.0.0/8 trust\n';
    if (namespace) await appendFile(join(postgres.data, 'pg_hba.conf'), trusted);
    await postgres.launch(...settings);
    return postgres;
  }

  /**
   * Starts a standby of this server.
   * @param name by which commits can wait for it
   * @param port of a server that has ended, whose place it takes
   * @param settings of the server
   */
  async startStandby(name: string, port?: number, ...settings: string[]): Promise<DebianPostgres> {
    const standby = await DebianPostgres.prepare(port);
    const source = `${this.url('postgres')}?application_name=${name}`;
    await standby.run('pg_basebackup', '-d', source, '-D', standby.data, '-R', '--checkpoint=fast');
    await standby.launch(...settings);
    return standby;
  }

  /** Makes a standby a primary; the one before it is not told. */
  async promote(): Promise<void> {
    await this.run('pg_ctl', 'promote', '-w', '-D', this.data);
  }

  /** Whether it takes writes. */
  async isPrimary(): Promise<boolean> {
    return (await query(this.url('postgres'), 'SELECT 1 WHERE NOT pg_is_in_recovery()')).length === 1;
  }

  /** Starts the server after {@link halt}. */
  async launch(...settings: string[]): Promise<void> {
    const options = [
      QUIET,
      `-c listen_addresses=${this.host}`,
      `-p ${this.port}`,
      ...settings.map((setting) => `-c ${setting}`),
    ].join(' ');
    const log = join(this.folder, 'log');
    await this.run('pg_ctl', 'start', '-w', '-D', this.data, '-l', log, '-o', options);
  }

  /** Ends the server in order: its standbys have received everything then. */
  async shutDown(): Promise<void> {
    await this.run('pg_ctl', 'stop', '-m', 'fast', '-D', this.data);
  }

  /** Makes it a standby of no other, as a cluster manager does that has lost its store. */
  async demote(): Promise<void> {
    await this.shutDown();
    await writeFile(join(this.data, 'standby.signal'), '');
    await this.launch();
  }

  /**
   * Stops all its processes (SIGSTOP), as on a machine that hangs: it accepts connections and never
   * answers.
   */
  freeze(): Promise<void> {
    return this.signal('SIGSTOP');
  }

  /** Lets it go on after {@link freeze}. */
  thaw(): Promise<void> {
    return this.signal('SIGCONT');
  }

  private async signal(signal: NodeJS.Signals): Promise<void> {
    const [pid = ''] = (await readFile(join(this.data, 'postmaster.pid'), 'utf8')).split('\n');
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', pid]);
    // The first one starts the others. One may have ended by itself.
    await run('kill', ['-s', signal.slice(3), pid, ...stdout.trim().split(/\s+/)]).catch(() => undefined);
  }

  /** Ends the server as a crash does. */
  async halt(): Promise<void> {
    await this.run('pg_ctl', 'stop', '-m', 'immediate', '-D', this.data);
  }

  private static async prepare(port?: number, namespace?: Namespace): Promise<DebianPostgres> {
    const folder = temporaryFolder('debian-postgres');
    await chmod(folder, 0o755);
    const user = await serverUser();
    if (user) await chown(folder, user.uid, user.gid);
    return new DebianPostgres(folder, port ?? (await freePort()), { ...user, cwd: folder }, namespace);
  }

  private get data(): string {
    return join(this.folder, 'data');
  }

  get host(): string {
    return this.namespace?.address ?? '127.0.0.1';
  }

  url(database: string): string {
    return `postgres://gatehouse@${this.host}:${this.port}/${database}`;
  }

  /** Creates an empty database. */
  async create(database: string): Promise<void> {
    await this.run('createdb', `--maintenance-db=${this.url('postgres')}`, database);
  }

  /** Runs one of its programs in its folder, where their files go. */
  async run(program: string, ...args: string[]): Promise<void> {
    const words = [join(BIN, program), ...args];
    const [command = '', ...others] = this.namespace ? this.namespace.wrap(words, this.user) : words;
    await run(command, others, this.namespace ? { cwd: this.user.cwd } : this.user);
  }

  async stop(): Promise<void> {
    await this.halt();
    await this.remove();
  }

  /** Removes the files of a server that has ended. */
  async remove(): Promise<void> {
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
