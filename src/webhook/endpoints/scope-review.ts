import { Injectable, Logger } from '@nestjs/common';
import { describeCause } from '../../platform/errors/index.js';
import { typesOfStream, matchesType } from '../matching.js';
import type { Endpoint } from './endpoint.repository.js';
import { EndpointStop } from './endpoint-stop.js';
import { Readers } from './readers.js';

/** Stops subscriptions whose creator lost a read scope. Each delivery checks it as well. */
@Injectable()
export class ScopeReview {
  private readonly logger = new Logger('Webhooks');

  constructor(
    private readonly readers: Readers,
    private readonly stops: EndpointStop,
  ) {}

  /** Reviews subscriptions in the background. */
  reviewLater(endpoints: readonly Endpoint[]): void {
    this.review(endpoints).catch((error: unknown) =>
      this.logger.warn(
        { cause: describeCause(error) },
        'Scopes of subscribers were not reviewed; the next delivery checks them.',
      ),
    );
  }

  private async review(endpoints: readonly Endpoint[]): Promise<void> {
    for (const endpoint of endpoints) {
      const types = typesOfStream(endpoint.tenantId)
        .map(({ name }) => name)
        .filter((name) => endpoint.types.some((filter) => matchesType(filter, name)));
      if (!(await this.readers.mayRead(endpoint, types)))
        await this.stops.disable(endpoint.tenantId, endpoint.id, 'scope-lost');
    }
  }
}
