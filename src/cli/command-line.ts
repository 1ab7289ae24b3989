import { openEnvironment } from '../environment.js';
import type { GatehouseOptions } from '../options.js';
import { limitHeapGrowth } from '../release-memory.js';
import type { Command } from './command.js';
import type { Options } from './options.js';
import { written } from './output.js';
import { type Parsed, parseCommand, UsageError } from './program.js';
import { Progress } from './progress.js';
import { reasonOf } from './reason.js';

const progress = new Progress(process.stderr);
const show = (line: string): void => progress.show(line);

async function run(command: Command, options: Options, added: GatehouseOptions): Promise<object> {
  if ('runAlone' in command) return command.runAlone(added, options, show);
  const environment = await openEnvironment(added, { onProgress: show, existing: true });
  try {
    show('Loading the service ...');
    const [{ createApp }, { Services }] = await Promise.all([
      import('../bootstrap.js'),
      import('./services.js'),
    ]);
    const settings = { ...environment.settings, LOG_LEVEL: 'silent' as const };
    const app = await createApp({ ...environment, settings }, added.modules);
    try {
      await app.init();
      if (command.hasManyRows) limitHeapGrowth();
      return await command.run(new Services(app), options, show);
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
  const parsed = parsedOrExit(words);
  if ('text' in parsed) {
    process.stdout.write(parsed.text);
    return;
  }
  const { command, options } = parsed;
  const readable = process.stdout.isTTY && options['json'] !== true;
  run(command, options, added)
    .finally(() => progress.clear())
    .then(
      (result) =>
        process.stdout.write(written(result, command, readable), () =>
          process.exit(command.fails?.(result) ? 1 : 0),
        ),
      (error: unknown) => {
        process.stderr.write(`${reasonOf(error, command, options)}\n`);
        process.exit(1);
      },
    );
}

function parsedOrExit(words: readonly string[]): Parsed {
  try {
    return parseCommand(words, process.argv[1]);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}
