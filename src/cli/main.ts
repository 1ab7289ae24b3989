import { createApp } from '../bootstrap.js';
import { openEnvironment } from '../environment.js';
import { SigningKeyService } from '../session/index.js';

const USAGE = `Usage: npm run cli -- <command>
  migrate       bring the database to the current schema
  keys:rotate   add a signing key: published now, signing in ten minutes
`;

async function run(command: string | undefined): Promise<object | null> {
  const environment = await openEnvironment(() => undefined);
  try {
    if (command === 'migrate') return { migrated: true };
    const app = await createApp({
      ...environment,
      settings: { ...environment.settings, LOG_LEVEL: 'silent' },
    });
    await app.init();
    const kid = await app.get(SigningKeyService).rotate();
    await app.close();
    return { kid };
  } finally {
    await environment.close();
  }
}

const command = process.argv[2];
if (command !== 'migrate' && command !== 'keys:rotate') {
  process.stderr.write(USAGE);
  process.exit(2);
}
run(command).then(
  (result) => {
    process.stdout.write(`${JSON.stringify(result)}\n`);
    process.exit(0);
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : 'failed'}\n`);
    process.exit(1);
  },
);
