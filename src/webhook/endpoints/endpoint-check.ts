import { Injectable } from '@nestjs/common';
import type { Principal, TenantId } from '../../kernel/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { OutboundPost } from '../../platform/outbound/index.js';
import { matchesType, typesOfStream } from '../matching.js';
import { READ } from '../webhook.declarations.js';
import type { Endpoint } from './endpoint.repository.js';
import { EventReaders } from './event-readers.js';

/** Checks what a caller gives of a subscription. */
@Injectable()
export class EndpointCheck {
  constructor(
    private readonly outbound: OutboundPost,
    private readonly readers: EventReaders,
  ) {}

  /** @throws {AppError} validation-error for an address that is refused */
  requireUrl(url: string): void {
    const fault = this.outbound.findFault(url);
    if (fault !== null) throw AppError.violation('url', fault);
  }

  /** Requires that the types exist and that the caller may read each of them. */
  async requireReadable(tenantId: TenantId, caller: Principal, filters: readonly string[]): Promise<void> {
    const mayRead = await this.readers.createCheck(tenantId, caller, true);
    const types = typesOfStream(tenantId);
    const violations = filters.flatMap((filter, n): Violation[] => {
      const matched = types.filter(({ name }) => matchesType(filter, name));
      const propertyPath = `types[${n}]`;
      if (matched.length === 0) return [{ propertyPath, message: { id: 'webhook.unknown-type' } }];
      const denied = matched.find(({ name }) => !mayRead(name));
      if (!denied) return [];
      const values = { scope: tenantId === PLATFORM ? READ : denied.readScope };
      return [{ propertyPath, message: { id: 'webhook.needs-scope', values } }];
    });
    if (violations.length > 0) throw new AppError('validation-error', { violations });
  }
}

/**
 * Refuses to add deliveries that a subscription would not get.
 * @throws {AppError} conflict if it is disabled
 */
export function requireEnabled({ status }: Pick<Endpoint, 'status'>): void {
  if (status === 'disabled') throw new AppError('conflict', { reason: { id: 'webhook.disabled' } });
}
