import type { Connection } from '../../connection/index.js';
import { type PersonName, readName } from '../../iam/index.js';
import { canonicalEmail, isEmailAddress } from '../../kernel/index.js';
import { environmentConnection, type Kind, type ProvenProfile } from '../providers/provider.js';
import type { IdentityKey, IdentityUse } from './identity.repository.js';

/** The identity that a linking flow has proven. */
export interface ProvenIdentity {
  readonly kind: Kind;
  readonly profile: ProvenProfile;
  /** Connection of an organization; left out for the provider of the deployment. */
  readonly connectionId?: string;
}

export const keyOf = (
  kind: Kind,
  { issuer, subject }: ProvenProfile,
  connection: Connection | null = null,
): IdentityKey => ({
  kind,
  connectionId: connection?.id ?? environmentConnection(kind),
  issuer,
  subject,
});

/**
 * Returns what is noted of a sign-in: whether the provider named the account's address and is the
 * authority for its domain. Who signs in by a connection is a member of its organization then.
 */
export function usedBy(account: { readonly email: string | null }, profile: ProvenProfile): IdentityUse {
  const { email, emailProof } = usable(profile);
  const isAuthority =
    emailProof === 'authority' &&
    email !== null &&
    account.email !== null &&
    canonicalEmail(email) === canonicalEmail(account.email);
  return { isAuthority, usedAsMember: true };
}

/** Keeps an address only if it is proven and valid, and what an account stores of the name. */
export function usable(
  profile: ProvenProfile,
): Pick<ProvenProfile, 'email' | 'emailProof'> & { name: PersonName } {
  const { email, emailProof } = profile;
  const proven = emailProof !== 'none' && isEmailAddress(email);
  return {
    email: proven ? email : null,
    emailProof: proven ? emailProof : 'none',
    name: readName(profile),
  };
}
