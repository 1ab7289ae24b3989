import { Injectable } from '@nestjs/common';
import { Counts, type Tally } from '../../platform/counts/index.js';
import type { Bounds, Target } from '../../platform/delivery/index.js';
import type { FeedEvent } from '../../platform/events/index.js';
import { OutboundPost, type PostOutcome } from '../../platform/outbound/index.js';
import type { StopReason } from '../endpoints/endpoint-status-changes.js';
import { EventReaders } from '../endpoints/event-readers.js';
import { type Claim, ClaimsRepository, type Subscriber } from './claims.repository.js';
import { EventBodies } from './event-body.js';
import { FinishedDeliveries } from './finished-deliveries.js';
import { Signatures } from './signatures.js';

/** Name of the count of attempts. */
export const DELIVERY = 'delivery';

const TIMEOUT_MS = 15_000;
/** Largest body of a delivery. */
const MAX_BODY_BYTES = 20_480;
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

/** A claimed delivery, with its event; null if that has expired, or for a test. */
export type EventClaim = Claim & { readonly event: FeedEvent | null };

/** What a response means. */
interface Verdict {
  readonly error: string | null;
  readonly isFinal: boolean;
  readonly disables: StopReason | null;
  readonly retryAfter: number | null;
}

/** Claims deliveries with their events, sends each, and has what became of it recorded. */
@Injectable()
export class Deliverer {
  private readonly attempts: Tally<(typeof ATTEMPTS)[number]>;
  constructor(
    private readonly claims: ClaimsRepository,
    private readonly bodies: EventBodies,
    private readonly readers: EventReaders,
    private readonly signatures: Signatures,
    private readonly outbound: OutboundPost,
    private readonly finished: FinishedDeliveries,
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

  /** Claims deliveries. If their events cannot be read, returns the claims at once. */
  async claim(targets: readonly Target<Subscriber>[], bounds: Bounds): Promise<EventClaim[]> {
    const claims = await this.claims.claim(targets, bounds);
    if (claims.length === 0) return [];
    try {
      const events = await this.bodies.findEvents(claims);
      return claims.map((claim, n) => Object.assign(claim, { event: events[n] ?? null }));
    } catch (error) {
      for (const claim of claims) await this.claims.release(claim);
      throw error;
    }
  }

  /**
   * @param event of the delivery; null if it has expired, or for a test
   * @returns whether the receiver accepted it
   */
  async deliver(claim: Claim, event: FeedEvent | null, aborting: AbortSignal): Promise<boolean> {
    // Who sent a test may read its type.
    if (!claim.isTest && !(await this.readers.mayRead(claim, [claim.type])))
      return this.finished.refuse(claim);
    const body = await this.bodies.textOf(claim, event);
    if (body === null || Buffer.byteLength(body) > MAX_BODY_BYTES) {
      const error = body === null ? 'event-expired' : 'event-too-large';
      await this.finished.recordUnsent(claim, error);
      return true;
    }
    const seconds = Math.floor(Date.now() / 1_000);
    const began = performance.now();
    const outcome = await this.outbound.post(claim.url, {
      headers: {
        'content-type': 'application/json',
        'webhook-id': claim.eventId,
        'webhook-timestamp': String(seconds),
        'webhook-signature': this.signatures.sign(claim, claim.eventId, seconds, body),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      aborting,
    });
    if ('failure' in outcome && aborting.aborted) {
      await this.claims.release(claim);
      return false;
    }
    return this.judge(claim, outcome, performance.now() - began);
  }

  private async judge(claim: Claim, outcome: PostOutcome, ms: number): Promise<boolean> {
    const { error, isFinal, disables, retryAfter } = verdictOf(outcome);
    const counts = !claim.isProbe || error === null;
    const delay = counts ? nextDelay(claim.attempts + 1, retryAfter) : PROBE_DELAY_SECONDS;
    const isOver = isFinal || delay === null || claim.isTest;
    await this.finished.record({
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
    await this.finished.noteHealth(claim, error === null, disables);
    return error === null;
  }

  private count({ tenantId, endpointId, isTest }: Claim, end: (typeof ATTEMPTS)[number]): void {
    if (!isTest) this.attempts.count(end, { tenantId, source: endpointId });
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
