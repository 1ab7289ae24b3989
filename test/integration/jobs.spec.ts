import { randomBytes } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { Injectable, Logger, Module } from '@nestjs/common';
import type { Runner } from 'graphile-worker';
import type { Pool } from 'pg';
import { JobHandler } from '../../src/platform/jobs/job-handler.decorator.js';
import { Database } from '../../src/platform/database/index.js';
import { JobPresence } from '../../src/platform/jobs/job-presence.js';
import { JobQueue } from '../../src/platform/jobs/job-queue.js';
import { JobWorker } from '../../src/platform/jobs/job-worker.js';
import { MailServer } from '../support/mail-server.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { createDatabase, eventually, TestApp } from '../support/test-app.js';

const person = { password: 'quiet-harbour-42', firstName: 'Ada' };

/** Has a worker hold a job that no replica knows, for some time already. */
async function hold(app: TestApp, worker: string, since: string): Promise<void> {
  await app.sql("SELECT 1 FROM graphile_worker.add_job('no_such_task')");
  await app.sql(
    `UPDATE graphile_worker._private_jobs SET locked_by = $1, locked_at = now() - $2::interval
     WHERE locked_by IS NULL AND task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'no_such_task')`,
    [worker, since],
  );
}

describe('A job worker that has stopped', () => {
  it('ignores the error of a connection that the database ends first', async () => {
    const app = await TestApp.start();
    const { pool } = app.app.get(JobWorker) as unknown as { pool: EventEmitter };
    await app.stop();
    // Without a listener, the error would be thrown, which ends the process.
    expect(pool.emit('error', new Error('terminating connection'))).toBe(true);
  });
});

describe('A job whose database fails before it is completed', () => {
  let app: TestApp;
  let server: MailServer;
  let proxy: TcpProxy;
  let finishDelivery: () => void;
  let deliveries = 0;
  beforeAll(async () => {
    const delivery = new Promise<void>((resolve) => (finishDelivery = resolve));
    server = await MailServer.start({
      onMailFrom: (_from, _session, done) => {
        deliveries += 1;
        void delivery.then(() => done());
      },
    });
    proxy = await TcpProxy.to(await createDatabase());
    const ROOT_SECRET = randomBytes(32).toString('base64');
    app = await TestApp.start({ SMTP_URL: server.url, DATABASE_URL: proxy.url, ROOT_SECRET });
  });
  afterAll(async () => {
    await app.stop();
    await proxy.close();
    await server.close();
  });

  const heldByOther = () => app.sql("SELECT 1 FROM graphile_worker.jobs WHERE locked_by = 'another process'");
  const register = (email: string) => app.post('register', { ...person, email });

  it('does not stop other jobs', async () => {
    await register('ada@example.com');
    await eventually('the mail is delivered', () => deliveries === 1);
    await proxy.cut();
    const { pool } = app.app.get(JobWorker) as unknown as { pool: Pool };
    const tries = jest.spyOn(pool, 'connect');
    finishDelivery();
    await eventually('it is delivered', () => server.to('ada@example.com').length === 1);
    await eventually('its completion is tried again', () => tries.mock.calls.length > 1);
    tries.mockRestore();
    await proxy.mend();
    await eventually('requests are answered', async () => (await register('eve@example.com')).status === 202);
    await eventually('the next mail arrives', () => server.to('eve@example.com').length === 1, 20_000);
  });

  it('stays locked while its worker may be alive', async () => {
    await hold(app, 'another process', '4 minutes');
    await app.sql("INSERT INTO job_runners VALUES ('another process', now())");
    await app.app.get(JobPresence).reclaim();
    expect(await heldByOther()).toHaveLength(1);
  });

  it('is unlocked after its worker has sent no heartbeat', async () => {
    await app.sql(
      "UPDATE job_runners SET seen_at = now() - interval '21 seconds' WHERE id = 'another process'",
    );
    await app.app.get(JobPresence).reclaim();
    await eventually('it is unlocked', async () => (await heldByOther()).length === 0);
  });

  it('is unlocked by the next runner of its process, which knows that nothing runs it', async () => {
    const { runner } = app.app.get(JobWorker) as unknown as { runner: Runner };
    const [{ id = '' } = {}] = await app.sql<{ id: string }>(
      'SELECT id FROM job_runners ORDER BY seen_at DESC LIMIT 1',
    );
    await hold(app, id, '1 second');
    await runner.stop();
    // As if it were alive: what unlocks the job is not the lack of heartbeats.
    await app.sql("UPDATE job_runners SET seen_at = now() + interval '1 hour' WHERE id = $1", [id]);
    const held = () => app.sql('SELECT 1 FROM graphile_worker.jobs WHERE locked_by = $1', [id]);
    await eventually('it is unlocked', async () => (await held()).length === 0);
  });

  it('stays locked while the runner that ended still runs one', async () => {
    const held = () => app.sql("SELECT 1 FROM graphile_worker.jobs WHERE locked_by = 'ended'");
    await hold(app, 'ended', '1 second');
    for (const isIdle of [false, true]) {
      const presence = new JobPresence(app.app.get(Database));
      const heartbeats = jest.spyOn(presence, 'reclaim');
      presence.begin('ended', () => isIdle);
      presence.begin('next', () => true);
      await eventually('both have sent a heartbeat', () => heartbeats.mock.calls.length === 2);
      presence.end();
      expect((await held()).length > 0).toBe(!isIdle);
    }
  });

  it('is deleted a week after it failed permanently', async () => {
    await app.sql(
      "SELECT graphile_worker.add_job('iam.' || n, job_key := n) FROM unnest('{old,recent}'::text[]) n",
    );
    await app.sql('UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE key IS NOT NULL');
    await app.sql(
      "UPDATE graphile_worker._private_jobs SET updated_at = now() - interval '8 days' WHERE key = 'old'",
    );
    await app.app.get(JobQueue).forgetFailed();
    const left = await app.sql('SELECT key FROM graphile_worker.jobs WHERE key IS NOT NULL');
    expect(left).toEqual([{ key: 'recent' }]);
  });
});

