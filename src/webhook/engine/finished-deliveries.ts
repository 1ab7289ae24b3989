import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Counts, type Tally } from '../../platform/counts/index.js';
import { Database } from '../../platform/database/index.js';
import { findEventType } from '../../platform/events/index.js';
import type { PostOutcome } from '../../platform/outbound/index.js';
import { DeliveryRepository } from '../deliveries/delivery.repository.js';
import { EndpointRepository } from '../endpoints/endpoint.repository.js';
import { EndpointStatusChanges, type StopReason } from '../endpoints/endpoint-status-changes.js';
import { matchesType } from '../matching.js';
import { type Claim, ClaimsRepository, type Finish, type Position } from './claims.repository.js';

/** Name of the count of attempts. */
export const DELIVERY = 'delivery';

/** Delay of a delivery whose attempt says nothing about the receiver. */
const PROBE_DELAY_SECONDS = 0;
/** Delays before the second and further attempts, in seconds: 32 hours in total. */
const DELAYS = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400] as const;
/** Random part of a delay, so that retries of many deliveries do not come at once. */
const JITTER = 0.2;
/** Longest wait that a receiver can ask for. */
const MAX_RETRY_AFTER = 3_600;

/** Ends of attempts: no response is `unreachable`, another response than 2xx `refused`. */
export const ATTEMPTS = ['delivered', 'refused', 'unreachable'] as const;

/** Delay of a delivery whose type this release does not know. */
const UNKNOWN_DELAY_SECONDS = 60;

/**
 * Pause after a statement about failed attempts. Receivers that hang end hundreds at a time, a few
 * in each turn of the event loop, and nothing waits for what is recorded of them.
 */
const FAILED_PAUSE_MS = 50;

/** What a response means. */
interface Verdict {
  readonly error: string | null;
  readonly isFinal: boolean;
  readonly disables: StopReason | null;
  readonly retryAfter: number | null;
}

/** Records what became of claimed deliveries, and of their subscriptions. */
@Injectable()
export class FinishedDeliveries {
  private readonly attempts: Tally<(typeof ATTEMPTS)[number]>;
  /** Deliveries that end together are recorded by one statement; no success waits for failures. */
  private readonly successes = new Batches<Finish>((finishes) => this.finish(finishes));
  private readonly failures = new Batches<Finish>((finishes) => this.finish(finishes), FAILED_PAUSE_MS);
  private readonly failed = new Batches<Position, boolean>(
    (endpoints) => this.endpoints.noteFailures(endpoints),
    FAILED_PAUSE_MS,
  );

  constructor(
    private readonly database: Database,
    private readonly claims: ClaimsRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly endpoints: EndpointRepository,
    private readonly statuses: EndpointStatusChanges,
    counts: Counts,
  ) {
    this.attempts = counts.tally({
      name: DELIVERY,
      values: ATTEMPTS,
      metric: {
        name: 'gatehouse_webhook_attempts_total',
        help: 'Attempts to deliver an event to a webhook, by outcome. "refused" is a response other than 2xx, "unreachable" none.',
        label: 'outcome',
      },
    });
  }

  /**
   * Disables a subscription whose creator may not read a type. Not for a type that it no longer
   * asks for, as another creator gave it up, nor for one of another release that runs next to this.
   */
  async refuse(claim: Claim): Promise<boolean> {
    const { tenantId, endpointId, type } = claim;
    if (!findEventType(type)) {
      await this.claims.release(claim, UNKNOWN_DELAY_SECONDS);
      return true;
    }
    const endpoint = await this.endpoints.find(tenantId, endpointId);
    if (endpoint && !endpoint.types.some((filter) => matchesType(filter, type))) {
      await this.recordUnsent(claim, 'scope-lost');
      return true;
    }
    await this.claims.release(claim);
    await this.statuses.stop(tenantId, endpointId, 'scope-lost');
    return false;
  }

  /** Records a delivery that is over before it was sent. */
  recordUnsent(claim: Claim, error: string): Promise<void> {
    const nothingSent = { delay: 0, counts: false, status: null, excerpt: null, ms: 0 };
    return this.record({ ...nothingSent, claim, state: 'dead', error });
  }

  /**
   * Records an attempt by what was answered, and the health of the receiver.
   * @param ms that the attempt took
   * @returns whether the receiver accepted it
   */
  async judge(claim: Claim, outcome: PostOutcome, ms: number): Promise<boolean> {
    const { error, isFinal, disables, retryAfter } = verdictOf(outcome);
    const counts = !claim.isProbe || error === null;
    const delay = counts ? nextDelay(claim.attempts + 1, retryAfter) : PROBE_DELAY_SECONDS;
    const isOver = isFinal || delay === null || claim.isTest;
    await this.record({
      claim,
      state: error === null ? 'delivered' : isOver ? 'dead' : 'due',
      delay: delay ?? 0,
      counts,
      status: 'status' in outcome ? outcome.status : null,
      error,
      excerpt: 'status' in outcome ? outcome.excerpt : null,
      ms,
    });
    this.count(claim, error === null ? 'delivered' : 'failure' in outcome ? 'unreachable' : 'refused');
    await this.noteHealth(claim, error === null, disables);
    return error === null;
  }

