import { Injectable } from '@nestjs/common';
import { AccountService, CredentialService } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import { toAppError } from '../../platform/errors/index.js';
import type { Client } from '../../platform/web/index.js';
import { type Count, Metrics } from '../../platform/observability/index.js';
import type { GrantView } from '../grants/grant.repository.js';
import { FirstFactorService, requireGrant } from '../second-factor/first-factor.service.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import type { LoginResponse } from '../tokens/token.dto.js';

const OUTCOMES = [
  'signed-in',
  'second-factor-required',
  'invalid-credentials',
  'email-not-verified',
  'unavailable',
] as const;

interface LoginRequest {
  readonly email: string;
  readonly password: string;
  /** Token of a trusted device. */
  readonly deviceToken?: string | undefined;
}

/** Starts sessions by address and password. */
@Injectable()
export class LoginService {
  private readonly logins: Count<{ outcome: typeof OUTCOMES }>;

  constructor(
    private readonly database: Database,
    private readonly credentials: CredentialService,
    private readonly accounts: AccountService,
    private readonly firstFactors: FirstFactorService,
    private readonly tokens: TokenIssuer,
    metrics: Metrics,
  ) {
    this.logins = metrics.counter({
      name: 'gatehouse_logins_total',
      help: 'Logins with address and password, by outcome.',
      labels: { outcome: OUTCOMES },
    });
  }

  /**
   * Verifies the password and starts a session.
   * @throws {AppError} invalid-credentials, email-not-verified; second-factor-required for the
   *   right password of an account that has one
   */
  async login({ email, password, deviceToken }: LoginRequest, client: Client): Promise<LoginResponse> {
    const { grant, isListed } = await this.startSession({ email, password, deviceToken }, client).catch(
      (error: unknown) => {
        const { code } = toAppError(error);
        this.logins.inc({ outcome: OUTCOMES.find((outcome) => outcome === code) ?? 'unavailable' });
        throw error;
      },
    );
    this.logins.inc({ outcome: 'signed-in' });
    const tokens = await this.tokens.issue(grant);
    return isListed ? { ...tokens, passwordShouldChange: true } : tokens;
  }

  private async startSession(
    { email, password, deviceToken }: LoginRequest,
    client: Client,
  ): Promise<{ grant: GrantView; isListed: boolean }> {
    const proven = await this.credentials.proveAtLogin(email, password, client);
    const outcome = await this.database.transaction(async () => {
      const userId = await this.accounts.requireUnchangedForShare(proven.userId, proven.passwordVersion);
      return this.firstFactors.proceed({ ...proven, userId }, { method: 'password' }, client, deviceToken);
    });
    return { grant: requireGrant(outcome), isListed: proven.isListed };
  }
}