describe('A job that was taken by an answer which was lost', () => {
  let app: TestApp;
  let proxy: TcpProxy;
  beforeAll(async () => {
    proxy = await TcpProxy.to(await createDatabase());
    app = await TestApp.start({ DATABASE_URL: proxy.url, ROOT_SECRET: randomBytes(32).toString('base64') });
  });
  afterAll(async () => {
    await app.stop();
    await proxy.close();
  });

  it('is unlocked by its own worker once that is idle', async () => {
    const key = 'key-of-the-lost-job';
    const held = () =>
      app.sql('SELECT 1 FROM graphile_worker.jobs WHERE key = $1 AND locked_at IS NOT NULL', [key]);
    await eventually(
      'the job worker runs',
      async () => (await app.sql('SELECT 1 FROM job_runners')).length === 1,
    );
    proxy.loseAnswerWith(key);
    await app.sql("SELECT 1 FROM graphile_worker.add_job('forget_failed_jobs', job_key := $1)", [key]);
    await eventually('the job is taken', async () => (await held()).length === 1);
    await app.sql("UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '11 seconds'");
    await eventually(
      'the job is done',
      async () => (await app.sql('SELECT 1 FROM graphile_worker.jobs WHERE key = $1', [key])).length === 0,
      12_000,
    );
  });

  it('stays locked while its worker runs another', async () => {
    const id = 'a-worker-of-this-test';
    const seen = async () => (await app.sql('SELECT 1 FROM job_runners WHERE id = $1', [id])).length === 1;
    const held = () => app.sql('SELECT 1 FROM graphile_worker.jobs WHERE locked_by = $1', [id]);
    await hold(app, id, '11 seconds');
    for (const isIdle of [false, true]) {
      await app.sql('DELETE FROM job_runners WHERE id = $1', [id]);
      const database = app.app.get(Database);
      const rows = jest.spyOn(database, 'rows');
      const presence = new JobPresence(database);
      presence.noteLostAnswer();
      const asked = new Promise<void>((resolve) => {
        presence.begin(id, () => (resolve(), isIdle));
      });
      await eventually('it has sent a heartbeat', seen);
      await asked;
      presence.end();
      // Sent, if at all, as soon as the worker has said whether it is idle.
      const unlocks = rows.mock.calls.filter(([sql]) => String(sql).includes('ARRAY[$1]'));
      rows.mockRestore();
      expect(unlocks).toHaveLength(isIdle ? 1 : 0);
      if (isIdle) await eventually('it is unlocked', async () => (await held()).length === 0);
      else expect(await held()).toHaveLength(1);
    }
  });
});

describe('A job worker whose look-up of its tasks has failed', () => {
  it('is restarted, since the library keeps the failure', async () => {
    const proxy = await TcpProxy.to(await createDatabase());
    proxy.loseAnswerWith('forget_failed_jobs');
    const ROOT_SECRET = randomBytes(32).toString('base64');
    const app = await TestApp.start({ DATABASE_URL: proxy.url, ROOT_SECRET });
    try {
      await eventually('the answer is lost', () => proxy.hasLostAnswer);
      await app.sql("SELECT 1 FROM graphile_worker.add_job('forget_failed_jobs', job_key := 'later')");
      await eventually(
        'the job is done',
        async () => (await app.sql("SELECT 1 FROM graphile_worker.jobs WHERE key = 'later'")).length === 0,
        20_000,
      );
    } finally {
      await app.stop();
      await proxy.close();
    }
  });
});

@Injectable()
class Unreadable {
  @JobHandler({ task: 'unreadable', schedule: 'daily' })
  async run(): Promise<void> {}
}

@Module({ providers: [Unreadable] })
class UnreadableModule {}

describe('A job with an invalid schedule', () => {
  it('is logged as the reason that no job runs, and requests are served', async () => {
    const warnings = jest.spyOn(Logger.prototype, 'warn');
    const app = await TestApp.with(UnreadableModule);
    try {
      const told = () => warnings.mock.calls.find(([, message]) => /is not running/.test(String(message)));
      await eventually('the log says so', () => told() !== undefined);
      expect(JSON.stringify(told()?.[0])).toContain('daily');
      expect((await app.post('register', { ...person, email: 'ada@example.com' })).status).toBe(202);
    } finally {
      await app.stop();
      warnings.mockRestore();
    }
  });
});
