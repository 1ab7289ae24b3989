import type { UserId } from '../../../kernel/index.js';

/**
 * Knows the accounts whose address a directory of their organization manages. Implemented by the
 * module that has directories.
 */
export abstract class ManagedAddresses {
  /** @returns whether only the directory may change the address of the account */
  abstract isManaged(userId: UserId): Promise<boolean>;
}
