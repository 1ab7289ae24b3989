import type { TenantId, UserId } from '../../kernel/index.js';

export const RUN_BULK_ACTION = 'operator.run-bulk-action';

/** Job of an action: for these people in order of id, or for the members of an organization. */
export type BulkJob = { readonly id: string } & (
  { readonly userIds: readonly UserId[] } | { readonly tenantId: TenantId }
);
