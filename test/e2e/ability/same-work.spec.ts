import { AsyncLocalStorage } from 'node:async_hooks';
import { Client } from 'pg';
import { Sealer } from '../../../src/platform/crypto/sealer.js';
import { MarkedMethods } from '../../../src/platform/discovery/marked-methods.js';
import { JobHandler, type JobHandlerOptions } from '../../../src/platform/jobs/job-handler.decorator.js';
import { JobQueue } from '../../../src/platform/jobs/job-queue.js';
import { JobWorker } from '../../../src/platform/jobs/job-worker.js';
import { Outbox } from '../../../src/platform/mail/outbox.js';
import { MailServer } from '../../support/mail-server.js';
import { leaveOutNewConnections } from '../../support/plans.js';
import { eventually, TestApp, tokenIn } from '../../support/test-app.js';

type Handler = (payload: unknown, signal: AbortSignal) => Promise<void>;

interface Queued {
  readonly id: string;
  readonly task: string;
  readonly payload: unknown;
}

const person = { password: 'quiet-harbour-42', firstName: 'Ada' };

/**
 * Compares the statements of jobs. The worker does not run: the test runs each job itself, so that
 * nothing else is recorded.
 */
describe('The jobs after a request about an address', () => {
  const recording = new AsyncLocalStorage<string[]>();
  let app: TestApp;
  let handlers: Map<string, Handler>;
  let counter = 0;
  beforeAll(async () => {
    jest.spyOn(JobWorker.prototype, 'onApplicationBootstrap').mockImplementation(() => undefined);
    leaveOutNewConnections(recording);
    const real = Client.prototype.query as (...question: unknown[]) => unknown;
    jest.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...question: unknown[]) {
      const [statement] = question as [string | { text: string }];
      recording.getStore()?.push(typeof statement === 'string' ? statement : statement.text);
      return real.apply(this, question) as void;
    });
    app = await TestApp.start({ EMAIL_SIGN_IN: 'on' });
    const marked = app.app.get(MarkedMethods).find<JobHandlerOptions, Handler>(JobHandler);
    handlers = new Map(marked.map(({ mark, method }) => [mark.task, method]));
  });
  afterAll(async () => {
    await app.stop();
    jest.restoreAllMocks();
  });

  /** Runs the queued jobs and those that they queue. @returns the statements of each job */
  async function runJobs(signal = new AbortController().signal): Promise<string[][]> {
    const jobs: string[][] = [];
    for (;;) {
      const [job] = await app.sql<Queued>(
        `WITH taken AS (DELETE FROM graphile_worker._private_jobs WHERE id = (SELECT min(id) FROM graphile_worker._private_jobs) RETURNING *)
         SELECT taken.id, identifier AS task, payload FROM taken JOIN graphile_worker._private_tasks t ON t.id = task_id`,
      );
      if (!job) return jobs;
      const statements: string[] = [];
      const payload = app.app.get(JobQueue).open(job.payload);
      await recording.run(statements, async () => handlers.get(job.task)?.(payload, signal));
      jobs.push(statements.map((sql) => sql.replace(/interval '\d+ ms'; COMMIT/, "interval '? ms'; COMMIT")));
    }
  }

  const newEmail = () => `same-${(counter += 1)}@example.com`;
  async function waiting(): Promise<string> {
    const email = newEmail();
    await app.post('register', { ...person, email });
    await runJobs();
    return email;
  }
  async function known(): Promise<string> {
    const email = await waiting();
    const token = tokenIn((await app.mails(email)).at(-1) ?? '');
    expect((await app.post('verify-email', { token, password: person.password })).status).toBe(204);
    await runJobs();
    return email;
  }
  async function suspended(): Promise<string> {
    const email = await known();
    await app.command('account:suspend', '--account', email);
    await runJobs();
    return email;
  }
  /** Uses up the budgets, so that the next mail of each kind is withheld from this network. */
  async function exhausted(): Promise<string> {
    const email = await known();
    for (let n = 0; n < 11; n += 1) {
      await app.post('request-password-reset', { email });
      await app.post('register', { ...person, email });
      await app.post('email-code', { email });
    }
    await runJobs();
    return email;
  }

  async function after(path: string, email: string): Promise<{ jobs: string[][]; mails: number }> {
    const before = (await app.mailFiles()).length;
    const body = path === 'register' ? { ...person, email } : { email };
    expect((await app.post(path, body)).status).toBe(202);
    const jobs = await runJobs();
    return { jobs, mails: (await app.mailFiles()).length - before };
  }

  it.each([
    ['request-password-reset', { known: 1, unknown: 0, waiting: 0, suspended: 0, exhausted: 0 }],
    ['email-code', { known: 1, unknown: 0, waiting: 0, suspended: 0, exhausted: 0 }],
    ['register', { known: 1, unknown: 1, waiting: 1, suspended: 1, exhausted: 0 }],
    ['resend-verification', { known: 0, unknown: 0, waiting: 1, suspended: 0, exhausted: 0 }],
  ])('run the same statements for each address: %s', async (path, mails) => {
    const emails = {
      known: await known(),
      unknown: newEmail(),
      waiting: await waiting(),
      suspended: await suspended(),
      exhausted: await exhausted(),
    };
    const done: Record<string, Awaited<ReturnType<typeof after>>> = {};
    for (const [who, email] of Object.entries(emails)) done[who] = await after(path, email);
    const { jobs: expected } = done['known'] ?? { jobs: [] };
    expect(expected.map((statements) => statements.length > 1)).toEqual([true, true]);
    for (const { jobs } of Object.values(done)) expect(jobs).toEqual(expected);
    expect(Object.fromEntries(Object.entries(done).map(([who, result]) => [who, result.mails]))).toEqual(
      mails,
    );
  });

  it('keep a reset link valid when a further one is withheld', async () => {
    const email = await exhausted();
    const token = tokenIn(
      (await app.mails(email)).filter((mail) => mail.includes('reset-password')).at(-1) ?? '',
    );
    await after('request-password-reset', email);
    const reset = await app.post('reset-password', { token, newPassword: 'another-harbour-43' });
    expect(reset.status).toBe(204);
    await runJobs();
  });

  it('store nothing about an address without an account', async () => {
    const seal = jest.spyOn(Sealer.prototype, 'seal');
    const email = newEmail();
    await after('request-password-reset', email);
    const sealed = seal.mock.calls.map(([text]) => text);
    expect(sealed.filter((text) => text.includes('@') && text.includes('paragraphs'))).toHaveLength(1);
    expect(sealed.filter((text) => text.includes('paragraphs') && /same-|token/.test(text))).toEqual([]);
    seal.mockRestore();
    const keys = app.app.get(Outbox).recipientKeys(email);
    expect(await app.sql('SELECT 1 FROM outgoing_mails WHERE recipient_key = ANY($1)', [keys])).toEqual([]);
    expect(await app.sql('SELECT 1 FROM outgoing_mails WHERE sealed IS NOT NULL')).toEqual([]);
    expect(
      await app.sql('SELECT 1 FROM password_resets WHERE account_id NOT IN (SELECT id FROM accounts)'),
    ).toEqual([]);
  });
});

