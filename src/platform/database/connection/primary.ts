import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Client, ClientBase, ClientConfig, Pool, QueryConfig } from 'pg';
import { hostsOf, type Settings, SETTINGS } from '../../config/index.js';
import { AppError } from '../../errors/index.js';
import { Metrics } from '../../observability/index.js';
import { DATABASE_DIRECT_URL } from '../database-url.token.js';
import { findPrimary } from './find-primary.js';
import { ImpatientClient, READ_ONLY } from './impatient-client.js';
import { COMMIT, DESCRIBE, NotPrimary, type Server } from './server.js';

/** Time for which a commit proves that its server is the primary; less than the bound of API-5. */
const PROVEN_MS = 3_500;
/** Age of a commit up to which the replica is ready without another one. */
const READY_MS = 1_500;
const INTERVAL_MS = 1_000;
/** Delay after an attempt without a proof. */
const RETRY_MS = 250;
/** Maximum wait for a connection, and for each answer on it. */
const ANSWER_MS = 1_000;
/** Time between commits that requests cause. */
const SPACING_MS = 50;
const RETRY_AFTER_SECONDS = 2;
/** Time for which the other servers are waited for once one has committed. */
const OTHERS_MS = 50;

/** SQLSTATEs of an engine without these functions, or that keeps them from the role. */
const NOT_TOLD = new Set(['42883', '42501', '0A000']);
/** SQLSTATE of a server at `max_connections` (too_many_connections). */
const TOO_MANY = '53300';
/**
 * Ends the connections of this service at a server, this one and what its poolers have included. A
 * pooler names none that it has not used.
 */
