import { AsyncLocalStorage } from 'node:async_hooks';
import { partnershipOf, type Principal, type TenantId, type UserId } from '../kernel/index.js';
import type { Allowed, HeldBy } from './decision.js';

/** What allows the caller a command, if it is less than a role of a member in the whole tenant. */
export interface AllowedBy extends HeldBy {
  readonly userId: UserId;
  readonly tenantId: TenantId;
  /** Id of the partnership by which the caller works in the tenant; null for members. */
  readonly via: string | null;
}

const allowing = new AsyncLocalStorage<AllowedBy>();

/**
 * Runs a command: the audit trail then says what allowed it, unless that is a role of a member in
 * the whole tenant.
 * @param allowed decisions of the checks
 */
export function runAllowedBy<T>(principal: Principal, allowed: readonly Allowed[], work: () => T): T {
  const { userId, tenantId } = principal;
  const via = partnershipOf(principal);
  const told = allowed.flatMap(({ by }) => (by && (via !== null || by.on !== null) ? [by] : []));
  const [by] = told;
  return by && tenantId !== null ? allowing.run({ ...by, userId, tenantId, via }, work) : work();
}

/** @returns what allows the command of this request; null for a role in the whole tenant */
export const findAllowedBy = (): AllowedBy | null => allowing.getStore() ?? null;
