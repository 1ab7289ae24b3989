import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
// Imported first: later it would block this process while another replica may wait for its first
// connection.
import 'graphile-worker';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ulid } from 'ulid';
import { createApp } from '../../src/bootstrap.js';
import { parseCommand } from '../../src/cli/program.js';
import { reasonOf } from '../../src/cli/reason.js';
import { Services } from '../../src/cli/services.js';
import { VERIFICATION_LIFETIME_SECONDS } from '../../src/iam/accounts/account-mails.js';
import { PasswordHasher } from '../../src/iam/accounts/credentials/password-hasher.js';
import { PendingRegistrationRepository } from '../../src/iam/accounts/registration/pending-registration.repository.js';
import { AuditTrail } from '../../src/iam/audit/audit-trail.js';
import { InvitationRepository } from '../../src/iam/organizations/invitations/invitation.repository.js';
import { INVITATION_SECONDS } from '../../src/iam/organizations/invitations/invitation-mails.js';
import { RoleService } from '../../src/iam/organizations/roles/role.service.js';
import { canonicalEmail, newId, type TenantId, type UserId } from '../../src/kernel/index.js';
import { createOneTimeToken } from '../../src/platform/crypto/index.js';
import { loadRootSecret } from '../../src/platform/config/root-secret.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { Database } from '../../src/platform/database/index.js';
import { MailFolder, Outbox } from '../../src/platform/mail/index.js';
import type { TeamModule } from '../../src/options.js';
import { eventually as waitFor } from '../../src/testing/eventually.js';
import { keepConnection, query } from '../../src/testing/query.js';
import { type Answer, ServiceClient as KitClient } from '../../src/testing/service-client.js';
import { roomyFolder } from '../../src/testing/test-postgres.js';
import { NO_LIMITS, PATIENT, QUIET } from '../../src/testing/test-settings.js';
import { Contract, publishedContract } from './contract.js';
import { requireKnownActions } from './known-actions.js';
import { LONG } from './long.js';
import { temporaryFolder } from './temporary-folder.js';

export { type Answer, itemsOf, tokenIn } from '../../src/testing/service-client.js';
export { NO_LIMITS, QUIET } from '../../src/testing/test-settings.js';

declare global {
  /** Databases of the spec file, which test/runner/environment.cjs drops. */
  var testDatabases: string[] | undefined;
}

/** Less than Jest's timeout of a test, so that the error names what was waited for. */
const PATIENCE_MS = LONG ? 60_000 : 25_000;

/** Calls a running service as a user does, and compares each answer with the OpenAPI document. */
export class ServiceClient extends KitClient {
  constructor(
    url: string,
    databaseUrl: string,
    dataDir: string,
    private readonly contract: Contract = publishedContract(),
  ) {
    super(url, databaseUrl, dataDir);
  }

  /** @throws where the answer is not as the OpenAPI document specifies */
  protected override check(method: string, path: string, answer: Answer): void {
    this.contract.check(method, path, answer);
  }

  protected override waitUntil(what: string, ask: () => Promise<boolean>): Promise<void> {
    return eventually(what, ask);
  }

  /** Number of statements that wait for a lock held by another transaction. */
  async waitingForLocks(): Promise<number> {
    const waiting = await this.sql(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return waiting.length;
  }

  /** Ages the last mail to an erased account by an hour, the longest that it is kept. */
  async passHourAfterErasure(): Promise<void> {
    const jobs = "graphile_worker.jobs WHERE task_identifier = 'iam.finish-erasure'";
    await this.sql(`SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at := now()) FROM ${jobs}`);
    await eventually('the last mails are gone', async () => {
      return (await this.sql(`SELECT 1 FROM ${jobs}`)).length === 0;
    });
  }
}

/** The whole service on a separate database, called over HTTP. */
export class TestApp extends ServiceClient {
  /** Running replicas by their databases: they share a folder, as each may write a mail. */
  private static readonly replicas = new Map<string, TestApp[]>();

