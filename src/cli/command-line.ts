import { createApp } from '../bootstrap.js';
import { openEnvironment } from '../environment.js';
import type { GatehouseOptions } from '../options.js';
import { parseCommand, usage } from './commands.js';
import { reasonOf } from './reason.js';

type Parsed = NonNullable<ReturnType<typeof parseCommand>>;

async function run({ command, options }: Parsed, added: GatehouseOptions): Promise<object> {
  const environment = await openEnvironment(added, () => undefined);
  try {
    if (!command.run) return { migrated: true };
    const settings = { ...environment.settings, LOG_LEVEL: 'silent' as const };
    const app = await createApp({ ...environment, settings }, added.modules);
    try {
      await app.init();
      return await command.run(app, options);
    } finally {
      await app.close();
    }
  } finally {
    await environment.close();
  }
}

/**
 * Runs a command of the operators, and ends the process.
 * @param words the arguments of the command line
 * @param added what another team adds
 */
export function runCommandLine(words: readonly string[], added: GatehouseOptions = {}): void {
  const parsed = parseCommand(words);
  if (!parsed) {
    process.stderr.write(usage());
    process.exit(2);
  }
  run(parsed, added).then(
    (result) => {
      process.stdout.write(`${JSON.stringify(result)}\n`);
      process.exit(0);
    },
    (error: unknown) => {
      process.stderr.write(`${reasonOf(error)}\n`);
      process.exit(1);
    },
  );
}
