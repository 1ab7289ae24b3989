import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// Imported first: later it would block this process while another replica may wait for its first
// connection.
import 'graphile-worker';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Pool } from 'pg';
import { ulid } from 'ulid';
import type { TeamModule } from '../../src/app.module.js';
import { createApp } from '../../src/bootstrap.js';
import { parseCommand } from '../../src/cli/commands.js';
import { loadRootSecret } from '../../src/platform/config/root-secret.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { Contract, publishedContract } from './contract.js';
import { LONG } from './long.js';

interface CallOptions {
  readonly token?: string;
  readonly headers?: Record<string, string>;
  /** Body sent unchanged, for texts that no serializer makes. */
  readonly raw?: string | Buffer<ArrayBuffer>;
}

/** Less than Jest's timeout of a test, so that the error names what was waited for. */
const PATIENCE_MS = LONG ? 60_000 : 25_000;

/** An answer with its JSON already read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Tests look at bodies of every shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: Record<string, never> & { [key: string]: unknown };
}

/** Settings that tests change. */
export const QUIET = {
  LOG_LEVEL: 'silent',
  NODE_ENV: 'test',
  BCRYPT_COST: '4',
  PUBLIC_URL: 'http://gatehouse.test',
  DRAIN_SECONDS: '0',
  METRICS_TOKEN: 'metrics-of-the-tests',
};
export const NO_LIMITS = {
  RATE_READ: 'off',
  RATE_WRITE: 'off',
  RATE_LOGIN: 'off',
  RATE_REFRESH: 'off',
  RATE_RESET: 'off',
  RATE_HASH: 'off',
};

/** Calls a running service as a user does, and reads its database and mail folder. */
export class ServiceClient {
  /** Texts of mails by file name. */
  private readonly mailTexts = new Map<string, string>();

  constructor(
    readonly url: string,
    readonly databaseUrl: string,
    protected readonly dataDir: string,
    private readonly contract: Contract = publishedContract(),
  ) {}

