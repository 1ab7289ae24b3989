import { Injectable } from '@nestjs/common';
import { AccountService, MembershipDirectory, nameOf } from '../../iam/index.js';
import type { PersonPrincipal } from '../../kernel/index.js';
import type { UserinfoResponse } from './userinfo.response.js';

/** Reads the claims about a person that a token allows. */
@Injectable()
export class UserinfoService {
  constructor(
    private readonly accounts: AccountService,
    private readonly directory: MembershipDirectory,
  ) {}

  /** @throws {AppError} unauthenticated if the account is erased */
  async read({ userId, subject, tenantId, grantedScopes }: PersonPrincipal): Promise<UserinfoResponse> {
    const profile = await this.accounts.getProfile(userId);
    const { firstName, lastName, locale, email } = profile;
    const name = nameOf(profile);
    const has = (scope: string): boolean => grantedScopes?.has(scope) === true;
    const ofProfile = has('profile');
    return {
      sub: subject ?? userId,
      ...(ofProfile && name !== null && { name }),
      ...(ofProfile && firstName !== null && { given_name: firstName }),
      ...(ofProfile && lastName !== null && { family_name: lastName }),
      ...(ofProfile && locale !== null && { locale }),
      ...(has('email') && email !== null && { email, email_verified: true }),
      ...(has('tenant') &&
        tenantId !== null && {
          tid: tenantId,
          roles: await this.directory.findRoleKeys(userId, tenantId),
        }),
    };
  }
}
