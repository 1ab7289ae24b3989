import type { TenantId } from '../../../kernel/index.js';

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
}
