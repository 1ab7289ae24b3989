import { Injectable } from '@nestjs/common';
import { AccountService, AuditTrail, type Recipient } from '../../iam/index.js';
import type { PersonPrincipal, UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { type Kind, type ProvenProfile, SIGN_IN_ERRORS, SignInError } from '../providers/provider.js';
import {
  type Identity,
  type IdentityKey,
  IdentityRepository,
  type IdentityUse,
} from './identity.repository.js';
import { LinkMails } from './link-mails.js';
import { keyOf, type ProvenIdentity, usedBy } from './proven-identity.js';
import { ProviderGrants } from './provider-grants.js';

/** Links external identities to accounts, and tells the owners. Runs inside a transaction. */
@Injectable()
export class IdentityLinks {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly accounts: AccountService,
    private readonly grants: ProviderGrants,
    private readonly mails: LinkMails,
    private readonly audit: AuditTrail,
  ) {}

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
    await this.tellLinked(account, kind);
    return linked;
  }

  /**
   * Links the identity of a sign-in to its account.
   * @throws {SignInError} identity_taken
   */
  async link(userId: UserId, key: IdentityKey, use: IdentityUse): Promise<void> {
    if (!(await this.identities.insert(userId, key, use))) throw new SignInError('identity_taken');
    await this.audit.recordForAccount(userId, 'identity-linked');
  }

  /** Mails the owner of an account that an identity was linked to it. */
  async tellLinked(
    owner: { readonly email: string | null; readonly locale: Recipient['locale'] },
    kind: Kind,
  ): Promise<void> {
    const { email, locale } = owner;
    if (email !== null) await this.mails.linked({ email, locale }, kind);
  }

  /** Seals the refresh token of the provider, to be stored with the identity. */
  grantOf({ refreshToken }: ProvenProfile): Pick<IdentityKey, 'sealedGrant'> {
    return refreshToken === undefined ? {} : { sealedGrant: this.grants.seal(refreshToken) };
  }
}
