import { Injectable } from '@nestjs/common';
import type { Bounds, Target } from '../../platform/delivery/index.js';
import type { FeedEvent } from '../../platform/events/index.js';
import { OutboundPost } from '../../platform/outbound/index.js';
import { EventReaders } from '../endpoints/event-readers.js';
import { type Claim, ClaimsRepository, type Subscriber } from './claims.repository.js';
import { EventBodies } from './event-body.js';
import { FinishedDeliveries } from './finished-deliveries.js';
import { Signatures } from './signatures.js';

const TIMEOUT_MS = 15_000;
/** Largest body of a delivery. */
const MAX_BODY_BYTES = 20_480;

/** A claimed delivery, with its event; null if that has expired, or for a test. */
export type EventClaim = Claim & { readonly event: FeedEvent | null };

/** Claims deliveries with their events, and sends each. */
@Injectable()
export class Deliverer {
  constructor(
    private readonly claims: ClaimsRepository,
    private readonly bodies: EventBodies,
    private readonly readers: EventReaders,
    private readonly signatures: Signatures,
    private readonly outbound: OutboundPost,
    private readonly finished: FinishedDeliveries,
  ) {}

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

  /** @returns whether the receiver accepted it */
  async deliver(claim: EventClaim, aborting: AbortSignal): Promise<boolean> {
    // Who sent a test may read its type.
    if (!claim.isTest && !(await this.readers.mayRead(claim, [claim.type])))
      return this.finished.refuse(claim);
    const body = await this.bodies.textOf(claim, claim.event);
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
    return this.finished.judge(claim, outcome, performance.now() - began);
  }
}
