import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { ulid } from 'ulid';
import { answers, CLI, freePort, runBuilt } from '../../support/built-service.js';
import { MailServer } from '../../support/mail-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { eventually, ServiceClient } from '../../support/test-app.js';
import { FaultPostgres } from './fault-postgres.js';
import { LoadBalancer } from './load-balancer.js';
import { Mailbox } from './mailbox.js';
import { Replica } from './replica.js';

interface FleetOptions {
  readonly replicas?: number;
  /** Settings in addition to those that every replica gets. */
  readonly settings?: Record<string, string>;
  /** Runs HAProxy before the replicas. Without it, clients address the replicas directly. */
  readonly balanced?: boolean;
  /** Address of the database, where it is behind a proxy of the test. */
  readonly databaseUrl?: (direct: string) => string | Promise<string>;
  /** Address of the mail server, where it is behind a proxy of the test. */
  readonly mailUrl?: (direct: string) => string | Promise<string>;
  /** Directory of PostgreSQL, in place of a new one. */
  readonly postgresDir?: string;
}

/** What a fleet needs of its database. */
export interface FleetDatabase {
  readonly url: string;
  sql<T = Record<string, unknown>>(text: string, parameters?: readonly unknown[]): Promise<T[]>;
  stop(): Promise<void>;
}

interface Account {
  readonly email: string;
  readonly password: string;
}

/** What a satellite's server knows of itself. */
export interface SatelliteCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** Runs replicas of the built service as processes, with their own PostgreSQL and mail server. */
export class Fleet<Database extends FleetDatabase = FaultPostgres> {
  readonly mailbox: Mailbox;

  private constructor(
    readonly postgres: Database,
    readonly mail: MailServer,
    readonly replicas: readonly Replica[],
    private readonly balancer: LoadBalancer | undefined,
    private readonly environment: Record<string, string>,
  ) {
    this.mailbox = new Mailbox(mail);
  }

  static async start(options: FleetOptions = {}): Promise<Fleet> {
    return Fleet.on(await FaultPostgres.start(options.postgresDir), options);
  }

  /** Starts a fleet on a database of the test, which it stops at its end. */
  static async on<Database extends FleetDatabase>(
    postgres: Database,
    {
      replicas = 2,
      settings = {},
      balanced = true,
      databaseUrl = (direct) => direct,
      mailUrl = (direct) => direct,
    }: FleetOptions,
  ): Promise<Fleet<Database>> {
    const mail = await MailServer.start();
    const environment = {
      DATABASE_URL: await databaseUrl(postgres.url),
      DATA_DIR: temporaryFolder('fleet'),
      ROOT_SECRET: randomBytes(32).toString('base64'),
      SMTP_URL: await mailUrl(mail.url),
      TRUSTED_PROXIES: '127.0.0.0/8',
      LOG_LEVEL: 'info',
      METRICS_TOKEN: 'the-fleet-is-watched',
      ...settings,
    };
    const all: Replica[] = [];
    for (let n = 0; n < replicas; n += 1)
      all.push(await Replica.start({ ...environment, PORT: String(await freePort()) }));
    const balancer = balanced ? await LoadBalancer.before(all.map(({ url }) => url)) : undefined;
    return new Fleet(postgres, mail, all, balancer, environment);
  }

  /** Address for clients: the load balancer, or else each replica in turn. */
  get targets(): readonly string[] {
    return this.balancer ? [this.balancer.url] : this.replicas.map(({ url }) => url);
  }

  /** Returns a user's client of one replica. */
  client(n = 0): ServiceClient {
    return this.replica(n).client;
  }

  replica(n: number): Replica {
    const replica = this.replicas[n];
    if (!replica) throw new Error(`There is no replica ${n}.`);
    return replica;
  }

  /** Settings that all replicas share, for one more process. */
  get settings(): Readonly<Record<string, string>> {
    return this.environment;
  }

  /** Registers and verifies an account. */
  async register(email = `${ulid().toLowerCase()}@example.com`): Promise<Account> {
    const account = { email, password: 'quiet-harbour-42' };
    await this.client().post('register', { ...account, firstName: 'Ada' });
    const tokens = () => this.mailbox.of(email, 'verify-email');
    await eventually('the verification mail arrives', () => tokens().length > 0);
    const { status } = await this.client().post('verify-email', { token: tokens()[0] });
    if (status !== 204) throw new Error(`Verification answered ${status}.`);
    return account;
  }

  async registerSatellite(clientId = 'help-centre'): Promise<SatelliteCredentials> {
    const redirectUri = `https://${clientId}.example/callback`;
    const args = ['satellite:register', '--client-id', clientId, '--name', clientId];
    const { stdout, stderr } = await runBuilt(
      CLI,
      [...args, '--redirect-uri', redirectUri],
      this.environment,
    );
    const { clientSecret } = JSON.parse(stdout || '{}') as { clientSecret?: string };
    if (clientSecret === undefined) throw new Error(`The satellite was not registered: ${stderr}`);
    return { clientId, clientSecret, redirectUri };
  }

  /** Resolves when every replica is ready. @returns milliseconds that took */
  async ready(limitMs = 20_000): Promise<number> {
    const began = Date.now();
    const all = async () =>
      (await Promise.all(this.replicas.map(({ url }) => answers(`${url}/readyz`)))).every(Boolean);
    await eventually('every replica is ready', all, limitMs);
    return Date.now() - began;
  }

  /**
   * Log lines that no process of the fleet may write: crashes, errors of the service, stack traces.
   */
  get complaints(): string[] {
    return this.replicas.flatMap(({ complaints }) => complaints);
  }

  async stop(): Promise<void> {
    await this.balancer?.stop();
    await Promise.all(this.replicas.map((replica) => replica.stop()));
    await this.mail.close();
    await this.postgres.stop();
    await rm(this.environment['DATA_DIR'] ?? '', { recursive: true, force: true });
  }
}
