import { Injectable } from '@nestjs/common';
import { OwnMethods } from '../../authenticator/index.js';
import { newId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Client } from '../../platform/web/index.js';
import {
  ASSERTION,
  FirstFactorService,
  GrantService,
  type GrantView,
  requireGrant,
} from '../../session/index.js';
import { ExternalAccounts } from '../flow/external-accounts.js';
import { untilRaceIsWon } from '../flow/sign-in.service.js';
import { IdentityRepository } from '../linking/identity.repository.js';
import { SignInError } from '../providers/provider.js';
import type { TrustedAssertion } from './assertion-verifier.js';

/** Client that acts for the person. */
interface ActingClient {
  readonly clientId: string;
  readonly name: string;
  readonly ipAddress: string;
}

/**
 * Signs people in to clients by identity assertions of connections (ADR 70). The session that an
 * assertion starts belongs to the connection; the next ones for the same client continue it.
 */
@Injectable()
export class AssertedSignIn {
  constructor(
    private readonly database: Database,
    private readonly identities: IdentityRepository,
    private readonly people: ExternalAccounts,
    private readonly firstFactors: FirstFactorService,
    private readonly grants: GrantService,
    private readonly ownMethods: OwnMethods,
  ) {}

  /**
   * Signs the person in, as the connection does: continues the session of an earlier assertion, or
   * starts one. The evidence is the assertion's: time and strength of the sign-in at its issuer.
   * @throws {SignInError} as a sign-in by the connection
   * @throws {AppError} second-factor-required for a person with a second factor that the assertion
   *   does not stand for; unauthenticated for a suspended account
   */
  async signIn(assertion: TrustedAssertion, client: ActingClient): Promise<GrantView> {
    const { connection, profile, claims } = assertion;
    const { issuer, subject, isTwoFactor } = profile;
    const assuredFactor = connection.trustsSecondFactor && isTwoFactor === true;
    const userId = await this.identities.findOwnerOf({ connectionId: connection.id, issuer, subject });
    const known =
      userId &&
      (await this.grants.findAsserted({
        userId,
        connectionId: connection.id,
        tenantId: connection.tenantId,
        clientId: client.clientId,
        assuredFactor,
      }));
    const grant = known || (await untilRaceIsWon(() => this.start(assertion, client)));
    // The person may have added one since the session began.
    if (!assuredFactor && (await this.ownMethods.hasSecondFactor(grant, false)))
      throw new AppError('second-factor-required');
    return { ...grant, authTime: authTimeOf(claims['auth_time']) };
  }

  /** Starts a session, with a grant of the client: for APIs only, and without a refresh. */
  private start(
    { connection: { id: connectionId, tenantId }, profile }: TrustedAssertion,
    { clientId, name, ipAddress }: ActingClient,
  ): Promise<GrantView> {
    return this.database.transaction(async () => {
      const signIn = { kind: 'oidc', connectionId, profile } as const;
      const { userId, proof } = await this.people.resolve(signIn, 'require');
      const from: Client = { ipAddress, userAgent: name, locale: null };
      const first = { ...proof, method: ASSERTION };
      const { sessionId } = requireGrant(await this.firstFactors.proceedOf(userId, first, from));
      const id = newId();
      const wanted = { id, sessionId, userId, clientId, tenantId, grantedScopes: [], dpopJkt: null };
      const grant = (await this.grants.createGrants([wanted])).get(id);
      if (!grant) throw new SignInError('temporarily_unavailable');
      return grant;
    });
  }
}

/** Returns when the person signed in at the issuer; 1970 if it does not say: no limit is met. */
function authTimeOf(claim: unknown): Date {
  const isTime = typeof claim === 'number' && Number.isSafeInteger(claim) && claim >= 0;
  return new Date(isTime ? Math.min(claim * 1_000, Date.now()) : 0);
}
