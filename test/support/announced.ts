import { Client } from 'pg';
import { eventually, type TestApp } from './test-app.js';

const END = 'end of the work';

/** Runs work, and returns what it announces to the replicas on a channel of the database. */
export async function announcedBy(
  app: TestApp,
  channel: string,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const replica = new Client({ connectionString: app.databaseUrl });
  await replica.connect();
  const announced: string[] = [];
  replica.on('notification', ({ payload = '' }) => announced.push(payload));
  try {
    await replica.query(`LISTEN ${channel}`);
    await work();
    await replica.query('SELECT pg_notify($1, $2)', [channel, END]);
    await eventually('all was announced', () => announced.includes(END));
    return announced.filter((payload) => payload !== END);
  } finally {
    await replica.end();
  }
}