describe('The job of a request about an address', () => {
  it('starts at a random time within two seconds', async () => {
    const unworked = jest
      .spyOn(JobWorker.prototype, 'onApplicationBootstrap')
      .mockImplementation(() => undefined);
    const app = await TestApp.start({ NODE_ENV: '', BCRYPT_COST: '10' });
    try {
      for (let n = 0; n < 100; n += 1) await app.post('request-password-reset', { email: 'ada@example.com' });
      await app.post('resend-verification', { email: 'ada@example.com' });
      await app.post('register', { ...person, email: 'ada@example.com' });
      const jobs = await app.sql<{ task: string; seconds: number }>(
        'SELECT task_identifier AS task, extract(epoch FROM run_at - created_at)::float8 AS seconds FROM graphile_worker.jobs',
      );
      const delays = jobs.map(({ seconds }) => seconds);
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...delays)).toBeLessThanOrEqual(2);
      expect(Math.min(...delays)).toBeLessThan(0.4);
      expect(Math.max(...delays)).toBeGreaterThan(1.6);
      for (const task of ['iam.registration-mail', 'iam.resend-verification'])
        expect(jobs.filter((job) => job.task === task && job.seconds > 0)).toHaveLength(1);
    } finally {
      await app.stop();
      unworked.mockRestore();
    }
  });
});

describe('A decoy by SMTP', () => {
  it('opens a session with the mail server and sends nothing', async () => {
    let sessions = 0;
    const server = await MailServer.start({
      onConnect: (_session, done) => {
        sessions += 1;
        done();
      },
    });
    const app = await TestApp.start({ SMTP_URL: server.url });
    try {
      await app.post('request-password-reset', { email: 'unknown@example.com' });
      await eventually('it has been dropped', async () => {
        const rows = await app.sql<{ sealed: string | null }>('SELECT sealed FROM outgoing_mails');
        return rows.length === 1 && rows[0]?.sealed === null;
      });
      expect(sessions).toBe(1);
      expect(server.received).toEqual([]);
    } finally {
      await app.stop();
      await server.close();
    }
  });

  it('is retried like a mail while the mail server is unreachable', async () => {
    const server = await MailServer.start();
    await server.close();
    const app = await TestApp.start({ SMTP_URL: server.url });
    try {
      await app.post('request-password-reset', { email: 'unknown@example.com' });
      await eventually('an attempt has failed', async () => {
        const jobs = await app.sql(
          "SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'mail.drop-decoy' AND run_at > now()",
        );
        return jobs.length === 1;
      });
    } finally {
      await app.stop();
    }
  });
});
