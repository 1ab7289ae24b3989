import { Injectable } from '@nestjs/common';
import { denialError, denyByState, forbid } from '../../ability/index.js';
import { SupportAccessService, TenantLock } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { ApiKeyService } from '../keys/api-key.service.js';
import type { Credential } from '../keys/credential.repository.js';
import type { ServiceAccountStatus } from './service-account.entity.js';
import type { ServiceAccount } from './service-account.repository.js';
import { ServiceAccountService } from './service-account.service.js';

/**
 * What operators do with service accounts by the command line, to stop what has leaked. In the
 * audit trail the account itself is the actor, as with the suspension of a person.
 */
@Injectable()
export class ServiceAccountOperations {
  constructor(
    private readonly tenantLock: TenantLock,
    private readonly accounts: ServiceAccountService,
    private readonly keys: ApiKeyService,
    private readonly access: SupportAccessService,
  ) {}

  list(tenantId: TenantId, page: Page): Promise<ServiceAccount[]> {
    return this.accounts.list(tenantId, page, {});
  }

  listKeys(tenantId: TenantId, accountId: string, page: Page): Promise<Credential[]> {
    return this.keys.list(tenantId, accountId, page);
  }

  /**
   * Disables or enables an account. Does nothing if it is so already. To enable one takes the
   * consent of the organization, whose owners may have disabled it.
   * @throws {AppError} not-found; forbidden to enable one of an organization that does not let
   *   support in
   */
  setStatus(tenantId: TenantId, id: string, status: ServiceAccountStatus): Promise<void> {
    return this.tenantLock.underLock(tenantId, async () => {
      const account = await this.accounts.get(tenantId, id);
      if (account.status === status) return;
      if (status === 'active' && !(await this.access.findPermissionForShare(tenantId)))
        throw denialError(denyByState(forbid('impersonation.not-allowed')));
      await this.accounts.setStatus(tenantId, id as UserId, id, status);
    });
  }

  /** @throws {AppError} not-found for a key of another account */
  revokeKey(tenantId: TenantId, accountId: string, keyId: string): Promise<void> {
    return this.tenantLock.underLock(tenantId, async () => {
      await this.keys.revoke(tenantId, accountId as UserId, accountId, keyId, 'operator');
    });
  }
}
