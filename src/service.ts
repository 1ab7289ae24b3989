import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:net';
import { openEnvironment } from './environment.js';
import type { GatehouseOptions } from './options.js';
import { limitHeapGrowth } from './release-memory.js';
import { InvalidSettings, readSettings, type Settings } from './platform/config/index.js';
import { Channel, PLACE, type Place, type Port, Processes } from './platform/processes/index.js';

type Bootstrap = typeof import('./bootstrap.js');

/** By then, clients that waited for the start have their first responses. */
const MEMORY_RELEASE_DELAY_MS = 2_000;
/**
 * Exceeds the time limit of work in flight. After it and the time to drain, the process exits
 * regardless.
 */
const MAX_SHUTDOWN_MS = 20_000;

const print = (line: string): boolean => process.stderr.write(`${line}\n`);

let loading: Promise<Bootstrap> | undefined;
/**
 * Imports the service, more than a thousand files, while the database starts and after invalid
 * settings have been reported.
 */
function loadBootstrap(): Promise<Bootstrap> {
  loading ??= import('./bootstrap.js');
  return loading;
}

/**
 * Runs the service until SIGTERM or SIGINT, and ends the process.
 * @param options what another team adds
 */
export function runService(options: GatehouseOptions = {}): void {
  // If output cannot be written, for instance to a full volume, the service continues without it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  // Registered first, so that everything started by then is closed.
  const shutdownRequested = new Promise<void>((resolve) => {
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => resolve());
  });
  serve(options, shutdownRequested).then(
    () => process.exit(0),
    (error: unknown) => {
      if (error instanceof InvalidSettings) print(error.message);
      else print(`Gatehouse could not start: ${describeError(error)}`);
      process.exit(1);
    },
  );
}

async function serve(options: GatehouseOptions, shutdownRequested: Promise<void>): Promise<void> {
  const settings = readSettings(process.env);
  const place = JSON.parse(process.env[PLACE] ?? 'null') as Place | null;
  if (place === null) await requireFreePort(settings);
  if (place !== null || settings.WORKERS === 1) return serveAt(place, settings, options, shutdownRequested);
  const { superviseWorkers } = await import('./supervisor.js');
  return superviseWorkers(settings, shutdownRequested, {
    onProgress: print,
    onReady: () => printReady(settings),
  });
}

/** @param place of this process in its replica; null if it is the only one */
async function serveAt(
  place: Place | null,
  settings: Settings,
  options: GatehouseOptions,
  shutdownRequested: Promise<void>,
): Promise<void> {
  const environment = await openEnvironment(options, {
    settings,
    embedded: place?.embedded ?? null,
    onProgress: place === null ? print : () => undefined,
    whileStarting: () => {
      loadBootstrap().catch(() => undefined); // awaited below, which reports the error
    },
  });
  const limitMs = settings.DRAIN_SECONDS * 1_000 + MAX_SHUTDOWN_MS;
  shutdownRequested
    .then(() => setTimeout(() => process.exit(1), limitMs).unref())
    .catch((error: unknown) => print(`The time of the shutdown is not bounded: ${describeError(error)}`));
  try {
    const { createApp, Draining, logUnhandledRejection } = await loadBootstrap();
    const processes = place ? joinReplica(place) : new Processes();
    const app = await createApp({ ...environment, processes }, options.modules);
    process.on('unhandledRejection', logUnhandledRejection);
    try {
      await app.init();
      await listen(app.getHttpServer() as Server, place, settings);
      if (processes.parent) await processes.parent.ask('serves');
      else printReady(settings);
      setTimeout(limitHeapGrowth, MEMORY_RELEASE_DELAY_MS).unref();
      await shutdownRequested;
      await app.get(Draining, { strict: false }).run();
    } finally {
      await app.close();
    }
  } finally {
    await environment.close();
  }
}

/** Finds a taken port before a database is made or migrated. @throws {Error} EADDRINUSE */
async function requireFreePort({ PORT, HOST }: Settings): Promise<void> {
  const probe = createServer().listen(PORT, HOST);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}

/** Connects this worker to the other processes of its replica. It ends with their parent. */
function joinReplica({ number }: Place): Processes {
  process.once('disconnect', () => process.exit(1));
  const parent = new Channel(process as Port);
  parent.answer('alive', () => true);
  return new Processes(number, parent);
}

/** Opens the port. Workers share it: the kernel gives each its connections. */
async function listen(server: Server, place: Place | null, { PORT, HOST }: Settings): Promise<void> {
  server.listen({ port: place?.port ?? PORT, host: HOST, reusePort: place !== null });
  await once(server, 'listening');
}

function printReady({ PUBLIC_URL }: Settings): void {
  print(`Gatehouse is ready at ${PUBLIC_URL} (documentation: ${PUBLIC_URL}/api/docs)`);
}

function describeError(error: unknown): string {
  // Compared by name, because the classes are imported later.
  if (error instanceof Error && ['DatabaseUnreachable', 'UnsupportedDatabase'].includes(error.name))
    return `${error.message}.`;
  const { code, address, port } = error as { code?: string; address?: string; port?: number };
  if (code === 'ENOTSUP') return 'WORKERS needs a system on which processes can share a port, such as Linux.';
  if (code === 'EADDRINUSE') return `port ${port} of ${address} is taken. Choose another with PORT.`;
  return error instanceof Error ? (error.stack ?? error.message) : 'unknown error';
}
