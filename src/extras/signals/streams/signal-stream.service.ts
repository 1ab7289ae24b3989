import { Inject, Injectable } from '@nestjs/common';
import { newId } from '../../../kernel/index.js';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { KeyDerivation, Sealer } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { ChangeFeed } from '../../../platform/live/index.js';
import { OutboundPost } from '../../../platform/outbound/index.js';
import type { Client } from '../../../client/index.js';
import { EndedSessionRepository } from '../events/ended-session.repository.js';
import { SignalEventRepository } from '../events/signal-event.repository.js';
import { Signals } from '../events/signals.js';
import {
  PUSH,
  SESSION_REVOKED,
  SIGNAL_TYPES,
  SIGNALS_CHANNEL,
  type StreamState,
  VERIFICATION,
} from '../signal-types.js';
import type { CreateStreamDto } from './signal-stream.dto.js';
import { MIN_VERIFICATION_SECONDS } from './signal-stream.response.js';
import { type SignalStream, SignalStreamRepository, type StreamTraits } from './signal-stream.repository.js';

/** Services accept an expired token for less. */
const CLOCK_SKEW_SECONDS = 60;
/** What a header of HTTP can have: another text would fail at each push. */
const HEADER_VALUE = /^[\x20-\x7e]+$/;
/** Streams of one client: one for each of its replicas. */
const MAX_STREAMS = 20;
/** Time for which a new stream waits for transactions that end sessions. */
const MAX_WAIT_MS = 5_000;

/** Manages the streams of clients (SSF 1.0 section 8.1). */
@Injectable()
export class SignalStreamService {
  private readonly sealer: Sealer;

  constructor(
    keys: KeyDerivation,
    private readonly database: Database,
    private readonly feed: ChangeFeed,
    private readonly outbound: OutboundPost,
    private readonly streams: SignalStreamRepository,
    private readonly events: SignalEventRepository,
    private readonly signals: Signals,
    private readonly ended: EndedSessionRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.sealer = new Sealer(keys, 'signal-authorization');
  }

  /**
   * Creates a stream. It begins with the ended sessions whose access tokens may be valid still.
   * @throws {AppError} conflict beyond {@link MAX_STREAMS}; validation-error on `delivery`
   */
  async create({ clientId }: Client, data: CreateStreamDto): Promise<SignalStream> {
    const traits = this.traitsOf(data);
    const id = newId();
    await this.database.transaction(async () => {
      await this.streams.lockClientForUpdate(clientId);
      if ((await this.streams.list(clientId)).length >= MAX_STREAMS)
        await this.streams.deleteLeftBehind(clientId);
      if ((await this.streams.list(clientId)).length >= MAX_STREAMS)
        throw new AppError('conflict', {
          detail: `A client can have ${MAX_STREAMS} streams. Delete one that is not in use.`,
        });
      await this.streams.insert(id, clientId, traits);
    });
    if (traits.eventsDelivered.includes(SESSION_REVOKED))
      await this.addRecentlyEnded(id, clientId, () => this.streams.delete(clientId, id));
    return this.get(clientId, id);
  }

  /** @throws {AppError} not-found, also for a stream of another client */
  async get(clientId: string, id: string): Promise<SignalStream> {
    const stream = await this.streams.find(clientId, id);
    if (!stream) throw new AppError('not-found');
    return stream;
  }

  list({ clientId }: Client): Promise<SignalStream[]> {
    return this.streams.list(clientId);
  }

  /**
   * Changes the given parts of a stream.
   * @throws {AppError} not-found; validation-error on `delivery`; unavailable
   */
  update({ clientId }: Client, id: string, data: CreateStreamDto): Promise<SignalStream> {
    return this.change(clientId, id, {
      ...(data.delivery && this.deliveryOf(data.delivery)),
      ...(data.events_requested && eventsOf(data.events_requested)),
      ...(data.description !== undefined && { description: data.description }),
    });
  }

  /**
   * Replaces a stream: what is not given gets its value in a new one (SSF 1.0 section 8.1.1.4).
   * @throws {AppError} as {@link update}
   */
  replace({ clientId }: Client, id: string, data: CreateStreamDto): Promise<SignalStream> {
    return this.change(clientId, id, this.traitsOf(data));
  }

  /**
   * Deletes a stream. Tells a receiver that waits for its events.
   * @throws {AppError} not-found
   */
  async delete({ clientId }: Client, id: string): Promise<void> {
    await this.database.transaction(async () => {
      if (!(await this.streams.delete(clientId, id))) throw new AppError('not-found');
      await this.feed.announce(SIGNALS_CHANNEL, id);
    });
  }

