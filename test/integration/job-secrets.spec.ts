import { randomBytes } from 'node:crypto';
import { JobWorker } from '../../src/platform/jobs/job-worker.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createDatabase, eventually, TestApp } from '../support/test-app.js';

const email = 'ada@example.com';
const secret = () => randomBytes(32).toString('base64');

describe('A job of a replica whose root secret another one does not know', () => {
  it('is put back by that one, and loses no attempt', async () => {
    const [before, after] = [secret(), secret()];
    const shared = { DATABASE_URL: await createDatabase(), DATA_DIR: temporaryFolder('job-secrets') };
    const old = await TestApp.start({ ...shared, ROOT_SECRET: before });
    const rotated = { ...shared, ROOT_SECRET: after, ROOT_SECRET_PREVIOUS: before };
    const writer = await TestApp.start(rotated);
    const worker = writer.app.get(JobWorker);
    await worker.beforeApplicationShutdown(); // leaves its jobs to the other one
    jest.spyOn(worker, 'beforeApplicationShutdown').mockResolvedValue();
    await writer.post('register', { email, password: 'quiet-harbour-42', firstName: 'Ada' });
    const waiting = () =>
      old.sql<{ times: number | null; left: number; error: string | null }>(
        `SELECT (payload->>'putBack')::int AS times, max_attempts AS left, last_error AS error
         FROM graphile_worker._private_jobs WHERE payload::jsonb ? 'sealed'`,
      );
    await eventually('it is put back twice, or fails', async () =>
      (await waiting()).some(({ times, error }) => (times ?? 0) > 1 || error !== null),
    );
    for (const { error, left } of await waiting()) expect([error, left]).toEqual([null, 25]);
    const reader = await TestApp.start(rotated);
    expect(await reader.mails(email)).toHaveLength(1);
    await old.app.close();
    await writer.app.close();
    await reader.stop();
  }, 60_000);

  it('fails after about a minute if no replica reads it', async () => {
    const app = await TestApp.start();
    await app.sql("SELECT graphile_worker.add_job('mail.send', $1::json)", [
      JSON.stringify({ sealed: randomBytes(64).toString('base64'), putBack: 60 }),
    ]);
    await eventually('it has failed', async () => {
      const failed = await app.sql(
        "SELECT 1 FROM graphile_worker.jobs WHERE last_error LIKE '%UnknownSeal%'",
      );
      return failed.length === 1;
    });
    await app.stop();
  });
});
