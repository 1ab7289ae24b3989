import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Client } from 'pg';
import { DATABASE_URL } from '../platform/database/index.js';
import type { SessionId } from '../platform/http/index.js';
import { Metrics } from '../platform/observability/index.js';
import { SESSION_ENDED_CHANNEL, SessionRepository } from './session.repository.js';

/** The hard bound of contract section 2: no answer older than this is given. */
const MAX_AGE_MS = 5_000;
const MAX_SESSIONS = 50_000;
const HEARTBEAT_MS = 1_000;
const RECONNECT_MS = 500;

/**
 * Whether a session is alive, from memory for at most five seconds, and only while the feed of ended sessions (LISTEN) is healthy.
 * An entry is written only if the session did not end while it was being read.
 */
@Injectable()
export class SessionLiveness implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('SessionLiveness');
  private readonly alive = new LRUCache<SessionId, true>({ max: MAX_SESSIONS, ttl: MAX_AGE_MS });
  private readonly loading = new Map<SessionId, { ended: boolean; answer: Promise<boolean> }>();
  private feed: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private healthy = false;
  private stopped = false;

  constructor(
    private readonly sessions: SessionRepository,
    @Inject(DATABASE_URL) private readonly url: string,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'gatehouse_session_feed_up',
      'Whether the feed of ended sessions is heard (1) or not (0).',
      () => Number(this.healthy),
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.feed?.end().catch(() => undefined);
  }

  /** @throws when the database is out of reach: that is a 503 and never a 401 */
  async isAlive(id: SessionId): Promise<boolean> {
    if (!this.healthy) return this.sessions.isAlive(id);
    if (this.alive.has(id)) return true;
    const running = this.loading.get(id);
    if (running) return running.answer;
    const load = { ended: false, answer: this.sessions.isAlive(id) };
    this.loading.set(id, load);
    try {
      const answer = await load.answer;
      if (answer && !load.ended && this.healthy) this.alive.set(id, true);
      return answer && !load.ended;
    } finally {
      this.loading.delete(id);
    }
  }

  /** Forgets a session at once: it has ended. */
  ended(id: SessionId): void {
    this.alive.delete(id);
    const running = this.loading.get(id);
    if (running) running.ended = true;
  }

  private async connect(): Promise<void> {
    if (this.stopped) return;
    const feed = new Client({
      connectionString: this.url,
      application_name: 'gatehouse-feed',
      connectionTimeoutMillis: 3_000,
      query_timeout: HEARTBEAT_MS,
    });
    this.feed = feed;
    feed.on('error', () => this.lost(feed));
    feed.on('end', () => this.lost(feed));
    feed.on('notification', ({ payload }) => this.ended(payload as SessionId));
    try {
      await feed.connect();
      await feed.query(`LISTEN ${SESSION_ENDED_CHANNEL}`);
      this.healthy = true;
      this.schedule(() => this.beat(feed), HEARTBEAT_MS);
    } catch {
      this.lost(feed);
    }
  }

  /** A dead connection may look alive: ask it, and stop trusting the memory as soon as it does not answer. */
  private async beat(feed: Client): Promise<void> {
    try {
      await feed.query('SELECT 1');
      this.schedule(() => this.beat(feed), HEARTBEAT_MS);
    } catch {
      this.lost(feed);
    }
  }

  private lost(feed: Client): void {
    if (feed !== this.feed || this.stopped) return;
    this.feed = undefined;
    if (this.healthy)
      this.logger.warn(
        'The feed of ended sessions was lost; every check asks the database until it is back.',
      );
    this.healthy = false;
    this.alive.clear();
    feed.end().catch(() => undefined);
    this.schedule(() => this.connect(), RECONNECT_MS);
  }

  private schedule(work: () => Promise<void>, delayMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void work(), delayMs);
    this.timer.unref();
  }
}
