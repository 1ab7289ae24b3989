import { Injectable } from '@nestjs/common';
import { MembershipDirectory } from '../../iam/index.js';
import type { PersonPrincipal } from '../../kernel/index.js';
import { ClaimReader } from './claim-reader.js';
import type { UserinfoResponse } from './userinfo.response.js';

/** Reads the claims about a person that a token allows. */
@Injectable()
export class UserinfoService {
  constructor(
    private readonly claims: ClaimReader,
    private readonly directory: MembershipDirectory,
  ) {}

  /** @throws {AppError} unauthenticated if the account is erased */
  async read({ userId, subject, tenantId, grantedScopes }: PersonPrincipal): Promise<UserinfoResponse> {
    const scopes = [...(grantedScopes ?? [])];
    return {
      sub: subject ?? userId,
      ...(await this.claims.read({ userId, tenantId, scopes })),
      ...(scopes.includes('tenant') &&
        tenantId !== null && {
          tid: tenantId,
          roles: await this.directory.findRoleKeys(userId, tenantId),
        }),
    };
  }
}
