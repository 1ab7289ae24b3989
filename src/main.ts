import { openEnvironment } from './environment.js';
import { giveBackMemory } from './give-back-memory.js';
import { InvalidSettings } from './platform/config/index.js';

type Bootstrap = typeof import('./bootstrap.js');

/** Whoever waited for the service has had the first answers by then. */
const SETTLED_MS = 2_000;
/** Longer than whatever is under way is waited for; after it, and the time to drain, the process ends regardless. */
const SHUTDOWN_LIMIT_MS = 20_000;

// Where nothing can be said any more, on a full volume for instance, the service goes on without saying it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Resolves when the process is told to end. Listened for from the first moment: what has been started by then is to be closed. */
const told = new Promise<void>((resolve) => {
  process.on('SIGTERM', () => resolve());
  process.on('SIGINT', () => resolve());
});

let loading: Promise<Bootstrap> | undefined;
/** The service is a thousand files and more: they are read while the database starts, and after what can go wrong has been said. */
function load(): Promise<Bootstrap> {
  loading ??= import('./bootstrap.js');
  loading.catch(() => undefined); // whoever needs it hears of it
  return loading;
}

async function main(): Promise<void> {
  const environment = await openEnvironment(say, () => void load());
  const { PORT, HOST, PUBLIC_URL, DRAIN_SECONDS } = environment.settings;
  const limitMs = DRAIN_SECONDS * 1_000 + SHUTDOWN_LIMIT_MS;
  void told.then(() => setTimeout(() => process.exit(1), limitMs).unref());
  try {
    const { createApp, Draining } = await load();
    const app = await createApp(environment);
    try {
      await app.listen(PORT, HOST);
      say(`Gatehouse is ready at ${PUBLIC_URL} (documentation: ${PUBLIC_URL}/api/docs)`);
      setTimeout(giveBackMemory, SETTLED_MS).unref();
      await told;
      await app.get(Draining, { strict: false }).run();
    } finally {
      await app.close();
    }
  } finally {
    await environment.close();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    if (error instanceof InvalidSettings) say(error.message);
    else say(`Gatehouse could not start: ${reasonOf(error)}`);
    process.exit(1);
  },
);

function reasonOf(error: unknown): string {
  // By its name: its class stands among what is loaded later.
  if (error instanceof Error && error.name === 'DatabaseUnreachable') return `${error.message}.`;
  const { code, address, port } = error as { code?: string; address?: string; port?: number };
  if (code === 'EADDRINUSE') return `port ${port} of ${address} is taken. Choose another with PORT.`;
  return error instanceof Error ? (error.stack ?? error.message) : 'unknown error';
}
