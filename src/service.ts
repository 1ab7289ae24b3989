import { openEnvironment } from './environment.js';
import type { GatehouseOptions } from './options.js';
import { limitHeapGrowth } from './release-memory.js';
import { InvalidSettings } from './platform/config/index.js';

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
  const environment = await openEnvironment(options, {
    onProgress: print,
    whileStarting: () => {
      loadBootstrap().catch(() => undefined); // awaited below, which reports the error
    },
  });
  const { PORT, HOST, PUBLIC_URL, DRAIN_SECONDS } = environment.settings;
  const limitMs = DRAIN_SECONDS * 1_000 + MAX_SHUTDOWN_MS;
  shutdownRequested
    .then(() => setTimeout(() => process.exit(1), limitMs).unref())
    .catch((error: unknown) => print(`The time of the shutdown is not bounded: ${describeError(error)}`));
  try {
    const { createApp, Draining, logUnhandledRejection } = await loadBootstrap();
    const app = await createApp(environment, options.modules);
    process.on('unhandledRejection', logUnhandledRejection);
    try {
      await app.listen(PORT, HOST);
      print(`Gatehouse is ready at ${PUBLIC_URL} (documentation: ${PUBLIC_URL}/api/docs)`);
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

function describeError(error: unknown): string {
  // Compared by name, because the classes are imported later.
  if (error instanceof Error && ['DatabaseUnreachable', 'UnsupportedDatabase'].includes(error.name))
    return `${error.message}.`;
  const { code, address, port } = error as { code?: string; address?: string; port?: number };
  if (code === 'EADDRINUSE') return `port ${port} of ${address} is taken. Choose another with PORT.`;
  return error instanceof Error ? (error.stack ?? error.message) : 'unknown error';
}
