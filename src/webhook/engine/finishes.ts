import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { EndpointRepository } from '../endpoints/endpoint.repository.js';
import { Batches } from './batches.js';
import { ClaimsRepository, type Finish } from './claims.repository.js';

/** Subscription whose delivery has failed. */
interface Failed {
  readonly tenantId: TenantId;
  readonly endpointId: string;
}

/** Records what became of deliveries, those that end together by one statement. */
@Injectable()
export class Finishes {
  private readonly finishes: Batches<Finish, null>;
  private readonly failures: Batches<Failed, boolean>;

  constructor(claims: ClaimsRepository, endpoints: EndpointRepository) {
    this.finishes = new Batches(async (finishes) => {
      await claims.finish(finishes);
      return finishes.map(() => null);
    });
    this.failures = new Batches((failed) => endpoints.noteFailures(failed));
  }

  /** @returns when it is recorded */
  async record(finish: Finish): Promise<void> {
    await this.finishes.add(finish);
  }

  /** Counts a failure of a subscription. @returns whether it has been failing for too long */
  noteFailure(failed: Failed): Promise<boolean> {
    return this.failures.add(failed);
  }
}
