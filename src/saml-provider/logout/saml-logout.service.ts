import { hash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Delivery, SamlRefusal } from '../../external-identity/index.js';
import { refuseByPage } from '../../openid/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import type { AppError, PageTexts } from '../../platform/errors/index.js';
import { LogoutService } from '../../session/index.js';
import { addressesFor } from '../clients/provider-addresses.js';
import type { SamlClient } from '../clients/saml-client.js';
import { SamlClientService } from '../clients/saml-client.service.js';
import { readSpMessage, type SpMessage } from '../messages/sp-message.js';
import { SamlRequestRepository } from '../sign-in/saml-request.repository.js';
import type { NextStep } from '../messages/browser-messages.js';
import { readLogout } from './logout-request.js';
import { LogoutMessages } from './logout-messages.js';
import { SamlSessionRepository } from './saml-session.repository.js';

const refusal = (lead: PageTexts['lead'], propertyPath: string, message: string): AppError =>
  refuseByPage({ title: 'logout.refused.title', lead }, propertyPath, message);

/** Ends sessions at the request of an app (SAML Profiles 4.4). */
@Injectable()
export class SamlLogoutService {
  private readonly logger = new Logger('SamlProvider');

  constructor(
    private readonly clients: SamlClientService,
    private readonly requests: SamlRequestRepository,
    private readonly sessions: SamlSessionRepository,
    private readonly logouts: LogoutService,
    private readonly messages: LogoutMessages,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Ends the sessions that a signed request names, for all apps. Without a certificate of the app a
   * page of any origin could have sent it: nothing ends before the person confirms, on a page of
   * the portal.
   * @returns where the browser goes: with the response to the app, or to the portal
   * @throws {AppError} validation-error
   */
  async end(clientId: string, delivery: Delivery): Promise<NextStep> {
    const app = await this.clients.findEnabled(clientId);
    if (!app) throw refusal('logout.refused.client', 'clientId', 'is not registered, or disabled');
    const { logout: address, entityId } = addressesFor(this.settings.PUBLIC_URL, clientId);
    const { certificates } = app.settings;
    const expected = { name: 'LogoutRequest', address, mustBeSigned: certificates.length > 0 } as const;
    const now = Date.now();
    try {
      const message = await readSpMessage(delivery, app.settings, expected, now);
      const { nameId, indexes } = readLogout(message.root, app.settings, entityId, now);
      if (!message.isSigned)
        return {
          redirectTo: `${this.settings.APP_URL}/sign-out?${new URLSearchParams({ client_id: clientId })}`,
        };
      if (!(await this.requests.markUsed(clientId, hash('sha256', `logout ${message.id}`, 'buffer'))))
        throw refusal('logout.refused.client', 'SAMLRequest', 'was sent before');
      return await this.endNamed(app, message, nameId, indexes);
    } catch (error) {
      if (!(error instanceof SamlRefusal)) throw error;
      this.logger.warn({ clientId, cause: error.message }, 'logout of an app refused');
      throw refusal('logout.refused.hint', 'SAMLRequest', `is refused: ${error.message}`);
    }
  }

  private async endNamed(
    app: SamlClient,
    { id, relayState }: SpMessage,
    nameId: string,
    indexes: readonly string[],
  ): Promise<NextStep> {
    const { clientId } = app.client;
    const found = await this.sessions.listActive(clientId, nameId, indexes);
    const sessionIds = found.map(({ sessionId }) => sessionId);
    const isPartial = await this.sessions.hasUnreachable(clientId, sessionIds);
    for (const { userId, sessionId } of found) await this.logouts.endSession(userId, sessionId);
    return (
      (await this.messages.respond(app, { id, relayState, isPartial })) ?? {
        redirectTo: this.settings.APP_URL,
      }
    );
  }
}
