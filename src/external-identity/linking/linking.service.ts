import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { OwnMethods } from '../../authenticator/index.js';
import type { Connection } from '../../connection/index.js';
import { AccountService, MemberService, nameOf, ProfileService } from '../../iam/index.js';
import { domainOf, isEmailAddress, type Locked, type UserId } from '../../kernel/index.js';
import { type Kind, type ProvenProfile, SignInError } from '../providers/provider.js';
import { IdentityLinks } from './identity-links.js';
import { IdentityRepository } from './identity.repository.js';
import { keyOf, usable, usedBy } from './proven-identity.js';

/**
 * The connection vouches for the address of an account that has something of its own: its person
 * proves the account first.
 */
export class AccountProofNeeded extends SignInError {
  constructor(readonly userId: UserId) {
    super('account_exists');
  }
}

/** Finds the account of a proven external identity. Runs inside a transaction. */
@Injectable()
export class LinkingService {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly accounts: AccountService,
    private readonly profiles: ProfileService,
    private readonly members: MemberService,
    private readonly ownMethods: OwnMethods,
    private readonly links: IdentityLinks,
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
    const key = { ...keyOf(kind, profile, connection), ...this.links.grantOf(profile) };
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
    await this.links.link(userId, key, { ...usedBy({ email }, profile), followed });
    if (owner) await this.links.tellLinked(owner, kind);
    return userId;
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
}

/** Takes the proof from an address outside the verified domains of a connection. */
function withinDomains(profile: ProvenProfile, domains: readonly string[]): ProvenProfile {
  const { email } = profile;
  const isOwn = email !== null && isEmailAddress(email) && domains.includes(domainOf(email));
  return isOwn ? profile : { ...profile, emailProof: 'none' };
}

/** Refuses a suspended account. Only its proven owner gets this error. */
function requireActive(account: { id: Locked<UserId>; suspendedAt: Date | null }): Locked<UserId> {
  if (account.suspendedAt !== null) throw new SignInError('account_suspended');
  return account.id;
}
