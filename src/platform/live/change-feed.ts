import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Client } from 'pg';
import { Database, DATABASE_DIRECT_URL } from '../database/index.js';
import { FeedMetrics } from './feed-metrics.js';

const HEARTBEAT_MS = 1_000;
const RECONNECT_MS = 500;

/** Whoever tells of a change tells when it began, so that each replica can see how long the news took. */
const ANNOUNCED_AT = 'gatehouse_announced_at';
/** Part of every statement that notifies; in a transaction PostgreSQL delivers it once. */
export const NOTIFY_TIME = `pg_notify('${ANNOUNCED_AT}', extract(epoch FROM now())::text)`;

interface Listener {
  readonly changed: (key: string) => void;
  readonly lost: () => void;
  /** Said about once a second while the feed is healthy. */
  readonly alive?: () => void;
}

/**
 * What other replicas have changed, heard on one LISTEN connection. Whoever keeps answers in memory listens here, and may rely on them
 * only while {@link healthy}: a notification that was sent during an outage never arrives.
 */
@Injectable()
export class ChangeFeed implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('ChangeFeed');
  private readonly listeners = new Map<string, Listener>();
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private up = false;

  constructor(
    @Inject(DATABASE_DIRECT_URL) private readonly url: string,
    private readonly database: Database,
    private readonly metrics: FeedMetrics,
  ) {}

  get healthy(): boolean {
    return this.up;
  }

  /** Whether what is read here may be what an open transaction has written. */
  get inTransaction(): boolean {
    return this.database.inTransaction;
  }

  /** Hears the keys that `NOTIFY channel, key` names. Call it before the application has started. */
  listen(channel: string, listener: Listener): void {
    this.listeners.set(channel, listener);
  }

  /** Tells every replica of changes once the open transaction has committed; this one without waiting for the feed. */
  async announce(channel: string, ...keys: string[]): Promise<void> {
    const sql = `SELECT pg_notify($1, key), ${NOTIFY_TIME} FROM unnest($2::text[]) AS key`;
    await this.database.rows(sql, [channel, keys]);
    this.database.afterCommit(() => keys.forEach((key) => this.listeners.get(channel)?.changed(key)));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    if (this.stopped) return;
    const client = new Client({
      connectionString: this.url,
      application_name: 'gatehouse-feed',
      connectionTimeoutMillis: 3_000,
      query_timeout: HEARTBEAT_MS,
    });
    this.client = client;
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === ANNOUNCED_AT) this.metrics.heard(Number(payload));
      else this.listeners.get(channel)?.changed(payload);
    });
    try {
      await client.connect();
      await this.ask(client);
      for (const channel of [...this.listeners.keys(), ANNOUNCED_AT]) await client.query(`LISTEN ${channel}`);
      if (client !== this.client) return;
      this.up = true;
      this.metrics.tried(true);
      this.schedule(() => this.beat(client), HEARTBEAT_MS);
    } catch {
      this.lost(client);
    }
  }

  /**
   * A dead connection may look alive: ask it, and stop trusting what is in memory as soon as it does not answer. It may also be lost between
   * its answer and here: then another one is on its way, which nothing may hold up.
   */
  private async beat(client: Client): Promise<void> {
    try {
      await this.ask(client);
      if (client !== this.client) return;
      for (const listener of this.listeners.values()) listener.alive?.();
      this.schedule(() => this.beat(client), HEARTBEAT_MS);
    } catch {
      this.lost(client);
    }
  }

  private async ask(client: Client): Promise<void> {
    const asked = performance.now();
    const { rows } = await client.query<{ now: number }>(
      'SELECT extract(epoch FROM clock_timestamp())::float8 AS now',
    );
    if (rows[0]) this.metrics.clockRead(rows[0].now, asked);
  }

  private lost(client: Client): void {
    if (client !== this.client || this.stopped) return;
    this.client = undefined;
    if (this.up) this.logger.warn('The feed of changes was lost; the database is asked until it is back.');
    this.up = false;
    this.metrics.tried(false);
    for (const listener of this.listeners.values()) listener.lost();
    client.end().catch(() => undefined);
    this.schedule(() => this.connect(), RECONNECT_MS);
  }

  private schedule(work: () => Promise<void>, delayMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void work(), delayMs);
    this.timer.unref();
  }
}