  private constructor(
    readonly app: NestExpressApplication,
    url: string,
    databaseUrl: string,
    dataDir: string,
    private readonly limits: boolean,
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
   * @param timeouts of the database
   */
  static async start(
    overrides: Record<string, string> = {},
    limits = false,
    modules: readonly TeamModule[] = [],
    { timeouts } = PATIENT,
  ): Promise<TestApp> {
    const databaseUrl = overrides['DATABASE_URL'] ?? (await createDatabase());
    const shared = TestApp.replicas.get(databaseUrl)?.[0]?.dataDir;
    const settings = readSettings({
      DATA_DIR: overrides['DATA_DIR'] ?? shared ?? temporaryFolder('app', await roomyFolder()),
      ...QUIET,
      ...(limits ? {} : NO_LIMITS),
      ...overrides,
    });
    const environment = { timeouts, settings, rootSecret: await loadRootSecret(settings), databaseUrl };
    const app = await createApp(environment, modules);
    if (modules.length === 0) requireKnownActions(app);
    await app.listen(Number(overrides['PORT'] ?? 0), '127.0.0.1').catch(async (error: unknown) => {
      await app.close();
      throw error;
    });
    const { port } = app.getHttpServer().address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const contract = modules.length > 0 ? await Contract.of(url) : undefined;
    const started = new TestApp(app, url, databaseUrl, settings.DATA_DIR, limits, contract);
    TestApp.replicas.set(databaseUrl, [...(TestApp.replicas.get(databaseUrl) ?? []), started]);
    return started;
  }

  /**
   * Creates an account as a registration does, which the service then verifies: without the request
   * and the jobs of the mail, which take half of the processor time of a sign-up.
   */
  override async createAccount(
    email = `${newId().toLowerCase()}@example.com`,
  ): Promise<{ email: string; password: string }> {
    if (this.limits) return this.register(email);
    const [password, emailKey] = ['quiet-harbour-42', canonicalEmail(email)];
    const passwordHash = await this.provider(PasswordHasher).hashForAddress(password, 'test', emailKey, null);
    const { plainToken, tokenHash } = createOneTimeToken();
    const unnamed = { lastName: null, displayName: null, company: null, country: null, locale: null };
    const person = { email, emailKey, passwordHash, firstName: 'Ada', ...unnamed };
    const registration = { ...person, marketingOptIn: false, networkKey: null };
    const pending = this.provider(PendingRegistrationRepository);
    await pending.insert(tokenHash, registration, VERIFICATION_LIFETIME_SECONDS);
    await this.addMail(email);
    const { status } = await this.post('verify-email', { token: plainToken });
    if (status !== 204) throw new Error(`Verification answered ${status}.`);
    return { email, password };
  }

  /** Invites as the service does, without the request and the job of the mail. */
  override async invite(...[organization, email, roles]: Parameters<KitClient['invite']>): Promise<string> {
    if (this.limits) return super.invite(organization, email, roles);
    const { plainToken, tokenHash } = createOneTimeToken();
    const [id, tenantId] = [newId(), organization.id as TenantId];
    const invitedBy = organization.owner.person.id as UserId;
    await this.provider(Database).transaction(async () => {
      const roleIds = await this.provider(RoleService).findIds(tenantId, roles);
      const invitation = { id, email, emailKey: canonicalEmail(email), tokenHash, invitedBy, roleIds };
      const inserted = await this.provider(InvitationRepository).insert(tenantId, {
        ...invitation,
        ofSupport: false,
        lifetimeSeconds: INVITATION_SECONDS,
      });
      if (!inserted || roleIds.length < roles.length) throw new Error(`${email} cannot be invited.`);
      await this.provider(AuditTrail).record({
        actorId: invitedBy,
        tenantId,
        action: 'invitation.created',
        subject: `iam/invitations/${id}`,
      });
    });
    await this.addMail(email);
    return plainToken;
  }

  /** Adds a mail without a link to the folder, in place of one that the service would have sent. */
  private async addMail(email: string): Promise<void> {
    const [recipient] = this.provider(Outbox).recipientKeys(email);
    await this.provider(MailFolder).add(Buffer.from(`To: ${email}\n\n`), recipient);
  }

  private provider<T>(type: Type<T>): T {
    return this.app.get(type, { strict: false });
  }

  /**
   * Runs a command of the operator's command line in this process.
   * @returns its result
   * @throws {Error} with what the command line would write
   */
  async command(...words: string[]): Promise<object> {
    const parsed = parseCommand(words);
    if (!('command' in parsed) || !('run' in parsed.command))
      throw new Error(`The command needs no service: ${words.join(' ')}.`);
    const { command, options } = parsed;
    return parsed.command
      .run(new Services(this.app), options, () => undefined)
      .catch((error: unknown) => {
        throw new Error(reasonOf(error, command, options), { cause: error });
      });
  }

  async stop(): Promise<void> {
    await this.app.close();
    const others = TestApp.replicas.get(this.databaseUrl)?.filter(({ app }) => app !== this.app) ?? [];
    TestApp.replicas.set(this.databaseUrl, others);
    if (others.some(({ dataDir }) => dataDir === this.dataDir)) return;
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/**
 * Starts something before the tests of the `describe`, and stops it after them.
 * @returns what `start` returns, which is usable from the next `beforeAll` on
 */
export function withStarted<T extends object>(
  start: () => Promise<T>,
  stop: (started: T) => Promise<unknown>,
): T {
  let started = {} as T;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => stop(started));
  return new Proxy({} as T, {
    get: (_, key): unknown => Reflect.get(started, key),
    set: (_, key, value) => Reflect.set(started, key, value),
    deleteProperty: (_, key) => Reflect.deleteProperty(started, key),
  });
}

/** Starts the service by {@link TestApp.start} for the tests of the `describe`. */
export const withApp = (...options: Parameters<typeof TestApp.start>): TestApp =>
  withStarted(
    () => TestApp.start(...options),
    (app) => app.stop(),
  );

/**
 * Returns the connection string of a new database, migrated unless another template is named. It is
 * dropped at the end of the spec file.
 */
export async function createDatabase(template = 'gatehouse_template'): Promise<string> {
  const url = new URL(process.env['TEST_POSTGRES_URL'] ?? '');
  const name = `test_${ulid().toLowerCase()}`;
  keepConnection(url.href);
  await query(url.href, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY = FILE_COPY`);
  (globalThis.testDatabases ??= []).push(name);
  url.pathname = `/${name}`;
  keepConnection(url.href);
  return url.href;
}

/** Repeats the check until it is true. */
export function eventually(
  what: string,
  ask: () => Promise<boolean> | boolean,
  limitMs = PATIENCE_MS,
): Promise<void> {
  return waitFor(what, ask, limitMs);
}
