import { Injectable } from '@nestjs/common';
import { AccountService, InvitedNewcomers, type InvitedPerson } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import type { Client } from '../../platform/web/index.js';
import { FirstFactorService, requireGrant } from '../second-factor/first-factor.service.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import type { InvitedRegistrationResponse } from './invited-registration.dto.js';

/** Registers invited people: one request creates the account, joins and signs in (ADR 65). */
@Injectable()
export class InvitedRegistrationService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly newcomers: InvitedNewcomers,
    private readonly firstFactors: FirstFactorService,
    private readonly tokens: TokenIssuer,
  ) {}

  /**
   * The mailed token proves the address, as a mailed code does: the session has its evidence. It
   * starts no session of an account that exists already.
   * @throws {AppError} as {@link InvitedNewcomers.prepare}; conflict if the address has an account
   */
  async register(
    plainToken: string,
    person: InvitedPerson,
    client: Client,
  ): Promise<InvitedRegistrationResponse> {
    const { email, account } = await this.newcomers.prepare(plainToken, person, client);
    const { outcome, tenantId } = await this.database.transaction(async () => {
      const joined = await this.newcomers.accept(plainToken, email, account);
      const { id: userId, passwordVersion } = await this.accounts.requireForShare(joined.userId);
      const proof = { method: 'email_code' };
      return {
        tenantId: joined.tenantId,
        outcome: await this.firstFactors.proceed({ userId, passwordVersion }, proof, client),
      };
    });
    return { ...(await this.tokens.issue(requireGrant(outcome))), joinedTenantId: tenantId };
  }
}
