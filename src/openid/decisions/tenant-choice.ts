import { Injectable } from '@nestjs/common';
import { SignInCheck } from '../../ability/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import type { PersonPrincipal, TenantId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { concernsTenant } from '../openid-scopes.js';

/** Selects the organization of a grant. */
@Injectable()
export class TenantChoice {
  constructor(
    private readonly signIns: SignInCheck,
    private readonly directory: MembershipDirectory,
  ) {}

  /**
   * @param scopes of the grant
   * @param requested by default the selected organization
   * @returns null if the scopes concern none
   * @throws {AppError} not-a-member; insufficient-user-authentication for its sign-in policy
   */
  async select(
    caller: PersonPrincipal,
    scopes: readonly string[],
    requested: TenantId | undefined,
  ): Promise<TenantId | null> {
    if (!concernsTenant(scopes)) return null;
    const tenantId = requested ?? caller.tenantId;
    if (tenantId === null) return null;
    if (!(await this.directory.isMember(caller.userId, tenantId))) throw new AppError('not-a-member');
    await this.signIns.require(caller, tenantId);
    return tenantId;
  }
}
