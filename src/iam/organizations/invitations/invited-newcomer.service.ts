import { Injectable } from '@nestjs/common';
import { canonicalEmail } from '../../../kernel/index.js';
import { type Client, networkOf } from '../../../platform/web/index.js';
import type { NewAccount } from '../../accounts/account.service.js';
import { PasswordBlocklist } from '../../accounts/credentials/password-blocklist.js';
import { PasswordHasher } from '../../accounts/credentials/password-hasher.js';
import { InvitationAcceptance } from './invitation-acceptance.service.js';

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

/** Prepares accounts of invited people, before the transaction that creates them (ADR 65). */
@Injectable()
export class InvitedNewcomers {
  constructor(
    private readonly acceptance: InvitationAcceptance,
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
    const email = await this.acceptance.getEmail(plainToken);
    if (password !== undefined)
      this.blocklist.requireAllowed(password, 'password', { email, ...name, company: null });
    const network = networkOf(client.ipAddress);
    const passwordHash =
      password === undefined
        ? null
        : await this.hasher.hashForAddress(password, network, canonicalEmail(email), null);
    return { email, account: { ...name, passwordHash, marketingOptIn, locale: client.locale } };
  }
}
