import type { EndedUpstream } from './upstream-session.js';

/**
 * Makes requests for a logout at the provider of a connection. Implemented by the module that has
 * the providers.
 */
export abstract class UpstreamLogouts {
  /** @returns the address for the browser; null if the provider offers no logout */
  abstract findLogoutUrl(upstream: EndedUpstream): Promise<string | null>;
}
