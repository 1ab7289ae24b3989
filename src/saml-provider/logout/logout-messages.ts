import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Client } from '../../client/index.js';
import { signedAddress } from '../../external-identity/index.js';
import type { SessionId } from '../../kernel/index.js';
import { BackchannelLogout, type LogoutMessage } from '../../openid/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { addressesFor } from '../clients/provider-addresses.js';
import type { SamlClient } from '../clients/saml-client.js';
import { SamlClientService } from '../clients/saml-client.service.js';
import { ProviderKeys } from '../keys/provider-keys.js';
import { ASSERTION, ENTITY, instantOf, newMessageId, PROTOCOL, STATUS } from '../messages/saml-names.js';
import { nameIdOf } from '../messages/name-ids.js';
import { signed } from '../messages/sign.js';
import { element, type Xml } from '../messages/xml-builder.js';
import { type NextStep, postedResponse } from '../messages/browser-messages.js';
import { SamlSessionRepository } from './saml-session.repository.js';

const SOAP_ENVELOPE = 'http://schemas.xmlsoap.org/soap/envelope/';
/** Action of requests by SOAP (SAML Bindings 3.2.2). */
const SOAP_ACTION = '"http://www.oasis-open.org/committees/security"';
/** Time for which an app accepts a request. */
const LIFETIME_MS = 300_000;

/** The request that is answered, and whether an app could not be told. */
interface Answered {
  readonly id: string;
  readonly relayState: string | null;
  readonly isPartial: boolean;
}

/** Creates messages of a logout for apps: responses by a browser, and requests by SOAP. */
@Injectable()
export class LogoutMessages implements OnModuleInit {
  constructor(
    private readonly backchannel: BackchannelLogout,
    private readonly clients: SamlClientService,
    private readonly sessions: SamlSessionRepository,
    private readonly keys: ProviderKeys,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.backchannel.speakBy('saml', (client, sessionId) => this.request(client, sessionId));
  }

  /** Answers the request of an app. @returns null for an app without an address for it */
  async respond({ client, settings }: SamlClient, answered: Answered): Promise<NextStep | null> {
    const { logoutUrl, logoutBinding } = settings;
    const { id: inResponseTo, relayState, isPartial } = answered;
    if (logoutUrl === null) return null;
    const id = newMessageId();
    const partial = isPartial ? [element('samlp:StatusCode', { Value: `${STATUS}:PartialLogout` })] : [];
    const success = element('samlp:StatusCode', { Value: `${STATUS}:Success` }, ...partial);
    const response = element(
      'samlp:LogoutResponse',
      { ...this.frame(id, logoutUrl), InResponseTo: inResponseTo },
      this.issuer(client),
      element('samlp:Status', {}, success),
    );
    const key = await this.keys.getCurrent(client.clientId);
    if (logoutBinding === 'redirect')
      return { redirectTo: signedAddress(logoutUrl, 'SAMLResponse', response.xml, key, relayState) };
    return postedResponse(logoutUrl, await signed(response, id, key), relayState);
  }

  /** Creates the request that tells the server of an app of the end of a session. */
  private async request(client: Client, sessionId: SessionId): Promise<LogoutMessage | null> {
    const app = await this.clients.findEnabled(client.clientId);
    const named = app && (await this.sessions.find(client.clientId, sessionId));
    if (!named) return null;
    const { entityId: issuer } = addressesFor(this.settings.PUBLIC_URL, client.clientId);
    const id = newMessageId();
    const request = element(
      'samlp:LogoutRequest',
      {
        ...this.frame(id, client.backchannelLogoutUri),
        NotOnOrAfter: instantOf(Date.now() + LIFETIME_MS),
      },
      this.issuer(client),
      nameIdOf(app, issuer, { format: named.nameIdFormat, value: named.nameId }),
      element('samlp:SessionIndex', {}, named.sessionIndex),
    );
    const body = await signed(request, id, await this.keys.getCurrent(client.clientId));
    const envelope = element(
      'soap:Envelope',
      { 'xmlns:soap': SOAP_ENVELOPE },
      element('soap:Body', {}, body),
    );
    return {
      headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: SOAP_ACTION },
      body: envelope.xml,
    };
  }

  private frame(id: string, destination: string | null): Record<string, string | null> {
    return {
      'xmlns:samlp': PROTOCOL,
      'xmlns:saml': ASSERTION,
      ID: id,
      Version: '2.0',
      IssueInstant: instantOf(Date.now()),
      Destination: destination,
    };
  }

  /** saml-jackson reads an Issuer with an attribute only; this one says what holds without it. */
  private issuer({ clientId }: Client): Xml {
    return element(
      'saml:Issuer',
      { Format: ENTITY },
      addressesFor(this.settings.PUBLIC_URL, clientId).entityId,
    );
  }
}
