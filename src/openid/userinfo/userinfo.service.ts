import { Injectable } from '@nestjs/common';
import { ProfileService, MembershipDirectory } from '../../iam/index.js';
import type { PersonPrincipal } from '../../kernel/index.js';
import { claimsOf } from './person-claims.js';
import type { UserinfoResponse } from './userinfo.response.js';

/** Reads the claims about a person that a token allows. */
@Injectable()
export class UserinfoService {
  constructor(
    private readonly profiles: ProfileService,
    private readonly directory: MembershipDirectory,
  ) {}

  /** @throws {AppError} unauthenticated if the account is erased */
  async read({ userId, subject, tenantId, grantedScopes }: PersonPrincipal): Promise<UserinfoResponse> {
    const profile = await this.profiles.getProfile(userId);
    const scopes = [...(grantedScopes ?? [])];
    return {
      sub: subject ?? userId,
      ...claimsOf(profile, scopes),
      ...(scopes.includes('tenant') &&
        tenantId !== null && {
          tid: tenantId,
          roles: await this.directory.findRoleKeys(userId, tenantId),
        }),
    };
  }
}
