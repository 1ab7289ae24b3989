import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ChangeFeed } from '../../../platform/live/index.js';
import { SIGNALS_CHANNEL } from '../signal-types.js';

/** Time to wait while notifications of other replicas are lost. */
const WITHOUT_FEED_MS = 500;

interface Expectation {
  /** Waits until an event has come, the time is over, or the signal ends it. */
  readonly wait: (ms: number, stop: AbortSignal) => Promise<void>;
  /** Ends it. Always call it. */
  readonly end: () => void;
}

/** Tells who waits for events of a stream that one has come, on whichever replica. */
@Injectable()
export class SignalNews implements OnModuleInit, BeforeApplicationShutdown {
  private readonly listeners: (() => void)[] = [];
  private readonly waiting = new Map<string, Set<() => void>>();
  private stopped = false;

  constructor(private readonly feed: ChangeFeed) {}

  onModuleInit(): void {
    this.feed.listen(SIGNALS_CHANNEL, {
      changed: (streamId) => this.tell(streamId),
      // Notifications are lost until the feed is back: those who wait look for themselves.
      lost: () => this.releaseAll(),
    });
  }

  beforeApplicationShutdown(): void {
    this.stopped = true;
    this.releaseAll();
  }

  /** Calls a listener for each stream with a new event. */
  onAny(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Begins to wait for an event of a stream: call it before looking for one, to miss none. */
  expect(streamId: string): Expectation {
    const { promise: came, resolve: end } = Promise.withResolvers<void>();
    const waiting = this.waiting.get(streamId) ?? new Set();
    this.waiting.set(streamId, waiting.add(end));
    return {
      end: () => {
        waiting.delete(end);
        if (waiting.size === 0 && this.waiting.get(streamId) === waiting) this.waiting.delete(streamId);
      },
      wait: async (ms, stop) => {
        if (this.stopped || stop.aborted) return;
        const timer = setTimeout(end, this.feed.healthy ? ms : WITHOUT_FEED_MS);
        stop.addEventListener('abort', () => end());
        await came;
        clearTimeout(timer);
      },
    };
  }

  private tell(streamId: string): void {
    for (const release of this.waiting.get(streamId) ?? []) release();
    for (const listener of this.listeners) listener();
  }

  private releaseAll(): void {
    for (const waiting of this.waiting.values()) for (const release of waiting) release();
  }
}
