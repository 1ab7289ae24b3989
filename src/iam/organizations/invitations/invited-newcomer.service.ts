import { Injectable } from '@nestjs/common';
import { canonicalEmail, type TenantId, type UserId } from '../../../kernel/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { type Client, networkOf } from '../../../platform/web/index.js';
import { AccountService, type NewAccount } from '../../accounts/account.service.js';
import { PasswordBlocklist } from '../../accounts/credentials/password-blocklist.js';
import { PasswordHasher } from '../../accounts/credentials/password-hasher.js';
import { InvitationAcceptance } from './invitation-acceptance.service.js';
import { InvitationValidity } from './invitation-validity.js';

/** What an invited person without an account enters. */
export interface InvitedPerson {
  /** Left out for a person who adds a passkey instead. */
  readonly password?: string;
  readonly firstName: string;
  readonly lastName?: string;
  readonly displayName?: string;
  readonly marketingOptIn?: boolean;
}

/** Account of an invited person, ready to be created. */
export interface InvitedNewcomer {
  readonly email: string;
  readonly account: NewAccount;
}

/** A newcomer's account, and the organization that they joined. */
export interface Joined {
  readonly userId: UserId;
  readonly tenantId: TenantId;
}

/** Creates accounts of invited people, who join the organization by it (ADR 65). */
@Injectable()
export class InvitedNewcomers {
  constructor(
    private readonly validity: InvitationValidity,
    private readonly acceptance: InvitationAcceptance,
    private readonly accounts: AccountService,
    private readonly blocklist: PasswordBlocklist,
    private readonly hasher: PasswordHasher,
  ) {}

  /**
   * Checks the invitation, then the password, and hashes it. Never call it in a transaction.
   * @throws {AppError} validation-error on `token` as an acceptance, and on `password` if it is
   *   refused by the blocklist; forbidden in an archived organization; unavailable if too many
   *   passwords wait to be hashed
   */
  async prepare(plainToken: string, person: InvitedPerson, client: Client): Promise<InvitedNewcomer> {
    const { password, firstName, lastName = null, displayName = null, marketingOptIn = false } = person;
    const name = { firstName, lastName, displayName };
    const invitation = await this.validity.requireOpen(plainToken);
    await this.validity.requireActiveTenant(invitation);
    const { email } = invitation;
    if (password !== undefined)
      this.blocklist.requireAllowed(password, 'password', { email, ...name, company: null });
    const network = networkOf(client.ipAddress);
    const passwordHash =
      password === undefined
        ? null
        : await this.hasher.hashForAddress(password, network, canonicalEmail(email), null);
    return { email, account: { ...name, passwordHash, marketingOptIn, locale: client.locale } };
  }

  /**
   * Creates the account of the invited address and makes it a member (ADR 65). Joins the open
   * transaction.
   * @param email of {@link prepare}
   * @throws {AppError} conflict if the address has an account; else as
   *   {@link InvitationAcceptance.accept}
   */
  async accept(plainToken: string, email: string, newcomer: NewAccount): Promise<Joined> {
    const userId = await this.accounts.createVerified(email, newcomer);
    if (userId === null) throw new AppError('conflict', { reason: { id: 'invitation.account-already' } });
    const invitation = await this.validity.requireOpenForUpdate(plainToken);
    await this.validity.requireActiveTenant(invitation);
    await this.acceptance.join(userId, invitation);
    return { userId, tenantId: invitation.tenantId };
  }
}
