import { Injectable } from '@nestjs/common';
import { AccountService, AuditTrail } from '../../iam/index.js';
import { canonicalEmail, isEmailAddress, type UserId } from '../../platform/http/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { SignInError, type Kind, type ProvenProfile } from '../providers/provider.js';
import { LinkMails } from './link-mails.js';
import { IdentityRepository, type IdentityKey } from './identity.repository.js';

/** Which account somebody is who has proven an identity elsewhere: the table of contract section 6. Runs inside a transaction. */
@Injectable()
export class LinkingService {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly accounts: AccountService,
    private readonly mails: LinkMails,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * The account to sign in to.
   * @throws {SignInError} account_exists where the address has an account, and the provider is not the authority for it
   * @throws {SignInError} account_suspended
   * @throws {AppError} unauthenticated where the account has gone this very moment: now the identity is nobody's
   */
  async resolve(kind: Kind, profile: ProvenProfile): Promise<UserId> {
    const key = { kind, issuer: profile.issuer, subject: profile.subject };
    const known = await this.identities.findOwner(key);
    if (known !== null) {
      const account = await this.accounts.requireExisting(known);
      if (await this.identities.use(known, key, isAuthorityFor(account, profile)))
        return requireActive(account);
    }
    const { email, emailProof, firstName } = usable(profile);
    const owner = email === null ? null : await this.accounts.findByEmail(email);
    if (owner && emailProof !== 'authority') throw new SignInError('account_exists');
    const userId = owner ? requireActive(owner) : await this.accounts.createProven(email, firstName);
    if (userId === null) throw new SignInError('account_exists');
    await this.link(userId, key, isAuthorityFor({ email }, profile));
    if (owner) await this.mails.linked(owner.email, kind);
    return userId;
  }

  /**
   * Adds an identity to an account that its owner is signed in to.
   * @throws {SignInError} identity_taken
   * @throws {AppError} unauthenticated where the account is gone
   */
  async add(userId: UserId, kind: Kind, profile: ProvenProfile): Promise<void> {
    const account = await this.accounts.requireActive(userId);
    const key = { kind, issuer: profile.issuer, subject: profile.subject };
    const isAuthority = isAuthorityFor(account, profile);
    const known = await this.identities.findOwner(key);
    if (known === userId && (await this.identities.use(userId, key, isAuthority))) return;
    if (known !== null && known !== userId) throw new SignInError('identity_taken');
    await this.link(userId, key, isAuthority);
    if (account.email !== null) await this.mails.linked(account.email, kind);
  }

  @OnLifecycle('account.erased')
  async forget({ userId }: { userId: UserId }): Promise<void> {
    await this.identities.deleteAll(userId);
  }

  /**
   * Removes what somebody who had the password before may have linked. What stays was linked or used as the address itself,
   * by its authority. Joins the open transaction, which holds the account.
   */
  @OnLifecycle('account.password-reset')
  async removeWithoutAuthority({ userId }: { userId: UserId }): Promise<void> {
    const removed = await this.identities.deleteWithoutAuthority(userId);
    if (removed.length === 0) return;
    const event = { actorId: userId, action: 'account.identity-unlinked', subject: `iam/accounts/${userId}` };
    await this.audit.record(...removed.map(() => event));
    const { email } = await this.accounts.requireExisting(userId);
    if (email !== null) await this.mails.removed(email, removed);
  }

  private async link(userId: UserId, key: IdentityKey, isAuthority: boolean): Promise<void> {
    if (!(await this.identities.insert(userId, key, isAuthority))) throw new SignInError('identity_taken');
    await this.audit.recordOfAccount(userId, 'identity-linked');
  }
}

/** Whoever comes here has proven to be the owner: to them alone it is said. */
function requireActive({ id, suspendedAt }: { id: UserId; suspendedAt: Date | null }): UserId {
  if (suspendedAt !== null) throw new SignInError('account_suspended');
  return id;
}

/** Whether the provider has named the account's own address, and runs its domain. */
function isAuthorityFor(account: { readonly email: string | null }, profile: ProvenProfile): boolean {
  const { email, emailProof } = usable(profile);
  return (
    emailProof === 'authority' &&
    email !== null &&
    account.email !== null &&
    canonicalEmail(email) === canonicalEmail(account.email)
  );
}

/** An address counts only if it was proven and is one that we could mail; a name only as a bounded line. */
function usable({
  email,
  emailProof,
  firstName,
}: ProvenProfile): Pick<ProvenProfile, 'email' | 'emailProof' | 'firstName'> {
  const proven = emailProof !== 'none' && isEmailAddress(email);
  // eslint-disable-next-line no-control-regex -- other people's text goes into ours
  const name = firstName?.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ').trim();
  return {
    email: proven ? email : null,
    emailProof: proven ? emailProof : 'none',
    firstName: name ? [...name].slice(0, 100).join('') : null,
  };
}
