import { Injectable } from '@nestjs/common';
import { DirectoryWorkers } from '../../frontline/index.js';
import { nameOf, ProfileService } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';

/** Claims about a person from their account (OpenID Connect Core section 5.1). */
export interface PersonClaims {
  readonly name?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly locale?: string;
  readonly preferred_username?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

/** Whom a client asks about, and what its token allows. */
export interface ClaimRequest {
  readonly userId: UserId;
  /** Organization of the token, in which the number of a worker is unique; null outside of all. */
  readonly tenantId: TenantId | null;
  readonly scopes: readonly string[];
}

/** Returns whether scopes ask for claims of an account. */
export const asksForClaims = (scopes: readonly string[]): boolean =>
  scopes.includes('profile') || scopes.includes('email');

/** Reads the claims that scopes ask for (OpenID Connect Core section 5.4). */
@Injectable()
export class ClaimReader {
  constructor(
    private readonly profiles: ProfileService,
    private readonly workers: DirectoryWorkers,
  ) {}

  /** @throws {AppError} unauthenticated if the account is erased */
  async read({ userId, tenantId, scopes }: ClaimRequest): Promise<PersonClaims> {
    const profile = await this.profiles.getProfile(userId);
    const { firstName, lastName, locale, email } = profile;
    const name = nameOf(profile);
    const [ofProfile, ofEmail] = [scopes.includes('profile'), scopes.includes('email')];
    // `profile` does not tell the address without `email`.
    const address = ofEmail ? email : null;
    const mayHaveNumber = ofProfile && email === null && tenantId !== null;
    const userName = mayHaveNumber ? await this.workers.findNumber(tenantId, userId) : address;
    return {
      ...(ofProfile && name !== null && { name }),
      ...(ofProfile && firstName !== null && { given_name: firstName }),
      ...(ofProfile && lastName !== null && { family_name: lastName }),
      ...(ofProfile && locale !== null && { locale }),
      ...(address !== null && { email: address, email_verified: true }),
      ...(ofProfile && userName !== null && { preferred_username: userName }),
    };
  }
}
