import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { Place } from './place.js';

const run = promisify(execFile);
const MAX_START_MS = 60_000;
const POLL_MS = 30;
const MAX_LAUNCHES = 3;
/** Maximum time until the server no longer lists this process's closed connections. */
const MAX_DRAIN_MS = 3_000;
/** Characters: the path of a socket has at most 103 on every system. */
const MAX_SOCKET_FOLDER = 80;
/** Application name of the connection that each process keeps open while it uses the server. */
const HOLDER = 'gatehouse-embedded';

/**
 * Waits for the server of a cluster, and launches it if it does not run.
 * @returns a connection that marks the server as in use, and the server's port
 * @throws {Error} if the server does not start within a minute or refuses the stored password
 */
export async function startServer(
  place: Place,
  durable: boolean,
  urlOf: (port: number) => string,
  whileStarting: () => void,
): Promise<{ holder: Client; port: number }> {
  let server: ChildProcess | null = null;
  let launches = 0;
  for (const limit = Date.now() + MAX_START_MS; ; await sleep(POLL_MS)) {
    const port = (await runningServer(place.cluster))?.port;
    try {
      if (port) return { holder: await connect(urlOf(port)), port };
    } catch (error) {
      const { code } = error as { code?: string };
      if (code?.startsWith('28'))
        throw new Error(`The embedded PostgreSQL refuses the password stored beside ${place.cluster}.`, {
          cause: error,
        });
      if (Date.now() > limit)
        throw new Error('The embedded PostgreSQL did not answer within a minute.', { cause: error });
      continue;
    }
    // A server may exit at once: another program may take the port between probe and start.
    if (server === null || server.exitCode !== null || server.signalCode !== null) {
      if (launches++ === MAX_LAUNCHES)
        throw new Error(`The embedded PostgreSQL does not start; see ${logOf(place.cluster)}.`);
      server = await launch(place, durable);
      whileStarting();
    }
    if (Date.now() > limit)
      throw new Error(`The embedded PostgreSQL did not start within a minute; see ${logOf(place.cluster)}.`);
  }
}

/** Finds the running server of a cluster by its pid file; null if none runs, as after a crash. */
async function runningServer(cluster: string): Promise<{ pid: number; port: number } | null> {
  const [pid, , , port] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => ''))
    .split('\n')
    .map(Number);
  return pid && port && (await commandOf(pid)).includes(cluster) ? { pid, port } : null;
}

/**
 * Returns the command line of a process, empty if it has exited. The pid alone is no proof: after a
 * restart another process may have it.
 */
async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  );
}

/** Path of the log: next to the cluster, which belongs to the server's user. */
const logOf = (cluster: string): string => join(dirname(cluster), 'postgres.log');

async function launch({ binaries, cluster, user }: Place, durable: boolean): Promise<ChildProcess> {
  const [pid] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => ''))
    .split('\n')
    .map(Number);
  // A stale pid file whose pid another process now has would prevent the start. PostgreSQL itself
  // handles one whose process has exited.
  if (pid && (await commandOf(pid)) !== '') await rm(join(cluster, 'postmaster.pid'), { force: true });
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(await freePort()),
    unix_socket_directories: durable || cluster.length > MAX_SOCKET_FOLDER ? '' : cluster,
    max_connections: '200',
    // Messages, statements and details hold personal data: log only what ends a connection or the
    // server.
    log_min_messages: 'fatal',
    log_min_error_statement: 'panic',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    log_error_verbosity: 'terse',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = await open(logOf(cluster), 'w', 0o600);
  // Detached: Ctrl-C for the service must not stop the database while requests are in progress.
  const server = spawn(join(binaries, 'bin', 'postgres'), ['-D', cluster, ...options], {
    ...user,
    cwd: cluster,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  server.on('error', () => undefined); // handled by the exit code
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
  client.on('error', () => undefined); // the server may stop first
  await client.connect();
  return client;
}

/** Stops the server of a cluster, unless another process uses it. */
export async function stop(cluster: string, holder: Client): Promise<void> {
  const used = await isUsedByOthers(holder).catch(() => false);
  await holder.end().catch(() => undefined);
  const server = await runningServer(cluster);
  if (used || !server) return;
  process.kill(server.pid, 'SIGINT'); // fast shutdown
  for (const limit = Date.now() + MAX_START_MS; Date.now() < limit; await sleep(POLL_MS))
    if ((await commandOf(server.pid)) === '') return;
}

/** Checks whether another process uses the server, or connections remain, such as of psql. */
async function isUsedByOthers(holder: Client): Promise<boolean> {
  for (const limit = Date.now() + MAX_DRAIN_MS; ; await sleep(POLL_MS)) {
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
