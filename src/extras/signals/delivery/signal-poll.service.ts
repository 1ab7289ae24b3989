import { Injectable } from '@nestjs/common';
import { isUlid } from '../../../kernel/index.js';
import { AppError } from '../../../platform/errors/index.js';
import type { Client } from '../../../client/index.js';
import { SignalEventRepository } from '../events/signal-event.repository.js';
import { SignalStreamRepository } from '../streams/signal-stream.repository.js';
import { SignalNews } from './signal-news.js';
import { SignalTokens } from './signal-tokens.js';

/** Events of one answer. */
export const MAX_POLLED = 100;
/** Time for which a request without events waits for one (RFC 8936 section 2.3). */
const WAIT_MS = 20_000;

interface Poll {
  readonly maxEvents: number;
  readonly returnImmediately: boolean;
  /** Ids of events that the receiver has, or refuses. */
  readonly done: readonly string[];
}

interface Polled {
  readonly sets: Readonly<Record<string, string>>;
  readonly moreAvailable: boolean;
}

/** Hands out security events to receivers that ask for them (RFC 8936). */
@Injectable()
export class SignalPollService {
  constructor(
    private readonly streams: SignalStreamRepository,
    private readonly events: SignalEventRepository,
    private readonly tokens: SignalTokens,
    private readonly news: SignalNews,
  ) {}

  /**
   * Removes what the receiver has acknowledged, and returns what waits; without any, waits for it.
   * @param stop ends the wait, as the receiver has gone
   * @throws {AppError} not-found for a stream of another client, and one that is pushed
   */
  async poll(
    client: Client,
    streamId: string,
    { maxEvents, returnImmediately, done }: Poll,
    stop: AbortSignal,
  ): Promise<Polled> {
    await this.requirePolled(client, streamId);
    await this.events.remove(streamId, done.filter(isUlid));
    await this.streams.notePoll(streamId);
    if (returnImmediately || maxEvents === 0) return this.read(client, streamId, maxEvents);
    const news = this.news.expect(streamId);
    try {
      const found = await this.read(client, streamId, maxEvents);
      if (Object.keys(found.sets).length > 0) return found;
      await news.wait(WAIT_MS, stop);
      return await this.read(client, streamId, maxEvents);
    } finally {
      news.end();
    }
  }

  private async read(client: Client, streamId: string, maxEvents: number): Promise<Polled> {
    const { status } = await this.requirePolled(client, streamId);
    if (status !== 'enabled') return { sets: {}, moreAvailable: false };
    const waiting = await this.events.list(streamId, maxEvents + 1);
    const sets: Record<string, string> = {};
    for (const event of waiting.slice(0, maxEvents)) sets[event.id] = await this.tokens.sign(client, event);
    return { sets, moreAvailable: waiting.length > maxEvents };
  }

  private async requirePolled({ clientId }: Client, streamId: string) {
    // The database refuses some texts that a path can hold.
    const stream = isUlid(streamId) ? await this.streams.find(clientId, streamId) : null;
    if (stream?.method !== 'poll') throw new AppError('not-found');
    return stream;
  }
}
