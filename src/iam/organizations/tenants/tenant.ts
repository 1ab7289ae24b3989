import type { SetSignInPolicy, TenantId } from '../../../kernel/index.js';

/** Organization. */
export interface Tenant {
  readonly id: TenantId;
  readonly name: string;
  /** Name in addresses of pages; null for none. */
  readonly slug: string | null;
  readonly createdAt: Date;
  readonly archivedAt: Date | null;
}

/** What can be changed of an organization; a field that is left out stays as it is. */
export interface TenantChanges {
  readonly name?: string | undefined;
  readonly slug?: string | null | undefined;
}

/** State on which permissions in an organization depend. */
export interface TenantState {
  readonly archived: boolean;
  readonly deletionScheduled: boolean;
  /** Whether rows are being removed: the organization is then treated as unknown. */
  readonly deletionStarted: boolean;
  /** What the organization asks of sign-ins; null for nothing. */
  readonly signInPolicy: SetSignInPolicy | null;
  /** Whether connections of others open it while its policy does not say. */
  readonly otherConnections: boolean;
}
