import type { AuditTrail } from '../../iam/index.js';
import type { NewImpersonation } from './impersonation.repository.js';

/** Creates the entries for the trails of the person with the organization, and of the operator. */
export function eventsOf(
  { id, userId, tenantId, operatorId, ticket }: Omit<NewImpersonation, 'grantId' | 'operatorSessionId'>,
  what: 'started' | 'ended',
): Parameters<AuditTrail['record']> {
  const subject = `platform/impersonations/${id}`;
  const acted = { actorId: userId, impersonatorId: operatorId, tenantId };
  return [
    { ...acted, action: `impersonation.${what}`, subject, ticket },
    { actorId: operatorId, action: `operator.impersonation-${what}`, subject, ticket },
  ];
}

/** Scope of operators who act as a person. */
export const ACT = { scope: 'platform:impersonation:start', operators: 'admin' } as const;
