import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { type LifecycleEvents, newId, type SessionId } from '../../kernel/index.js';
import { Counts, type Tally } from '../../platform/counts/index.js';
import { DeliveryEngine, type Receiver } from '../../platform/delivery/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { ChangeFeed } from '../../platform/live/index.js';
import { OutboundPost } from '../../platform/outbound/index.js';
import { type Client, ClientService } from '../../client/index.js';
import { sidOf } from '../subjects/subjects.js';
import { IdTokens } from '../token/id-tokens.js';
import { type LogoutClaim, LogoutNoticeRepository, type LogoutReceiver } from './logout-notice.repository.js';

/** Channel by which a replica tells the others of the clients of new notices. */
const NOTICES_CHANNEL = 'gatehouse_logout_notices';
/** Seconds for which a logout token is valid (Back-Channel Logout section 2.4: two minutes). */
const TOKEN_SECONDS = 120;
/** Delays before the second and further attempts, in seconds: 79 minutes in total. */
const DELAYS = [3, 7, 20, 55, 150, 400, 1_100, 3_000] as const;
const TIMEOUT_MS = 10_000;
/** Interval at which retries are looked for. */
const POLL_MS = 1_000;
/** Requests in flight of this replica: clients that hang leave some to those that answer. */
const LIMITS = { total: 200, untried: 150, failing: 200, each: 4 };
/** Ends of attempts. */
const ENDS = ['sent', 'postponed', 'given-up'] as const;
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** What is sent to the back channel of a client. */
export interface LogoutMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Creates the message to a client of another protocol. @returns null if it needs none */
export type LogoutSpeaker = (client: Client, sessionId: SessionId) => Promise<LogoutMessage | null>;

/**
 * Tells clients that a session has ended, whatever its cause (OpenID Connect Back-Channel Logout
 * 1.0), by the engine of deliveries (ADR 40). Notices are added in the transaction that ends the
 * session; each token is signed when it is sent.
 */
@Injectable()
export class BackchannelLogout implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Logouts');
  private readonly ends: Tally<(typeof ENDS)[number]>;
  private readonly speakers = new Map<Client['protocol'], LogoutSpeaker>();
  private readonly engine = new DeliveryEngine<LogoutReceiver & Receiver, LogoutClaim & Receiver>({
    name: 'Logouts',
    limits: LIMITS,
    scanMs: POLL_MS,
    list: async (after, limit) => (await this.notices.listWaiting(after, limit)).map(toReceiver),
    claim: async (targets, { total }) => (await this.notices.claim(targets, total)).map(toReceiver),
    send: (claim, aborting) => this.send(claim, aborting),
  });

  constructor(
    private readonly feed: ChangeFeed,
    private readonly outbound: OutboundPost,
    private readonly clients: ClientService,
    private readonly idTokens: IdTokens,
    private readonly notices: LogoutNoticeRepository,
    counts: Counts,
  ) {
    this.ends = counts.tally({
      name: 'logout-token',
      values: ENDS,
      metric: {
        name: 'gatehouse_logout_tokens_total',
        help: 'Attempts to send a logout token to a client, by outcome; postponed ones are sent again.',
        label: 'outcome',
      },
    });
  }

  onModuleInit(): void {
    this.feed.listen(NOTICES_CHANNEL, {
      changed: (clientId) => this.engine.claimFor([toReceiver({ clientId })]),
      lost: () => undefined,
    });
  }

  onApplicationBootstrap(): void {
    this.engine.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.engine.stop();
  }

  /** Sends what this creates to the clients of a protocol, in place of logout tokens. */
  speakBy(protocol: Client['protocol'], speaker: LogoutSpeaker): void {
    this.speakers.set(protocol, speaker);
  }

  /** Adds a notice for each client of the sessions that has a back channel. */
  @OnLifecycle('session.ended')
  async addNotices({ sessionIds }: LifecycleEvents['session.ended']): Promise<void> {
    const clientIds = await this.notices.add(sessionIds);
    if (clientIds.length > 0) await this.feed.announce(NOTICES_CHANNEL, ...clientIds);
  }

  /** Sends a logout token. @returns whether the client accepted it */
  private async send(claim: LogoutClaim, aborting: AbortSignal): Promise<boolean> {
    const { clientId, sessionId, attempts } = claim;
    const client = await this.clients.findEnabled(clientId);
    const message = client?.backchannelLogoutUri ? await this.messageFor(client, sessionId) : null;
    if (!client?.backchannelLogoutUri || !message) {
      await this.notices.remove(claim);
      return true;
    }
    const outcome = await this.outbound.post(client.backchannelLogoutUri, {
      ...message,
      timeoutMs: TIMEOUT_MS,
      aborting,
    });
    const fault = 'failure' in outcome ? outcome.failure : String(outcome.status);
    const isAccepted = /^20[04]$/.test(fault);
    if (isAccepted) {
      await this.notices.remove(claim);
      this.ends.count('sent');
    } else if (fault === 'aborted') await this.notices.release(claim, attempts, 0);
    else await this.postpone(claim, fault);
    return isAccepted;
  }

  private async messageFor(client: Client, sessionId: SessionId): Promise<LogoutMessage | null> {
    const speaker = this.speakers.get(client.protocol);
    if (speaker) return speaker(client, sessionId);
    const claims = { sid: sidOf(client, sessionId), jti: newId(), events: { [EVENT]: {} } };
    const token = await this.idTokens.signClaims(client, claims, {
      typ: 'logout+jwt',
      seconds: TOKEN_SECONDS,
    });
    return {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }).toString(),
    };
  }

  /** Sends it again later, up to the last attempt. */
  private async postpone(claim: LogoutClaim, fault: string): Promise<void> {
    const attempts = claim.attempts + 1;
    const delay = DELAYS[attempts - 1];
    this.ends.count(delay === undefined ? 'given-up' : 'postponed');
    if (delay !== undefined) return this.notices.release(claim, attempts, delay);
    this.logger.warn({ clientId: claim.clientId, fault }, 'A logout token was given up.');
    await this.notices.remove(claim);
  }
}

const toReceiver = <R extends LogoutReceiver>(row: R): R & Receiver => ({ ...row, key: row.clientId });
