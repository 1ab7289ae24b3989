import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import { createOneTimeToken, fitsChallenge, hashOneTimeToken } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Principal } from '../../kernel/index.js';
import {
  GrantService,
  LogoutService,
  TokenIssuer,
  type ClientCredentials,
  type TokenResponse,
} from '../../session/index.js';
import { SatelliteRepository } from '../registry/satellite.repository.js';
import { SatelliteService } from '../registry/satellite.service.js';
import { CodeRepository } from './code.repository.js';

/** Lifetime of a code (ASVS 10.4.3, CODE-4). A redirect takes one or two seconds. */
export const CODE_LIFETIME_SECONDS = 60;

export interface CodeRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
}

export interface CodeExchange extends ClientCredentials {
  readonly code: string;
  readonly codeVerifier: string;
}

/**
 * Issues and exchanges one-time codes by which a visitor signs in to a satellite in the same
 * session (RFC 7636, CODE-1 to CODE-7).
 */
@Injectable()
export class CodeService {
  constructor(
    private readonly database: Database,
    private readonly codes: CodeRepository,
    private readonly satellites: SatelliteRepository,
    private readonly registry: SatelliteService,
    private readonly grants: GrantService,
    private readonly logouts: LogoutService,
    private readonly tokens: TokenIssuer,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Issues a code for the caller's session and selected tenant.
   * @throws {AppError} validation-error on `clientId` or `redirectUri`; unauthenticated if the
   *   session has ended
   */
  async issue(caller: Principal, request: CodeRequest): Promise<{ code: string; redirectUri: string }> {
    const satellite = await this.satellites.find(request.clientId);
    if (!satellite || satellite.disabledAt !== null)
      throw AppError.violation('clientId', 'The satellite does not exist or is disabled.');
    const redirectUri = satellite.redirectUris.find((registered) => registered === request.redirectUri);
    if (redirectUri === undefined)
      throw AppError.violation('redirectUri', 'is not registered for this satellite');
    const { plainToken, tokenHash } = createOneTimeToken();
    const issued = await this.codes.insert(
      tokenHash,
      { ...caller, ...request, redirectUri },
      CODE_LIFETIME_SECONDS,
    );
    if (!issued) throw new AppError('unauthenticated');
    return { code: plainToken, redirectUri };
  }

  /**
   * Exchanges a code for tokens of the session in which it was issued. Authenticates the client
   * first, so that a caller without the secret neither learns about a code nor consumes it. Then
   * consumes the code, for one caller only, and checks the verifier last: a wrong verifier burns
   * the code, because an attacker may have it (CODE-2). A second exchange ends the session
   * (CODE-3).
   * @throws {AppError} invalid-client; validation-error on `code`, identical for an unknown, used
   *   or expired code, another client's, and one of an ended session
   */
  async exchange({ code, codeVerifier, ...credentials }: CodeExchange): Promise<TokenResponse> {
    const satelliteId = await this.registry.requireClient(credentials);
    const { clientId } = credentials;
    const codeHash = hashOneTimeToken(code);
    const issued = await this.codes.findAlive(codeHash, clientId);
    if (!issued) throw createInvalidCodeError();
    const grant = await this.database.transaction(async () => {
      const alive = await this.grants.lockSessionForShare(issued.sessionId);
      if (!(await this.codes.consume(codeHash))) return 'reused';
      if (!alive || !fitsChallenge(codeVerifier, issued.codeChallenge)) return null;
      await this.audit.record({
        actorId: issued.userId,
        action: 'session.handed-over',
        subject: `iam/satellites/${satelliteId}`,
      });
      return this.grants.createGrant(issued.sessionId, clientId, issued.tenantId);
    });
    if (grant === 'reused') await this.logouts.endSessionAfterReuse(issued, 'satellite-code');
    if (grant === 'reused' || grant === null) throw createInvalidCodeError();
    return this.tokens.issue(grant);
  }
}

const createInvalidCodeError = (): AppError =>
  AppError.violation(
    'code',
    'The code is not valid or has expired. Send the visitor to the app for a new one.',
  );
