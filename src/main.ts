import { createApp } from './bootstrap.js';
import { openEnvironment } from './environment.js';
import { InvalidSettings } from './platform/config/index.js';
import { DatabaseUnreachable } from './platform/database/index.js';

/** Longer than any request may take; after it the process ends regardless. */
const SHUTDOWN_LIMIT_MS = 25_000;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  const environment = await openEnvironment(say);
  const app = await createApp(environment).catch(async (error: unknown) => {
    await environment.close();
    throw error;
  });
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), SHUTDOWN_LIMIT_MS).unref();
    await app.close();
    await environment.close();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
  const { PORT, HOST, PUBLIC_URL } = environment.settings;
  await app.listen(PORT, HOST);
  say(`Gatehouse is ready at ${PUBLIC_URL} (documentation: ${PUBLIC_URL}/api/docs)`);
}

main().catch((error: unknown) => {
  if (error instanceof InvalidSettings) say(error.message);
  else say(`Gatehouse could not start: ${reasonOf(error)}`);
  process.exit(1);
});

function reasonOf(error: unknown): string {
  if (error instanceof DatabaseUnreachable) return `${error.message}.`;
  return error instanceof Error ? (error.stack ?? error.message) : 'unknown error';
}
