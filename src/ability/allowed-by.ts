import { AsyncLocalStorage } from 'node:async_hooks';
import type { TenantId, UserId } from '../kernel/index.js';
import type { HeldBy } from './decision.js';

/** What allows the caller a command, if it is less than a role of a member in the whole tenant. */
export interface AllowedBy extends HeldBy {
  readonly userId: UserId;
  readonly tenantId: TenantId;
  /** Id of the partnership by which the caller works in the tenant; null for members. */
  readonly via: string | null;
}

const allowing = new AsyncLocalStorage<AllowedBy>();

/** Runs a command: the audit trail then says what allowed it. */
export const runAllowedBy = <T>(by: AllowedBy | null, work: () => T): T =>
  by === null ? work() : allowing.run(by, work);

/** @returns what allows the command of this request; null for a role in the whole tenant */
export const findAllowedBy = (): AllowedBy | null => allowing.getStore() ?? null;
