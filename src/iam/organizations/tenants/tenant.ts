import type { SetSignInPolicy, TenantId } from '../../../kernel/index.js';

/** Organization. */
export interface Tenant {
  readonly id: TenantId;
  readonly name: string;
  readonly createdAt: Date;
  readonly archivedAt: Date | null;
}

/** State on which permissions in an organization depend. */
export interface TenantState {
  readonly archived: boolean;
  readonly deletionScheduled: boolean;
  /** Whether rows are being removed: the organization is then treated as unknown. */
  readonly deletionStarted: boolean;
  /** What the organization asks of sign-ins; null for nothing. */
  readonly signInPolicy: SetSignInPolicy | null;
}