  /** @throws where the answer is not as the OpenAPI document specifies */
  async call(
    method: string,
    path: string,
    body?: unknown,
    { token, headers, raw }: CallOptions = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(body !== undefined || raw !== undefined ? { 'content-type': 'application/json' } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
    });
    const text = await response.text();
    const json = (response.headers.get('content-type') ?? '').includes('json') && text !== '';
    const answer = { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : {} };
    this.contract.check(method, path, answer);
    return answer;
  }

  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    return this.call('POST', `/api/v1/iam/auth/${path}`, body, options);
  }

  get(path: string, token?: string): Promise<Answer> {
    return this.call('GET', path, undefined, token === undefined ? {} : { token });
  }

  /** Number of statements that wait for a lock held by another transaction. */
  async waitingForLocks(): Promise<number> {
    const waiting = await this.sql(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return waiting.length;
  }

  sql<T = Record<string, unknown>>(text: string, parameters: unknown[] = []): Promise<T[]> {
    return query(this.databaseUrl, text, parameters) as Promise<T[]>;
  }

  /** Returns the mails to an address, oldest first, after waiting for at least `count`. */
  async mails(to: string, count = 1): Promise<string[]> {
    const recipient = `to: ${to.toLowerCase()}`;
    for (const limit = Date.now() + PATIENCE_MS; ;) {
      const mails = (await this.readMails()).filter((mail) => mail.toLowerCase().includes(recipient));
      if (mails.length >= count) return mails;
      if (Date.now() > limit) throw new Error(`${mails.length} of ${count} mails to ${to} arrived.`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Returns all mails in the folder, oldest first. Reads each file once: mails do not change. */
  private async readMails(): Promise<string[]> {
    const folder = join(this.dataDir, 'mail');
    const names = (await this.mailFiles()).toSorted();
    return Promise.all(
      names.map(async (name) => {
        const text = this.mailTexts.get(name) ?? (await readMail(join(folder, name)));
        if (text !== '') this.mailTexts.set(name, text);
        return text;
      }),
    );
  }

  async mailFiles(): Promise<string[]> {
    return readdir(join(this.dataDir, 'mail')).catch(() => []);
  }

  /** Returns the token in the newest mail to an address. */
  async mailedToken(to: string, count = 1): Promise<string> {
    return tokenIn((await this.mails(to, count)).at(-1) ?? '');
  }

  /** Ages the last mail to an erased account by an hour, the longest that it is kept. */
  async passHourAfterErasure(): Promise<void> {
    const jobs = "graphile_worker.jobs WHERE task_identifier = 'iam.finish-erasure'";
    await this.sql(`SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at := now()) FROM ${jobs}`);
    await eventually('the last mails are gone', async () => {
      return (await this.sql(`SELECT 1 FROM ${jobs}`)).length === 0;
    });
  }

  /** Registers and verifies an account. */
  async register(
    email = `${ulid().toLowerCase()}@example.com`,
    password = 'quiet-harbour-42',
  ): Promise<{ email: string; password: string }> {
    // A mail without a link may arrive first, where an account of the same address was erased.
    const links = async () => (await this.mails(email, 0)).filter((mail) => TOKEN.test(joined(mail)));
    const { length: before } = await links();
    await this.post('register', { email, password, firstName: 'Ada' });
    await eventually(`a link is mailed to ${email}`, async () => (await links()).length > before);
    const token = tokenIn((await links()).at(-1) ?? '');
    const verified = await this.post('verify-email', { token });
    if (verified.status !== 204) throw new Error(`Verification answered ${verified.status}.`);
    return { email, password };
  }

  /** Returns tokens of a new session. */
  async login({
    email,
    password,
  }: {
    email: string;
    password: string;
  }): Promise<{ accessToken: string; refreshToken: string; sessionId: string }> {
    const { status, body } = await this.post('login', { email, password });
    if (status !== 200) throw new Error(`Login answered ${status}.`);
    return body as unknown as { accessToken: string; refreshToken: string; sessionId: string };
  }
}

/** The whole service on a separate database, called over HTTP. */
export class TestApp extends ServiceClient {
  private constructor(
    readonly app: NestExpressApplication,
    url: string,
    databaseUrl: string,
    dataDir: string,
    contract?: Contract,
  ) {
    super(url, databaseUrl, dataDir, contract);
  }

  /** Starts the service with modules of other teams. */
  static with(...modules: TeamModule[]): Promise<TestApp> {
    return TestApp.start({}, false, modules);
  }

  /**
   * @param overrides settings; with DATABASE_URL (and ROOT_SECRET) it is one more replica on an
   *   existing database
   * @param modules of other teams; answers are then compared with the document that this
   *   application publishes
   */
  static async start(
    overrides: Record<string, string> = {},
    limits = false,
    modules: readonly TeamModule[] = [],
  ): Promise<TestApp> {
    const databaseUrl = overrides['DATABASE_URL'] ?? (await createDatabase());
    const settings = readSettings({
      DATA_DIR: overrides['DATA_DIR'] ?? (await mkdtemp(join(tmpdir(), 'gatehouse-app-'))),
      ...QUIET,
      ...(limits ? {} : NO_LIMITS),
      ...overrides,
    });
    const environment = { settings, rootSecret: await loadRootSecret(settings), databaseUrl };
    const app = await createApp(environment, modules);
    await app.listen(Number(overrides['PORT'] ?? 0), '127.0.0.1').catch(async (error: unknown) => {
      await app.close();
      throw error;
    });
    const { port } = app.getHttpServer().address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const contract = modules.length > 0 ? await Contract.of(url) : undefined;
    return new TestApp(app, url, databaseUrl, settings.DATA_DIR, contract);
  }

  /** Runs a command of the operator's command line in this process. @returns its output */
  async command(...words: string[]): Promise<object> {
    const parsed = parseCommand(words);
    if (!parsed?.command.run) throw new Error(`There is no such command: ${words.join(' ')}.`);
    return parsed.command.run(this.app, parsed.options);
  }

  async stop(): Promise<void> {
    await this.app.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** Returns the connection string of a new database, migrated unless another template is named. */
export async function createDatabase(template = 'gatehouse_template'): Promise<string> {
  const url = new URL(process.env['TEST_POSTGRES_URL'] ?? '');
  const name = `test_${ulid().toLowerCase()}`;
  await query(url.href, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY = FILE_COPY`);
  url.pathname = `/${name}`;
  return url.href;
}

/** Returns the text of a mail; empty for one that an erasure has removed in between. */
function readMail(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

/** Returns the items of a list. */
export function itemsOf<T = unknown>({ body }: Answer): T[] {
  return body['items'] as unknown as T[];
}

const TOKEN = /token=(?:3D)?([\w-]{43})/;

/** Removes the line ends that quoted-printable adds (RFC 2045 section 6.7). */
const joined = (mail: string): string => mail.replace(/=\n/g, '');

/** Returns the one-time token of the link in a mail. */
export function tokenIn(mail: string): string {
  const [, token] = TOKEN.exec(joined(mail)) ?? [];
  if (token === undefined) throw new Error('The mail has no token.');
  return token;
}

/** Repeats the check until it is true. */
export async function eventually(
  what: string,
  ask: () => Promise<boolean> | boolean,
  limitMs = PATIENCE_MS,
): Promise<void> {
  for (const limit = Date.now() + limitMs; !(await ask());) {
    if (Date.now() > limit) throw new Error(`Not within ${limitMs} ms: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Connections of the tests themselves, by database. */
const pools = new Map<string, Pool>();

async function query(url: string, text: string, parameters: unknown[] = []): Promise<unknown[]> {
  const pool = pools.get(url) ?? newPool(url);
  pools.set(url, pool);
  const client = await pool.connect();
  try {
    return (await client.query(text, parameters)).rows;
  } finally {
    client.release();
  }
}

/**
 * Returns a pool that keeps a connection for the next statement: opening one takes 10 ms of
 * processor time, a statement 0.2 ms. Closes it soon, since a database with connections cannot be a
 * template or be dropped.
 */
function newPool(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: 40, idleTimeoutMillis: 250, allowExitOnIdle: true });
  return pool.on('error', () => undefined); // the server may end an idle connection
}
