import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { findEventType } from '../../platform/events/index.js';
import { DeliveryRepository } from '../deliveries/delivery.repository.js';
import { EndpointRepository } from '../endpoints/endpoint.repository.js';
import { EndpointStatusChanges, type StopReason } from '../endpoints/endpoint-status-changes.js';
import { matchesType } from '../matching.js';
import { type Claim, ClaimsRepository, type Finish, type Position } from './claims.repository.js';

/** Delay of a delivery whose type this release does not know. */
const UNKNOWN_DELAY_SECONDS = 60;

/**
 * Pause after a statement about failed attempts. Receivers that hang end hundreds at a time, a few
 * in each turn of the event loop, and nothing waits for what is recorded of them.
 */
const FAILED_PAUSE_MS = 50;

/** Records what became of claimed deliveries, and of their subscriptions. */
@Injectable()
export class FinishedDeliveries {
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
  ) {}

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

  /** Records the attempt. With an order, the next delivery of the key follows a finished one. */
  async record(finish: Finish): Promise<void> {
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
  async noteHealth(
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
