// Runs Better Auth on its own database, with e-mail and password accounts and bearer tokens. Its
// rate limits, which count in memory, are off.
import { createServer } from 'node:http';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { bearer } from 'better-auth/plugins';
import pg from 'pg';

const { PORT, DATABASE_URL } = process.env;
const auth = betterAuth({
  baseURL: `http://127.0.0.1:${PORT}`,
  secret: 'a secret of thirty-two characters or more',
  database: new pg.Pool({ connectionString: DATABASE_URL, max: 10 }),
  emailAndPassword: { enabled: true },
  plugins: [bearer()],
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
});
const { runMigrations } = await getMigrations(auth.options);
await runMigrations();
createServer(toNodeHandler(auth)).listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
