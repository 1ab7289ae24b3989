import type { TenantId, UserId } from '../../kernel/index.js';

/** Creates the entry of the audit trail for a worker. */
export const workerEvent = (tenantId: TenantId, actorId: UserId, userId: UserId, what: string) => ({
  tenantId,
  actorId,
  action: `worker.${what}`,
  subject: `iam/workers/${userId}`,
});
