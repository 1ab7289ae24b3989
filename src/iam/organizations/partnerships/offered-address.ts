import { Injectable } from '@nestjs/common';
import { canonicalEmail, type Principal } from '../../../kernel/index.js';
import { AccountRepository } from '../../accounts/account.repository.js';

/** Finds the address by which a caller sees offers: the account's, which they have proved. */
@Injectable()
export class OfferedAddress {
  constructor(private readonly accounts: AccountRepository) {}

  /** @returns null for programs, and people without an address */
  async findKeyOf({ kind, userId }: Principal): Promise<string | null> {
    if (kind !== 'person') return null;
    const email = (await this.accounts.find(userId))?.email ?? null;
    return email && canonicalEmail(email);
  }
}
