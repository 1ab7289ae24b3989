import type { CustomDecorator } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** Clients whose tokens a route accepts: the first-party client alone, or satellites as well. */
export type BearerClients = 'app' | 'app and satellites';

/** Callers that a route accepts. */
export interface BearerOptions {
  readonly clients: BearerClients;
  /**
   * Maximum seconds since the last authentication; an older one is refused with 401
   * `insufficient-user-authentication` (RFC 9470).
   */
  readonly maxAge?: number;
}

/** Metadata of {@link Bearer}. */
export const BearerMark = Reflector.createDecorator<BearerOptions>();

/**
 * Declares that any authenticated user may call the route, which acts on the caller's own data
 * only.
 * @param clients `app` for routes that change credentials, accounts or sessions, and for those that
 *   satellites do not need
 */
export function Bearer(clients: BearerClients, options: Pick<BearerOptions, 'maxAge'> = {}): CustomDecorator {
  return BearerMark({ ...options, clients });
}
