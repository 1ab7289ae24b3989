import { createApp } from '../bootstrap.js';
import { openEnvironment } from '../environment.js';
import { parseCommand, usage } from './commands.js';
import { reasonOf } from './reason.js';

async function run({ command, options }: NonNullable<ReturnType<typeof parseCommand>>): Promise<object> {
  const environment = await openEnvironment(() => undefined);
  try {
    if (!command.run) return { migrated: true };
    const app = await createApp({
      ...environment,
      settings: { ...environment.settings, LOG_LEVEL: 'silent' },
    });
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

const parsed = parseCommand(process.argv.slice(2));
if (!parsed) {
  process.stderr.write(usage());
  process.exit(2);
}
run(parsed).then(
  (result) => {
    process.stdout.write(`${JSON.stringify(result)}\n`);
    process.exit(0);
  },
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exit(1);
  },
);
