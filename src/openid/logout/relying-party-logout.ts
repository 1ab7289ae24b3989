import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { AppError } from '../../platform/errors/index.js';
import { SatelliteService } from '../../satellite/index.js';
import { LogoutService } from '../../session/index.js';
import type { Parameters } from '../requests/request-check.js';
import { IdTokens } from '../token/id-tokens.js';

/** Ends sessions at the request of a client (OpenID Connect RP-Initiated Logout 1.0). */
@Injectable()
export class RelyingPartyLogout {
  constructor(
    private readonly satellites: SatelliteService,
    private readonly logouts: LogoutService,
    private readonly idTokens: IdTokens,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Ends the session that `id_token_hint` names. Without a valid hint, a page of any origin could
   * have sent the browser here: nothing ends, and the person can sign out in the app.
   * @returns where the browser goes next
   * @throws {AppError} validation-error for an address that is not registered, and for the hint of
   *   another client
   */
  async logout(parameters: Parameters): Promise<string> {
    const { id_token_hint: hint, client_id: named, post_logout_redirect_uri: uri, state } = parameters;
    const claims = hint === undefined ? null : await this.idTokens.verifyHint(hint);
    if (claims && named !== undefined && named !== claims.clientId)
      throw AppError.violation('client_id', 'is not the client of the ID token');
    const client = await this.satellites.findEnabled(claims?.clientId ?? named ?? '');
    if (uri !== undefined && !client?.postLogoutRedirectUris.includes(uri))
      throw AppError.violation(
        'post_logout_redirect_uri',
        'is not registered for this client, character by character',
      );
    if (!claims) return this.settings.APP_URL;
    await this.logouts.endSession(claims.userId, claims.sessionId);
    if (uri === undefined) return this.settings.APP_URL;
    const url = new URL(uri);
    if (state !== undefined) url.searchParams.set('state', state);
    return url.href;
  }
}
