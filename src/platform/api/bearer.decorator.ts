import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const BEARER = 'gatehouse:bearer';

/** Whose tokens a route takes: those of our own app alone, or those of satellites as well. */
export type BearerClients = 'app' | 'app and satellites';

/** Which bearers a route is for. */
export interface BearerOptions {
  readonly clients: BearerClients;
  /** Seconds since the newest proof of who the caller is; an older one is 401 `insufficient-user-authentication` (RFC 9470). */
  readonly maxAge?: number;
}

/**
 * Declares that any signed-in user may call the route: it acts on the caller's own things alone.
 * @param clients `app` for what opens, keeps or ends an account or a session, and for all that a visit at a satellite does not need
 */
export function Bearer(clients: BearerClients, options: Pick<BearerOptions, 'maxAge'> = {}): CustomDecorator {
  return SetMetadata(BEARER, { ...options, clients } satisfies BearerOptions);
}