const END_OURS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user
    AND (application_name = '' OR application_name LIKE 'gatehouse%')
  ORDER BY pid = pg_backend_pid()`;

interface Admitted {
  readonly server: Server;
  /** Called once the server has a successor. */
  readonly leave: () => void;
}

/**
 * Knows which server is the primary (ADR 51): the one with the highest timeline that was seen, as
 * long as a commit about once a second proves that it can still commit. Ends connections to former
 * primaries.
 */
@Injectable()
export class Primary implements OnApplicationShutdown {
  private readonly logger = new Logger('Database');
  private readonly admitted = new Map<ClientBase, Admitted>();
  private newest: Server | undefined;
  /** Whether servers do not tell their timeline: then only standbys are told apart. */
  private isPlain = false;
  private pool: Pool | undefined;
  /** Start of the last commit, by {@link elapsed}. */
  private provenAt = -Infinity;
  private proving: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private wasProven = true;

  private readonly addresses: readonly string[];
  private current: string;

  constructor(
    @Inject(DATABASE_DIRECT_URL) url: string,
    @Inject(SETTINGS) private readonly settings: Settings,
    metrics: Metrics,
  ) {
    this.addresses = hostsOf(url);
    [this.current = url] = this.addresses;
    metrics.gauge(
      'gatehouse_database_primary',
      'Whether a commit of the last seconds proves that the database is the primary (1) or requests are answered 503 (0).',
      () => Number(this.proven),
    );
  }

  /** Address for new connections: of several servers, that of the primary, as far as is known. */
  get address(): string {
    return this.current;
  }

  /**
   * Finds the primary among several servers, before the first connection.
   * @throws {DatabaseUnreachable} if none of them takes writes
   */
  async find(): Promise<string> {
    this.current = await findPrimary(this.addresses);
    return this.current;
  }

  /** Returns a class of connections which lead to the primary of the moment, for pools. */
  following(connection: typeof Client): typeof Client {
    if (this.addresses.length === 1) return connection;
    const connectionString = (): string => this.current;
    return class extends connection {
      constructor(config?: string | ClientConfig) {
        super({ ...(typeof config === 'object' && config), connectionString: connectionString() });
      }
    };
  }

  /**
   * Whether the server may be trusted to know the latest changes. Always before {@link start}, as
   * on the command line.
   */
  get proven(): boolean {
    return this.pool === undefined || this.age < PROVEN_MS;
  }

  /** Proves it about once a second from now on. @param pool of the requests */
  async start(pool: Pool): Promise<void> {
    await this.prove(pool);
    this.pool = pool;
    this.report();
    this.schedule(pool);
  }

  onApplicationShutdown(): void {
    this.pool = undefined;
    clearTimeout(this.timer);
  }

  /**
   * Resolves if the server has committed within the last second, or can do so now.
   * @throws {AppError} unavailable
   */
  async confirm(): Promise<void> {
    if (this.pool && this.age > READY_MS) await this.prove(this.pool);
    if (this.pool && this.age > READY_MS) throw this.refusal();
  }

  /**
   * Resolves once a commit that began after this call proves that what was read before was read at
   * the primary: a former one does not know the newest sessions, and a caller whose session is said
   * to have ended signs out.
   * @throws {AppError} unavailable
   */
  async confirmRead(): Promise<void> {
    const { newest, pool } = this;
    if (!pool) return;
    const asked = elapsed();
    await sleep(Math.max(0, this.provenAt + SPACING_MS - asked));
    await this.proving;
    if (this.provenAt < asked) await this.prove(pool);
    if (this.provenAt < asked || this.newest !== newest) throw this.refusal();
  }

  /** Returns what a request is answered while nothing is proven. */
  refusal(): AppError {
    return new AppError('unavailable', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: new Error('no commit proves that the database is the primary'),
    });
  }

  /**
   * Admits a connection that was just made. It is closed once its server has a successor, and
   * while it is idle also once its server refuses a write on another one.
   * @param leave in place of closing it
   * @throws {NotPrimary}
   */
  async admit(client: ClientBase, leave = () => close(client)): Promise<void> {
    const server = await this.ask(client, DESCRIBE);
    this.judge(server);
    this.admitted.set(client, { server, leave });
    client.once('end', () => this.admitted.delete(client));
    (client as EventEmitter).once(READ_ONLY, () => this.leaveIdle(client, server));
  }

  /**
   * Ends the connections of all replicas and poolers at the server of this one: a load balancer may
   * keep them for as long as both ends live.
   */
  async endOurs(client: Pick<ClientBase, 'query'>): Promise<void> {
    await client.query(END_OURS).catch(() => undefined); // it ends this connection too
  }

  private get age(): number {
    return elapsed() - this.provenAt;
  }

  private schedule(pool: Pool): void {
    const delay = this.age < PROVEN_MS ? Math.max(RETRY_MS, INTERVAL_MS - this.age) : RETRY_MS;
    this.timer = setTimeout(() => {
      this.prove(pool)
        .then(() => {
          if (this.pool) this.schedule(pool);
        })
        .catch((error: unknown) => this.logger.error(error));
    }, delay);
    this.timer.unref();
  }

  private prove(pool: Pool): Promise<void> {
    this.proving ??= this.attempt(pool).finally(() => {
      this.proving = undefined;
      this.report();
    });
    return this.proving;
  }

  /**
   * Commits through a connection of the moment, which leads where new ones of other replicas lead.
   * If none can be made, the pool has to commit, which a former primary with synchronous standbys
   * cannot. What a pooler leads to is asked each time: its connections to servers are not admitted.
   */
  private async attempt(pool: Pool): Promise<void> {
    const began = elapsed();
    const failures = await this.commitOnNew();
    if (failures === null && !this.settings.DATABASE_DIRECT_URL) this.provenAt = began;
    else if (failures === null) {
      // A pool without a free connection proves nothing else.
      const leadsThere = await this.askPool(pool, DESCRIBE).catch(() => true);
      if (leadsThere) this.provenAt = began;
    } else if (this.addresses.length === 1 || failures.some(isFull)) {
      const again = elapsed();
      if (await this.askPool(pool, COMMIT).catch(() => false)) this.provenAt = again;
    }
  }

  /**
   * Commits on a new connection to each server, at once: a former primary may answer before the one
   * that was promoted, and a server that hangs must not delay the others.
   * @returns null once the primary has committed, or the failures
   */
  private async commitOnNew(): Promise<readonly unknown[] | null> {
    const attempts = this.addresses.map((address) => this.commitAt(address));
    const failures = await Promise.any(attempts).then(
      () => null,
      (error: AggregateError) => error.errors,
    );
    if (failures === null) await Promise.race([Promise.allSettled(attempts), sleep(OTHERS_MS)]);
    return failures;
  }

  /** @throws {NotPrimary} */
  private async commitAt(address: string): Promise<void> {
    const client = new ImpatientClient({
      connectionString: address,
      application_name: 'gatehouse',
      connectionTimeoutMillis: ANSWER_MS,
    });
    try {
      await client.connect();
      this.judge(await this.ask(client, COMMIT));
      this.current = address;
    } finally {
      client.end().catch(() => undefined);
    }
  }

  /** @returns whether the server is the primary; our connections to another one are ended */
  private async askPool(pool: Pool, texts: typeof COMMIT): Promise<boolean> {
    const client = await pool.connect();
    try {
      const isPrimary = this.accepts(await this.ask(client, texts));
      if (!isPrimary) await this.endOurs(client);
      client.release(!isPrimary);
      return isPrimary;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  private async ask(client: Pick<ClientBase, 'query'>, texts: typeof COMMIT): Promise<Server> {
    const text = this.isPlain ? texts.plain : texts.full;
    try {
      const { rows } = await client.query<Server>({ text, query_timeout: ANSWER_MS } as QueryConfig);
      if (!rows[0]) throw new Error('The server did not say which one it is.');
      return rows[0];
    } catch (error) {
      if (this.isPlain || !NOT_TOLD.has(String((error as { code?: unknown }).code))) throw error;
      this.isPlain = true;
      return this.ask(client, texts);
    }
  }

  private accepts(server: Server): boolean {
    try {
      this.judge(server);
      return true;
    } catch {
      return false;
    }
  }

  /** @throws {NotPrimary} */
  private judge(server: Server): void {
    if (server.readOnly) throw new NotPrimary('The server takes no writes.');
    const { newest } = this;
    if (isSame(server, newest)) return;
    if (server.system === newest?.system && server.timeline < newest.timeline)
      throw new NotPrimary('The server is a former primary.');
    this.newest = server;
    if (newest) this.leaveOthers();
  }

  private leaveOthers(): void {
    this.logger.warn('The database has another primary; connections to the former one are ended.');
    for (const [client, { server, leave }] of this.admitted) {
      if (isSame(server, this.newest)) continue;
      this.admitted.delete(client);
      leave();
    }
  }

  /** Leaves a server that takes no writes: each idle connection would fail another request. */
  private leaveIdle(refused: ClientBase, at: Server): void {
    for (const [client, { server }] of this.admitted)
      if (client !== refused && isSame(server, at) && client.getTransactionStatus() === 'I') close(client);
    if (this.pool) this.prove(this.pool).catch((error: unknown) => this.logger.error(error));
  }

  private report(): void {
    if (this.proven === this.wasProven) return;
    this.wasProven = this.proven;
    if (this.proven) this.logger.log('The database commits again.');
    else this.logger.warn('The database does not commit; requests are answered 503 until it does.');
  }
}

/**
 * Milliseconds by the clock of the system. Not `performance.now()`, which tests move to see what
 * becomes old: a proof is one of real time.
 */
const elapsed = (): number => Number(process.hrtime.bigint()) / 1_000_000;

/** Whether two descriptions are of one server, as long as none of its standbys was promoted. */
const isSame = (one: Server, other: Server | undefined): boolean =>
  one.system === other?.system && one.timeline === other.timeline;

const isFull = (error: unknown): boolean => (error as { code?: unknown }).code === TOO_MANY;

/** Closes a connection also while a statement waits on it; a pool then removes it. */
function close(client: ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(error: Error): void } } };
  connection.stream.destroy(new NotPrimary('The server is not the primary any more.'));
}

@Module({ providers: [Primary], exports: [Primary] })
export class PrimaryModule {}
