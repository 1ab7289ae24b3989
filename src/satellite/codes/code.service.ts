import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/index.js';
import type { Acr, PersonPrincipal } from '../../kernel/index.js';
import { needOf, SessionCodeService, type TokenResponse } from '../../session/index.js';
import {
  type Client,
  type ClientCredentials,
  clientLogoUrlOf,
  ClientService,
  hasSatelliteCodes,
} from '../../client/index.js';

/** A satellite and the address to which it asks to send its visitor. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
}

/** A satellite as its visitor sees it, with the address as it is registered. */
export interface SatelliteOfVisitor extends AuthorizationRequest {
  readonly name: string;
  /** Path of the copy of its logo. */
  readonly logoUrl: string | null;
}

export interface CodeRequest extends AuthorizationRequest {
  readonly codeChallenge: string;
  readonly acr?: Acr | undefined;
  readonly maxAge?: number | undefined;
}

export interface CodeExchange extends ClientCredentials {
  readonly code: string;
  readonly codeVerifier: string;
}

/**
 * Issues and exchanges one-time codes by which a visitor signs in to a satellite in the same
 * session.
 */
@Injectable()
export class CodeService {
  constructor(
    private readonly codes: SessionCodeService,
    private readonly clients: ClientService,
  ) {}

  /**
   * Issues a code for the caller's session and selected tenant.
   * @throws {AppError} validation-error on `clientId` or `redirectUri`; unauthenticated if the
   *   session has ended; insufficient-user-authentication
   */
  async issue(caller: PersonPrincipal, request: CodeRequest): Promise<{ code: string; redirectUri: string }> {
    const { clientId, codeChallenge } = request;
    const satellite = await this.clients.findEnabled(clientId);
    if (!satellite) throw AppError.violation('clientId', 'The satellite does not exist or is disabled.');
    if (!hasSatelliteCodes(satellite))
      throw AppError.violation(
        'clientId',
        'The client is registered for OpenID Connect. It signs people in at /oauth2/authorize.',
      );
    const redirectUri = findRedirectUri(satellite, request);
    if (redirectUri === undefined)
      throw AppError.violation('redirectUri', 'is not registered for this satellite');
    const need = needOf(request);
    return {
      code: await this.codes.issue(caller, {
        purpose: 'satellite',
        clientId,
        redirectUri,
        codeChallenge,
        need,
      }),
      redirectUri,
    };
  }

  /**
   * Names the satellite of a request to its visitor, who may not have signed in. Answers alike for
   * an unknown client, one of OpenID Connect and an unknown address, so that client ids cannot be
   * tried out.
   * @throws {AppError} validation-error on `redirectUri`
   */
  async describe(request: AuthorizationRequest): Promise<SatelliteOfVisitor> {
    const satellite = await this.clients.findEnabled(request.clientId);
    const redirectUri =
      satellite && hasSatelliteCodes(satellite) ? findRedirectUri(satellite, request) : undefined;
    if (!satellite || redirectUri === undefined)
      throw AppError.violation('redirectUri', 'is not a redirect URI of a registered, enabled satellite');
    const { clientId, name } = satellite;
    return { clientId, name, logoUrl: clientLogoUrlOf(satellite), redirectUri };
  }

  /**
   * Authenticates the client first, so that a caller without the secret neither learns about a code
   * nor consumes it; then exchanges the code.
   * @throws {AppError} invalid-client; validation-error on `code`
   */
  async exchange({ code, codeVerifier, ...credentials }: CodeExchange): Promise<TokenResponse> {
    const satelliteId = await this.clients.requireClient(credentials);
    const { clientId } = credentials;
    const event = { action: 'session.handed-over', subject: `iam/satellites/${satelliteId}` };
    const presented = { purpose: 'satellite', code, codeVerifier, clientId, event } as const;
    const tokens = await this.codes.redeem(presented, 'satellite-code');
    if (!tokens) throw createInvalidCodeError();
    return tokens;
  }
}

/** Compares character by character. */
const findRedirectUri = (satellite: Client, request: AuthorizationRequest): string | undefined =>
  satellite.redirectUris.find((registered) => registered === request.redirectUri);

const createInvalidCodeError = (): AppError =>
  AppError.violation(
    'code',
    'The code is not valid or has expired. Send the visitor to the app for a new one.',
  );
