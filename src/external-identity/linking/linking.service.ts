import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { OwnMethods } from '../../authenticator/index.js';
import type { Connection } from '../../connection/index.js';
import {
  AccountService,
  ProfileService,
  AuditTrail,
  MemberService,
  nameOf,
  type PersonName,
  readName,
} from '../../iam/index.js';
import { AppError } from '../../platform/errors/index.js';
import {
  canonicalEmail,
  domainOf,
  isEmailAddress,
  type LifecycleEvents,
  type Locked,
  type PersonPrincipal,
  type UserId,
} from '../../kernel/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { SIGN_IN_ERRORS } from '../flow/sign-in-error.js';
import { ProviderRegistry } from '../providers/provider.registry.js';
import { environmentConnection, SignInError, type Kind, type ProvenProfile } from '../providers/provider.js';
import {
  IdentityRepository,
  type Identity,
  type IdentityKey,
  type IdentityUse,
} from './identity.repository.js';
import { LinkMails } from './link-mails.js';
import { ProviderGrants } from './provider-grants.js';

/**
 * The connection vouches for the address of an account that has something of its own: its person
 * proves the account first.
 */
export class AccountProofNeeded extends SignInError {
  constructor(readonly userId: UserId) {
    super('account_exists');
  }
}

/** The identity that a linking flow has proven. */
export interface ProvenIdentity {
  readonly kind: Kind;
  readonly profile: ProvenProfile;
  /** Connection of an organization; left out for the provider of the deployment. */
  readonly connectionId?: string;
}

/**
 * Finds the account of a proven external identity, and adds identities to accounts. Runs inside a
 * transaction.
 */
@Injectable()
export class LinkingService {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly accounts: AccountService,
    private readonly profiles: ProfileService,
    private readonly mails: LinkMails,
    private readonly audit: AuditTrail,
    private readonly members: MemberService,
    private readonly ownMethods: OwnMethods,
    private readonly grants: ProviderGrants,
    private readonly providers: ProviderRegistry,
  ) {}

  /**
   * Returns the account to sign in to; creates it for an unknown identity. One of a connection is
   * unknown again once the person's membership of its organization has ended.
   * @throws {SignInError} account_exists if the address has an account, and the provider is not the
   * authority for it
   * @param connection of an organization; null for the provider of the environment. It is an
   *   authority for its verified domains only, and creates an account only if people are added at
   *   their first sign-in.
   * @throws {SignInError} account_suspended
   * @throws {SignInError} domain_not_verified for an unknown identity outside the domains of the
   *   connection; not_provisioned for one inside them without an account
   * @throws {AppError} unauthenticated if the account was erased concurrently
   */
  async resolve(kind: Kind, said: ProvenProfile, connection: Connection | null): Promise<Locked<UserId>> {
    const profile = connection ? withinDomains(said, connection.domains) : said;
    const key = { ...keyOf(kind, profile, connection), ...this.grantOf(profile) };
    const known = await this.identities.findOwner(key);
    if (known !== null) {
      const { userId: id, followed: from } = known;
      const to = usable(profile).name;
      const isRenamed = from !== null && nameOf(to) !== null && !isDeepStrictEqual(from, to);
      // Exclusively to rename: two sign-ins that upgraded a shared lock would wait for each other.
      const account = await this.accounts[!isRenamed ? 'requireForShare' : 'requireForUpdate'](id);
      const hasLeft = known.usedAsMember && (await this.isOutside(id, connection));
      if (hasLeft) await this.identities.delete(id, known.id);
      else if (
        await this.identities.use(id, key, { ...usedBy(account, profile), followed: isRenamed ? to : null })
      ) {
        requireActive(account);
        if (isRenamed) await this.profiles.followName(id, { from, to }, key.connectionId);
        return account.id;
      }
    }
    const { email, emailProof, name } = usable(profile);
    if (connection && emailProof !== 'authority') throw new SignInError('domain_not_verified');
    const owner = email === null ? null : await this.accounts.findByEmailForShare(email);
    if (owner && emailProof !== 'authority') throw new SignInError('account_exists');
    // The administrator of a connection must not take over what belongs to the person.
    if (owner && connection && !(await this.belongsTo(connection, owner.id)))
      throw new AccountProofNeeded(owner.id);
    if (!owner && connection?.provisioning.justInTime === false) throw new SignInError('not_provisioned');
    const userId = owner ? requireActive(owner) : await this.accounts.createVerified(email, name);
    if (userId === null) throw new SignInError('account_exists');
    if (owner && connection) await this.identities.deleteOfConnection(userId, connection.id);
    const followed = owner || !connection ? null : name;
    await this.link(userId, key, { ...usedBy({ email }, profile), followed });
    if (owner) await this.mails.linked(owner, kind);
    return userId;
  }

  /**
   * Refuses an identity of another account before a code is issued. {@link add} decides.
   * @throws {SignInError} identity_taken
   */
  async requireNotTaken(userId: UserId, { kind, profile }: ProvenIdentity): Promise<void> {
    const owner = await this.identities.findOwner(keyOf(kind, profile));
    if (owner !== null && owner.userId !== userId) throw new SignInError('identity_taken');
  }

  /**
   * Adds an identity to the account of the person who redeems its code.
   * @throws {AppError} conflict if it belongs to another account; unauthenticated if the account
   * was erased or is suspended
   */
  async add(
    { userId, sessionId }: Pick<PersonPrincipal, 'userId' | 'sessionId'>,
    { kind, profile, connectionId }: ProvenIdentity,
  ): Promise<Identity> {
    const account = await this.accounts.requireActiveForShare(userId);
    const key = {
      ...keyOf(kind, profile),
      sessionId,
      ...(connectionId !== undefined && { connectionId }),
      ...this.grantOf(profile),
    };
    // Proven by the person: the next sign-in by it may be the one that makes them a member.
    const use = { ...usedBy(account, profile), usedAsMember: false };
    const known = await this.identities.use(userId, key, use);
    if (known) return known;
    const linked = await this.identities.insert(userId, key, use);
    if (!linked) throw new AppError('conflict', { detail: SIGN_IN_ERRORS.identity_taken });
    await this.audit.recordForAccount(userId, 'identity-linked');
    const { email, locale } = account;
    if (email !== null) await this.mails.linked({ email, locale }, kind);
    return linked;
  }

  @OnLifecycle('account.erased')
  async forget({ userId }: { userId: UserId }): Promise<void> {
    await this.identities.deleteAll(userId);
  }

  /**
   * Removes identities that a previous holder of the password may have linked. Keeps identities
   * whose provider is the authority for the account's address now, and named it at the last use.
   */
  @OnLifecycle('account.password-reset')
  async removeWithoutAuthority({ userId }: { userId: Locked<UserId> }): Promise<void> {
    const { email, locale } = await this.accounts.requireForShare(userId);
    const domain = email === null ? null : domainOf(email);
    const authorities = domain === null ? [] : this.providers.authoritiesFor(domain);
    const removed = await this.identities.deleteWithoutAuthority(userId, domain, authorities);
    if (removed.length === 0) return;
    await this.grants.revokeOf(userId, removed);
    await this.recordUnlinked(userId, removed.length);
    const kinds = removed.map(({ kind }) => kind);
    if (email !== null) await this.mails.removed({ email, locale }, kinds);
  }

  /**
   * Forgets which providers are the authority for the address: they were for the former one. The
   * next sign-in by one of them finds out again.
   */
  @OnLifecycle('account.email-changed')
  async forgetAuthority({ userId }: { userId: Locked<UserId> }): Promise<void> {
    await this.identities.removeAuthority(userId);
  }

  /**
   * Removes the identities of an organization's connections once the person is no member of it. To
   * sign in by it again, a person with something of their own proves the account.
   */
  @OnLifecycle('memberships.ended')
  async removeOfLeft({ userId, tenantIds }: LifecycleEvents['memberships.ended']): Promise<void> {
    const removed = await this.identities.deleteOfTenants(userId, tenantIds);
    if (removed > 0) await this.recordUnlinked(userId, removed);
  }

  private async recordUnlinked(userId: UserId, count: number): Promise<void> {
    const event = { actorId: userId, action: 'account.identity-unlinked', subject: `iam/accounts/${userId}` };
    await this.audit.record(...Array.from({ length: count }, () => event));
  }

  /** Returns whether the person is no member of the connection's organization. */
  private async isOutside(userId: UserId, connection: Connection | null): Promise<boolean> {
    return connection !== null && (await this.members.find(connection.tenantId, userId)) === null;
  }

  /**
   * Returns whether an account has nothing but what the connection's organization gave it: no
   * sign-in method besides the organization's connections, and no other organization.
   */
  private async belongsTo({ tenantId }: Connection, userId: UserId): Promise<boolean> {
    if (await this.accounts.hasPassword(userId)) return false;
    if (await this.identities.hasOutside(userId, tenantId)) return false;
    const { secondFactor } = await this.ownMethods.findFactors(userId, []);
    return !secondFactor && !(await this.members.isInAnyTenant(userId, tenantId));
  }

  private grantOf({ refreshToken }: ProvenProfile): Pick<IdentityKey, 'sealedGrant'> {
    return refreshToken === undefined ? {} : { sealedGrant: this.grants.seal(refreshToken) };
  }

  private async link(userId: UserId, key: IdentityKey, use: IdentityUse): Promise<void> {
    if (!(await this.identities.insert(userId, key, use))) throw new SignInError('identity_taken');
    await this.audit.recordForAccount(userId, 'identity-linked');
  }
}