  private count({ tenantId, endpointId, isTest }: Claim, end: (typeof ATTEMPTS)[number]): void {
    if (!isTest) this.attempts.count(end, { tenantId, source: endpointId });
  }

  /** Records the attempt. With an order, the next delivery of the key follows a finished one. */
  private async record(finish: Finish): Promise<void> {
    const { tenantId, endpointId, orderKey } = finish.claim;
    if (orderKey === null || finish.state === 'due')
      return (finish.error === null ? this.successes : this.failures).add(finish);
    await this.database.transaction(async () => {
      await this.endpoints.findForUpdate(tenantId, endpointId);
      if ((await this.claims.finish([finish])) > 0)
        await this.deliveries.promote(tenantId, endpointId, orderKey);
    });
  }

  private async finish(finishes: readonly Finish[]): Promise<void[]> {
    await this.claims.finish(finishes);
    return finishes.map(() => undefined);
  }

  /**
   * Notes the health of the receiver, and disables a subscription whose receiver has failed for
   * long.
   * @param disables reason in the response to disable it; null for none
   */
  private async noteHealth(
    { tenantId, endpointId, isFailing, isTest }: Claim,
    succeeded: boolean,
    disables: StopReason | null,
  ): Promise<void> {
    if (succeeded) {
      if (isFailing) await this.endpoints.noteSuccess(tenantId, endpointId);
    } else if (!isTest && (await this.failed.add({ tenantId, endpointId })))
      await this.statuses.stop(tenantId, endpointId, 'failing');
    if (disables) await this.statuses.stop(tenantId, endpointId, disables);
  }
}

function verdictOf(outcome: PostOutcome): Verdict {
  const verdict: Verdict = { error: null, isFinal: false, disables: null, retryAfter: null };
  if ('failure' in outcome) return { ...verdict, error: outcome.failure };
  const { status, headers } = outcome;
  const asked = headers['webhook-delivery'];
  const disables = status === 410 ? 'gone' : asked === 'disable' ? 'refused-by-receiver' : null;
  if (status >= 200 && status < 300) return { ...verdict, disables };
  return {
    error: status >= 300 && status < 400 ? 'redirect' : 'status',
    isFinal: disables !== null || asked === 'abort-message',
    disables,
    retryAfter: readRetryAfter(headers['retry-after'], Date.now()),
  };
}

/**
 * Returns the seconds until the next attempt.
 * @param attempts number of failed attempts
 * @param retryAfter seconds that the receiver asked for
 * @returns null if there is none
 */
export function nextDelay(attempts: number, retryAfter: number | null, random = Math.random): number | null {
  const delay = DELAYS[attempts - 1];
  if (delay === undefined) return null;
  const spread = delay * (1 + JITTER * (2 * random() - 1));
  return Math.max(spread, Math.min(retryAfter ?? 0, MAX_RETRY_AFTER));
}

/** Reads Retry-After (RFC 9110 section 10.2.3): seconds, or a date. @returns null without one */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1_000);
}

/** Items that one statement writes. */
const MAX_BATCH = 200;

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes items by one statement at a time: those that come while it runs share the next one, and so
 * one commit. A single item waits for none, except for the pause after the last one.
 */
export class Batches<T, R = void> {
  private waiting: Waiting<T, R>[] = [];
  private isWriting = false;

  /**
   * @param writeAll writes items by one statement, and returns a result for each
   * @param pauseMs pause after a statement, in which more items come that share the next one
   */
  constructor(
    private readonly writeAll: (items: readonly T[]) => Promise<readonly R[]>,
    private readonly pauseMs = 0,
  ) {}

  /** @returns the result of an item when it is written */
  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.isWriting) this.writeWaiting().catch(reject);
    });
  }

  private async writeWaiting(): Promise<void> {
    this.isWriting = true;
    try {
      while (this.waiting.length > 0) {
        await this.write(this.waiting.splice(0, MAX_BATCH));
        if (this.pauseMs > 0) await sleep(this.pauseMs);
      }
    } finally {
      this.isWriting = false;
    }
  }

  /**
   * Writes a batch by one statement. If it fails, such as by a deadlock with a cleanup, each is
   * written by itself: what fails of one must not send the deliveries of others again.
   */
  private async write(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.writeAll(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, n) => resolve(results[n] as R));
    } catch (error) {
      if (batch.length === 1) batch.forEach(({ reject }) => reject(error));
      else await Promise.all(batch.map((one) => this.write([one])));
    }
  }
}
