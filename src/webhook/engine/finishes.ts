import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { EndpointRepository } from '../endpoints/endpoint.repository.js';
import { Batches } from './batches.js';
import { ClaimsRepository, type Finish } from './claims.repository.js';

/**
 * Pause after a statement about failed attempts. Receivers that hang end hundreds at a time, a few
 * in each turn of the event loop, and nothing waits for what is recorded of them.
 */
const FAILED_PAUSE_MS = 50;

/** Subscription whose delivery has failed. */
interface Failed {
  readonly tenantId: TenantId;
  readonly endpointId: string;
}

/**
 * Records what became of deliveries, those that end together by one statement. Failed attempts by
 * statements of their own, for which no success waits.
 */
@Injectable()
export class Finishes {
  private readonly successes: Batches<Finish, null>;
  private readonly attempts: Batches<Finish, null>;
  private readonly failures: Batches<Failed, boolean>;

  constructor(claims: ClaimsRepository, endpoints: EndpointRepository) {
    const finish = async (finishes: readonly Finish[]): Promise<null[]> => {
      await claims.finish(finishes);
      return finishes.map(() => null);
    };
    this.successes = new Batches(finish);
    this.attempts = new Batches(finish, FAILED_PAUSE_MS);
    this.failures = new Batches((failed) => endpoints.noteFailures(failed), FAILED_PAUSE_MS);
  }

  /** @returns when it is recorded */
  async record(finish: Finish): Promise<void> {
    await (finish.error === null ? this.successes : this.attempts).add(finish);
  }

  /** Counts a failure of a subscription. @returns whether it has been failing for too long */
  noteFailure(failed: Failed): Promise<boolean> {
    return this.failures.add(failed);
  }
}
