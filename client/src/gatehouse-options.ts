import type { FlowStorage } from './flow-storage.js';
import type { Refresh } from './refresh.js';
import type { SatelliteClient } from './satellite.js';
import type { OnStepUp } from './step-up.js';
import type { TokenStorage } from './storage.js';
import type { TenantStorage } from './tenant-memory.js';

export interface GatehouseOptions {
  /** Address of the service: its `PUBLIC_URL`. */
  readonly url: string;
  /**
   * Storage of the session; memory by default. `browserStorage()` shares it among tabs and keeps it
   * over reloads.
   */
  readonly storage?: TokenStorage;
  /**
   * Tenant of this tab at the start, for instance from the page's address; null for none. By
   * default the one that the tab had before a reload.
   */
  readonly tenantId?: string | null;
  /**
   * Storage of this tab's tenant: `sessionStorage` in a browser whose session outlives the page.
   * Null remembers no tenant.
   */
  readonly tenantStorage?: TenantStorage | null;
  /**
   * Replaces the refresh operation, for a refresh token that the page cannot read: a cookie of the
   * page's own server. Its errors are treated as those of the operation.
   */
  readonly refresh?: Refresh;
  /**
   * Credentials of a satellite, for exchange and refresh on its server. Never use them in a
   * browser.
   */
  readonly satellite?: SatelliteClient;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
  /**
   * Storage of started sign-ins: by default `sessionStorage` for external and `localStorage` for
   * hosted ones, and memory outside browsers.
   */
  readonly flowStorage?: FlowStorage;
  /**
   * Asks the user to confirm who they are if an operation requires a more recent sign-in; the
   * operation is then sent once more. Without it, or if it returns null, the operation throws
   * `insufficient-user-authentication`.
   */
  readonly onStepUp?: OnStepUp;
}

/**
 * `session`: this session, for all of its clients. `all`: on all devices. `others`: on all devices
 * except this one.
 */
export type LogoutKind = 'session' | 'all' | 'others';

/** Option of each call. */
export interface Cancellable {
  readonly signal?: AbortSignal;
}

export interface LogoutOptions extends Cancellable {
  /** Whether to return the address of a logout at the provider of a connection. */
  readonly upstream?: boolean;
}
