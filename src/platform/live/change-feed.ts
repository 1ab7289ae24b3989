import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Client } from 'pg';
import { Database, Primary } from '../database/index.js';
import { describeCause } from '../errors/index.js';
import { FeedMetrics } from './feed-metrics.js';

const HEARTBEAT_MS = 1_000;
const RECONNECT_MS = 500;

/** Channel for the start time of the transaction of a change, by which replicas measure the lag. */
const ANNOUNCED_AT = 'gatehouse_announced_at';
/** Added to every statement that notifies; PostgreSQL delivers it once per transaction. */
export const NOTIFY_TIME = `pg_notify('${ANNOUNCED_AT}', extract(epoch FROM now())::text)`;

interface Listener {
  readonly changed: (key: string) => void;
  readonly lost: () => void;
  /** Called about once a second while the feed is healthy. */
  readonly alive?: () => void;
}

/**
 * Receives changes by other replicas on one LISTEN connection. Caches subscribe to it and may use
 * their entries only while it is {@link healthy}: notifications sent during an outage are lost.
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
    private readonly database: Database,
    private readonly primary: Primary,
    private readonly metrics: FeedMetrics,
  ) {}

  /** Whether notifications of the primary are received. */
  get healthy(): boolean {
    return this.up && this.primary.proven;
  }

  /**
   * Whether a transaction is open in this context, so that reads may see its uncommitted changes.
   */
  get inTransaction(): boolean {
    return this.database.inTransaction;
  }

  /**
   * Subscribes to the keys of `NOTIFY channel, key`. Call it before the application has started.
   */
  listen(channel: string, listener: Listener): void {
    this.listeners.set(channel, listener);
  }

  /**
   * Notifies all replicas of changed keys when the open transaction commits; this replica without
   * waiting for the feed, and by the feed again.
   */
  async announce(channel: string, ...keys: string[]): Promise<void> {
    await this.notify(channel, ...keys);
    this.database.afterCommit(() => keys.forEach((key) => this.listeners.get(channel)?.changed(key)));
  }

  /** Notifies all replicas of changed keys when the open transaction commits, by the feed only. */
  async notify(channel: string, ...keys: string[]): Promise<void> {
    const sql = `SELECT pg_notify($1, key), ${NOTIFY_TIME} FROM unnest($2::text[]) AS key`;
    await this.database.rows(sql, [channel, keys]);
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
      connectionString: this.primary.address,
      application_name: 'gatehouse-feed',
      connectionTimeoutMillis: 3_000,
      query_timeout: HEARTBEAT_MS,
    });
    this.client = client;
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === ANNOUNCED_AT) this.metrics.recordLag(Number(payload));
      else this.listeners.get(channel)?.changed(payload);
    });
    try {
      await client.connect();
      await this.primary.admit(client, () => this.lost(client, () => this.primary.endOurs(client)));
      await this.probe(client);
      for (const channel of [...this.listeners.keys(), ANNOUNCED_AT]) await client.query(`LISTEN ${channel}`);
      if (client !== this.client) return;
      this.up = true;
      this.metrics.recordAttempt(true);
      this.schedule(() => this.beat(client), HEARTBEAT_MS);
    } catch {
      this.lost(client);
    }
  }

  /**
   * Probes the connection, as a dead one may look alive; without a response the caches are
   * invalidated. If the connection was lost after the response, another one is being opened, and
   * this method must not delay it.
   */
  private async beat(client: Client): Promise<void> {
    try {
      await this.probe(client);
      if (client !== this.client) return;
      for (const listener of this.listeners.values()) listener.alive?.();
      this.schedule(() => this.beat(client), HEARTBEAT_MS);
    } catch {
      this.lost(client);
    }
  }

  private async probe(client: Client): Promise<void> {
    const sentAt = performance.now();
    const { rows } = await client.query<{ now: number }>(
      'SELECT extract(epoch FROM clock_timestamp())::float8 AS now',
    );
    if (rows[0]) this.metrics.compareClocks(rows[0].now, sentAt);
  }

  /** @param end of its server, after which it closes; by default it closes at once */
  private lost(client: Client, end = async (): Promise<void> => undefined): void {
    if (client !== this.client || this.stopped) return;
    this.client = undefined;
    if (this.up) this.logger.warn('The change feed was lost; caches are bypassed until it is back.');
    this.up = false;
    this.metrics.recordAttempt(false);
    for (const listener of this.listeners.values()) listener.lost();
    end()
      .then(() => client.end())
      .catch(() => undefined);
    this.schedule(() => this.connect(), RECONNECT_MS);
  }

  private schedule(work: () => Promise<void>, delayMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      work().catch((error: unknown) => {
        this.logger.error({ cause: describeCause(error) }, 'The change feed failed, and connects again.');
        this.schedule(() => this.connect(), RECONNECT_MS);
      });
    }, delayMs);
    this.timer.unref();
  }
}
