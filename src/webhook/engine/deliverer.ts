import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { Counts, type Tally } from '../../platform/counts/index.js';
import { type FeedEvent, findEventType } from '../../platform/events/index.js';
import { OutboundPost, type PostOutcome } from '../../platform/outbound/index.js';
import { DeliveryRepository } from '../deliveries/delivery.repository.js';
import { EndpointRepository } from '../endpoints/endpoint.repository.js';
import { EndpointStop, type StopReason } from '../endpoints/endpoint-stop.js';
import { EventReaders } from '../endpoints/event-readers.js';
import { matchesType } from '../matching.js';
import { Batches } from './batches.js';
import { type Claim, ClaimsRepository, type Finish, type Position } from './claims.repository.js';
import { EventBodies } from './event-body.js';
import { Signatures } from './signatures.js';

/** Name of the count of attempts. */
export const DELIVERY = 'delivery';

const TIMEOUT_MS = 15_000;
/** Largest body of a delivery. */
const MAX_BODY_BYTES = 20_480;
/** Delay of a delivery whose attempt says nothing about the receiver. */
const PROBE_DELAY_SECONDS = 0;
/** Delay of a delivery whose type this release does not know. */
const UNKNOWN_DELAY_SECONDS = 60;

/**
 * Pause after a statement about failed attempts. Receivers that hang end hundreds at a time, a few
 * in each turn of the event loop, and nothing waits for what is recorded of them.
 */
const FAILED_PAUSE_MS = 50;

/** Delays before the second and further attempts, in seconds: 32 hours in total. */
const DELAYS = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400] as const;
/** Random part of a delay, so that retries of many deliveries do not come at once. */
const JITTER = 0.2;
/** Longest wait that a receiver can ask for. */
const MAX_RETRY_AFTER = 3_600;

/** Ends of attempts: no response is `unreachable`, another response than 2xx `refused`. */
export const ATTEMPTS = ['delivered', 'refused', 'unreachable'] as const;

/** What a response means. */
interface Verdict {
  readonly error: string | null;
  readonly isFinal: boolean;
  readonly disables: StopReason | null;
  readonly retryAfter: number | null;
}

/** Sends one claimed delivery and records what became of it. */
@Injectable()
export class Deliverer {
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
    private readonly outbound: OutboundPost,
    private readonly bodies: EventBodies,
    private readonly signatures: Signatures,
    private readonly readers: EventReaders,
    private readonly claims: ClaimsRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly endpoints: EndpointRepository,
    private readonly stops: EndpointStop,
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
   * @param event of the delivery; null if it has expired, or for a test
   * @returns whether the receiver accepted it
   */
  async deliver(claim: Claim, event: FeedEvent | null, aborting: AbortSignal): Promise<boolean> {
    // Who sent a test may read its type.
    if (!claim.isTest && !(await this.readers.mayRead(claim, [claim.type]))) return this.refuse(claim);
    const body = await this.bodies.textOf(claim, event);
    if (body === null || Buffer.byteLength(body) > MAX_BODY_BYTES) {
      const error = body === null ? 'event-expired' : 'event-too-large';
      await this.record({ ...nothingSent(claim), state: 'dead', error });
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

  /**
   * Disables a subscription whose creator may not read a type. Not for a type that it no longer
   * asks for, as another creator gave it up, nor for one of another release that runs next to this.
   */
  private async refuse(claim: Claim): Promise<boolean> {
    const { tenantId, endpointId, type } = claim;
    if (!findEventType(type)) {
      await this.claims.release(claim, UNKNOWN_DELAY_SECONDS);
      return true;
    }
    const endpoint = await this.endpoints.find(tenantId, endpointId);
    if (endpoint && !endpoint.types.some((filter) => matchesType(filter, type))) {
      await this.record({ ...nothingSent(claim), state: 'dead', error: 'scope-lost' });
      return true;
    }
    await this.claims.release(claim);
    await this.stops.stop(tenantId, endpointId, 'scope-lost');
    return false;
  }

  private async judge(claim: Claim, outcome: PostOutcome, ms: number): Promise<boolean> {
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
    await this.noteHealth(claim, error === null);
    if (disables) await this.stops.stop(claim.tenantId, claim.endpointId, disables);
    return error === null;
  }

  private count({ tenantId, endpointId, isTest }: Claim, end: (typeof ATTEMPTS)[number]): void {
    if (!isTest) this.attempts.count(end, { tenantId, source: endpointId });
  }

  private async noteHealth(
    { tenantId, endpointId, isFailing, isTest }: Claim,
    succeeded: boolean,
  ): Promise<void> {
    if (succeeded) {
      if (isFailing) await this.endpoints.noteSuccess(tenantId, endpointId);
    } else if (!isTest && (await this.failed.add({ tenantId, endpointId })))
      await this.stops.stop(tenantId, endpointId, 'failing');
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
}

const nothingSent = (claim: Claim) => ({
  claim,
  delay: 0,
  counts: false,
  status: null,
  excerpt: null,
  ms: 0,
});

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
