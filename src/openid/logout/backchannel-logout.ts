import { Injectable } from '@nestjs/common';
import { type LifecycleEvents, newId, type SessionId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { OutboundPost } from '../../platform/outbound/index.js';
import { SatelliteService } from '../../satellite/index.js';
import { IdTokens } from '../token/id-tokens.js';

const SEND_LOGOUT_TOKEN = 'send_logout_token';
/** Seconds for which a logout token is valid (Back-Channel Logout section 2.4: two minutes). */
const TOKEN_SECONDS = 120;
/** Attempts: with the pauses of the queue, the ninth is some 80 minutes after the first. */
const MAX_ATTEMPTS = 9;
const TIMEOUT_MS = 10_000;
/** Time for which a client gets no token after a request without a response. */
const PAUSE_MS = 10_000;
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** What a job knows: no person. */
interface Notice {
  readonly clientId: string;
  readonly sessionId: SessionId;
}

/**
 * Tells clients that a session has ended, whatever its cause (OpenID Connect Back-Channel Logout
 * 1.0). The jobs are queued in the transaction that ends it; each signs its token when it is sent.
 */
@Injectable()
export class BackchannelLogout {
  /** Times until which clients that hang get no token, by their ids. */
  private readonly pausedUntil = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly outbound: OutboundPost,
    private readonly satellites: SatelliteService,
    private readonly idTokens: IdTokens,
  ) {}

  /** Queues a notice for each client of the sessions that has a back channel. */
  @OnLifecycle('session.ended')
  async queueNotices({ sessionIds }: LifecycleEvents['session.ended']): Promise<void> {
    const notices = await this.database.rows<Notice>(
      `SELECT DISTINCT g.session_id AS "sessionId", g.client_id AS "clientId"
       FROM grants g JOIN satellites s ON s.client_id = g.client_id
       WHERE g.session_id = ANY($1) AND s.backchannel_logout_uri IS NOT NULL AND s.disabled_at IS NULL`,
      [sessionIds],
    );
    for (const notice of notices)
      await this.jobs.add(SEND_LOGOUT_TOKEN, notice, { maxAttempts: MAX_ATTEMPTS });
  }

  /**
   * Sends a logout token. A client that hangs gets one at a time, with pauses: the jobs of all its
   * sessions would hold back mails and the tokens of other clients.
   * @throws if the client does not accept it, or is paused: the queue tries again
   */
  @JobHandler({ task: SEND_LOGOUT_TOKEN })
  async send({ clientId, sessionId }: Notice, stop: AbortSignal): Promise<void> {
    const client = await this.satellites.findEnabled(clientId);
    if (!client?.backchannelLogoutUri) return;
    this.requireNotPaused(clientId);
    const claims = { sid: sessionId, jti: newId(), events: { [EVENT]: {} } };
    const token = await this.idTokens.signClaims(client, claims, {
      typ: 'logout+jwt',
      seconds: TOKEN_SECONDS,
    });
    const outcome = await this.outbound.post(client.backchannelLogoutUri, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }).toString(),
      timeoutMs: TIMEOUT_MS,
      aborting: stop,
    });
    if ('failure' in outcome && /^(?:timeout|host-busy)$/.test(outcome.failure)) this.pause(clientId);
    else this.pausedUntil.delete(clientId);
    const fault = 'failure' in outcome ? outcome.failure : String(outcome.status);
    if (!/^20[04]$/.test(fault))
      throw new Error(`The client ${clientId} did not accept a logout token: ${fault}`);
  }

  /** After a pause, the first job is a probe: the others wait for what becomes of it. */
  private requireNotPaused(clientId: string): void {
    const until = this.pausedUntil.get(clientId);
    if (until === undefined) return;
    if (until > performance.now())
      throw new Error(`The client ${clientId} did not answer the last logout token in time.`);
    this.pausedUntil.set(clientId, performance.now() + TIMEOUT_MS);
  }

  private pause(clientId: string): void {
    this.pausedUntil.set(clientId, performance.now() + PAUSE_MS);
  }
}
