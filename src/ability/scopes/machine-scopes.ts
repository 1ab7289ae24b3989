import type { OperatorRole, TenantId } from '../../kernel/index.js';
import type { ScopePredicate } from './held-scopes.js';

/** Source of what service accounts hold. Implemented by the module that has them. */
export abstract class MachineScopes {
  /**
   * @param lock read the database and keep the scopes as they are until the open transaction ends
   * @returns the scopes of its roles in its tenant; null for an account that is unknown or disabled
   */
  abstract findScopePredicate(
    accountId: string,
    tenantId: TenantId,
    lock: boolean,
  ): Promise<ScopePredicate | null>;

  /** @returns the role of a service account of the platform; null for one unknown or disabled */
  abstract findOperatorRole(accountId: string, lock: boolean): Promise<OperatorRole | null>;
}
