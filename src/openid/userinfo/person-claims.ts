import { nameOf, type Profile } from '../../iam/index.js';

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

/** Returns whether scopes ask for claims of an account. */
export const asksForClaims = (scopes: readonly string[]): boolean =>
  scopes.includes('profile') || scopes.includes('email');

/**
 * Returns the claims that scopes ask for (OpenID Connect Core section 5.4). The user name is the
 * address, which `profile` does not tell without `email`.
 */
export function claimsOf(profile: Profile, scopes: readonly string[]): PersonClaims {
  const { firstName, lastName, locale, email } = profile;
  const name = nameOf(profile);
  const [ofProfile, ofEmail] = [scopes.includes('profile'), scopes.includes('email')];
  return {
    ...(ofProfile && name !== null && { name }),
    ...(ofProfile && firstName !== null && { given_name: firstName }),
    ...(ofProfile && lastName !== null && { family_name: lastName }),
    ...(ofProfile && locale !== null && { locale }),
    ...(ofEmail && email !== null && { email, email_verified: true }),
    ...(ofProfile && ofEmail && email !== null && { preferred_username: email }),
  };
}