const keyOf = (
  kind: Kind,
  { issuer, subject }: ProvenProfile,
  connection: Connection | null = null,
): IdentityKey => ({
  kind,
  connectionId: connection?.id ?? environmentConnection(kind),
  issuer,
  subject,
});

/** Takes the proof from an address outside the verified domains of a connection. */
function withinDomains(profile: ProvenProfile, domains: readonly string[]): ProvenProfile {
  const { email } = profile;
  const isOwn = email !== null && isEmailAddress(email) && domains.includes(domainOf(email));
  return isOwn ? profile : { ...profile, emailProof: 'none' };
}

/** Refuses a suspended account. Only its proven owner gets this error. */
function requireActive({
  id,
  suspendedAt,
}: {
  id: Locked<UserId>;
  suspendedAt: Date | null;
}): Locked<UserId> {
  if (suspendedAt !== null) throw new SignInError('account_suspended');
  return id;
}

/**
 * Returns what is noted of a sign-in: whether the provider named the account's address and is the
 * authority for its domain. Who signs in by a connection is a member of its organization then.
 */
function usedBy(account: { readonly email: string | null }, profile: ProvenProfile): IdentityUse {
  const { email, emailProof } = usable(profile);
  const isAuthority =
    emailProof === 'authority' &&
    email !== null &&
    account.email !== null &&
    canonicalEmail(email) === canonicalEmail(account.email);
  return { isAuthority, usedAsMember: true };
}

/** Keeps an address only if it is proven and valid, and what an account stores of the name. */
function usable(profile: ProvenProfile): Pick<ProvenProfile, 'email' | 'emailProof'> & { name: PersonName } {
  const { email, emailProof } = profile;
  const proven = emailProof !== 'none' && isEmailAddress(email);
  return {
    email: proven ? email : null,
    emailProof: proven ? emailProof : 'none',
    name: readName(profile),
  };
}