  /**
   * Enables, pauses or disables a stream. What a paused one holds is sent once it is enabled.
   * @throws {AppError} not-found
   */
  async setStatus(
    { clientId }: Client,
    id: string,
    status: StreamState,
    reason: string | null,
  ): Promise<SignalStream> {
    await this.get(clientId, id);
    await this.database.transaction(async () => {
      await this.streams.setStatus(clientId, id, status, reason);
      if (status === 'disabled') await this.events.removeAll(id);
      await this.feed.announce(SIGNALS_CHANNEL, id);
    });
    return this.get(clientId, id);
  }

  /**
   * Adds an event that proves that the stream works.
   * @throws {AppError} not-found; too-many-requests within {@link MIN_VERIFICATION_SECONDS}
   */
  async verify({ clientId }: Client, id: string, state: string | undefined): Promise<void> {
    await this.get(clientId, id);
    await this.database.transaction(async () => {
      if (!(await this.streams.noteVerification(id, MIN_VERIFICATION_SECONDS)))
        throw new AppError('too-many-requests', { retryAfterSeconds: MIN_VERIFICATION_SECONDS });
      const details = state === undefined ? {} : { state };
      await this.events.add([{ streamId: id, type: VERIFICATION, subject: null, sessionId: null, details }]);
      await this.feed.announce(SIGNALS_CHANNEL, id);
    });
  }

  /** A stream that tells of ended sessions from now on begins with them, as a new one does. */
  private async change(clientId: string, id: string, changes: Partial<StreamTraits>): Promise<SignalStream> {
    const { eventsRequested, eventsDelivered } = await this.get(clientId, id);
    // In a transaction, which is not committed late: nothing else tells a change from an older one.
    await this.database.transaction(() => this.streams.update(clientId, id, changes));
    const isNew = !eventsDelivered.includes(SESSION_REVOKED);
    if (isNew && changes.eventsDelivered?.includes(SESSION_REVOKED) === true)
      await this.addRecentlyEnded(id, clientId, () =>
        this.streams.update(clientId, id, { eventsRequested, eventsDelivered }),
      );
    return this.get(clientId, id);
  }

  /**
   * Adds the sessions that have ended lately, once the stream is committed and no end of a session
   * can miss it.
   * @param undo called if they cannot be added, as the stream would never tell of them
   * @throws {AppError} unavailable if a transaction takes long to end sessions
   */
  private async addRecentlyEnded(id: string, clientId: string, undo: () => Promise<unknown>): Promise<void> {
    try {
      if (!(await this.ended.waitForEnding(MAX_WAIT_MS))) throw new AppError('unavailable');
      const seconds = this.settings.ACCESS_TOKEN_TTL + CLOCK_SKEW_SECONDS;
      await this.database.transaction(() => this.signals.addRecentlyEnded(id, clientId, seconds));
    } catch (error) {
      await undo();
      throw error;
    }
  }

  /** @throws {AppError} validation-error on `delivery` */
  private traitsOf(data: CreateStreamDto): StreamTraits {
    return {
      ...this.deliveryOf(data.delivery),
      ...eventsOf(data.events_requested),
      description: data.description ?? null,
    };
  }

  /** @throws {AppError} validation-error for an address or header that cannot be pushed with */
  private deliveryOf(
    delivery: CreateStreamDto['delivery'],
  ): Pick<StreamTraits, 'method' | 'endpointUrl' | 'sealedAuthorization'> {
    if (delivery?.method !== PUSH) return { method: 'poll', endpointUrl: null, sealedAuthorization: null };
    const { endpoint_url: endpointUrl, authorization_header: header } = delivery;
    const fault = endpointUrl === undefined ? 'is missing' : this.outbound.findFault(endpointUrl);
    if (endpointUrl === undefined || fault !== null)
      throw AppError.violation('delivery.endpoint_url', fault ?? 'is missing');
    if (header !== undefined && !HEADER_VALUE.test(header))
      throw AppError.violation('delivery.authorization_header', 'must be in ASCII');
    return {
      method: 'push',
      endpointUrl,
      sealedAuthorization: header === undefined ? null : this.sealer.seal(header),
    };
  }
}

/** Types that are not supported are kept as requested, and not delivered. */
function eventsOf(
  requested: readonly string[] = SIGNAL_TYPES,
): Pick<StreamTraits, 'eventsRequested' | 'eventsDelivered'> {
  const types = [...new Set(requested)];
  return { eventsRequested: types, eventsDelivered: types.filter((type) => SIGNAL_TYPES.includes(type)) };
}
