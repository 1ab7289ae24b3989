import { Injectable } from '@nestjs/common';
import { newId } from '../../../kernel/index.js';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { ChangeFeed } from '../../../platform/live/index.js';
import type { Client } from '../../../client/index.js';
import { SignalEventRepository } from '../events/signal-event.repository.js';
import { RecentSessions } from '../events/recent-sessions.js';
import { SESSION_REVOKED, SIGNALS_CHANNEL, type StreamState, VERIFICATION } from '../signal-types.js';
import { type CreateStreamDto, MIN_VERIFICATION_SECONDS } from './signal-stream.dto.js';
import { type SignalStream, SignalStreamRepository, type StreamTraits } from './signal-stream.repository.js';
import { eventsOf, StreamDelivery } from './stream-delivery.js';

/** Streams of one client: one for each of its replicas. */
const MAX_STREAMS = 20;
/** Manages the streams of clients (SSF 1.0 section 8.1). */
@Injectable()
export class SignalStreamService {
  constructor(
    private readonly database: Database,
    private readonly streams: SignalStreamRepository,
    private readonly deliveries: StreamDelivery,
    private readonly recent: RecentSessions,
    private readonly events: SignalEventRepository,
    private readonly feed: ChangeFeed,
  ) {}

  /**
   * Creates a stream. It begins with the ended sessions whose access tokens may be valid still.
   * @throws {AppError} conflict beyond {@link MAX_STREAMS}; validation-error on `delivery`
   */
  async create({ clientId }: Client, data: CreateStreamDto): Promise<SignalStream> {
    const traits = this.deliveries.traitsOf(data);
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
      await this.recent.addTo(id, clientId, () => this.streams.delete(clientId, id));
    return this.get(clientId, id);
  }

  /** @throws {AppError} not-found, also for a stream of another client */
  async get(clientId: string, id: string): Promise<SignalStream> {
    return (await this.streams.find(clientId, id)) ?? AppError.notFound();
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
      ...(data.delivery && this.deliveries.deliveryOf(data.delivery)),
      ...(data.events_requested && eventsOf(data.events_requested)),
      ...(data.description !== undefined && { description: data.description }),
    });
  }

  /**
   * Replaces a stream: what is not given gets its value in a new one (SSF 1.0 section 8.1.1.4).
   * @throws {AppError} as {@link update}
   */
  replace({ clientId }: Client, id: string, data: CreateStreamDto): Promise<SignalStream> {
    return this.change(clientId, id, this.deliveries.traitsOf(data));
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
      await this.recent.addTo(id, clientId, () =>
        this.streams.update(clientId, id, { eventsRequested, eventsDelivered }),
      );
    return this.get(clientId, id);
  }
}
