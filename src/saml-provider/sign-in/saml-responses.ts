import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import type { PostedForm } from '../../platform/web/index.js';
import { type GrantView, TenantAdmission } from '../../session/index.js';
import { SamlSessionRepository } from '../logout/saml-session.repository.js';
import { addressesFor } from '../clients/provider-addresses.js';
import type { SamlClient } from '../clients/saml-client.js';
import { postedResponse } from '../messages/browser-messages.js';
import { sessionIndexOf } from '../messages/client-names.js';
import { ProviderKeys } from '../keys/provider-keys.js';
import { ASSERTION, BEARER, instantOf, newMessageId, PROTOCOL, STATUS } from '../messages/saml-names.js';
import { NameIds, nameIdOf } from '../messages/name-ids.js';
import { signed } from '../messages/sign.js';
import { element, type Xml } from '../messages/xml-builder.js';
import { authnContextOf } from './authn-context.js';
import { ReleasedAttributes } from './released-attributes.js';
import type { SamlRequest } from './saml-request.repository.js';
import { codesOf, type StatusFault, StatusError } from './saml-status.js';

/** Time for which an app accepts an assertion. */
const LIFETIME_MS = 300_000;
/** An app whose clock is behind would refuse a fresh assertion. */
const CLOCK_SKEW_MS = 30_000;

type Asked = Pick<SamlRequest, 'requestId' | 'consumer' | 'relayState'>;

/** Creates responses for apps, signed: with an assertion, or the status that says why not. */
@Injectable()
export class SamlResponses {
  constructor(
    private readonly keys: ProviderKeys,
    private readonly names: NameIds,
    private readonly attributes: ReleasedAttributes,
    private readonly sessions: SamlSessionRepository,
    private readonly admission: TenantAdmission,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Answers a request without an assertion. */
  refuse(app: SamlClient, request: Asked, fault: StatusFault): Promise<PostedForm> {
    const [outer, inner] = codesOf(fault);
    const code = element('samlp:StatusCode', { Value: outer }, element('samlp:StatusCode', { Value: inner }));
    return this.respond(app, request, element('samlp:Status', {}, code), null);
  }

  /**
   * Answers a request with an assertion about the person of a grant.
   * @throws {StatusError} for what the request demands and the sign-in is not, and RequestDenied
   *   where the organization of the app does not accept it any more
   */
  async assert(app: SamlClient, request: SamlRequest, grant: GrantView): Promise<PostedForm> {
    const { client, settings } = app;
    // Membership, policy or organization may have changed since the decision.
    if (client.tenantId !== null && !(await this.admission.admits(grant, client.tenantId)))
      throw new StatusError('RequestDenied');
    const { nameIdFormat: format, allowCreate } = request;
    const authnContext = authnContextOf(grant, request.authnContext);
    const value = await this.names.find(client, grant, format, allowCreate);
    if (value === null) throw new StatusError('InvalidNameIDPolicy');
    const { entityId: issuer } = addressesFor(this.settings.PUBLIC_URL, client.clientId);
    const now = Date.now();
    const until = instantOf(now + LIFETIME_MS);
    const id = newMessageId();
    const confirmation = element('saml:SubjectConfirmationData', {
      InResponseTo: request.requestId,
      NotOnOrAfter: until,
      Recipient: request.consumer,
    });
    const attributes = await this.attributes.read(settings, grant);
    const sessionIndex = sessionIndexOf(client, grant.sessionId);
    await this.sessions.upsert(client.clientId, grant.sessionId, {
      sessionIndex,
      nameIdFormat: format,
      nameId: value,
    });
    const statement = { AuthnInstant: instantOf(grant.authTime.getTime()), SessionIndex: sessionIndex };
    const assertion = element(
      'saml:Assertion',
      { 'xmlns:saml': ASSERTION, ID: id, Version: '2.0', IssueInstant: instantOf(now) },
      element('saml:Issuer', {}, issuer),
      element(
        'saml:Subject',
        {},
        nameIdOf(app, issuer, { format, value }),
        element('saml:SubjectConfirmation', { Method: BEARER }, confirmation),
      ),
      element(
        'saml:Conditions',
        { NotBefore: instantOf(now - CLOCK_SKEW_MS), NotOnOrAfter: until },
        element('saml:AudienceRestriction', {}, element('saml:Audience', {}, settings.entityId)),
      ),
      element(
        'saml:AuthnStatement',
        statement,
        element('saml:AuthnContext', {}, element('saml:AuthnContextClassRef', {}, authnContext)),
      ),
      attributes.length === 0 ? null : element('saml:AttributeStatement', {}, ...attributes),
    );
    const status = element('samlp:Status', {}, element('samlp:StatusCode', { Value: `${STATUS}:Success` }));
    const key = await this.keys.getCurrent(client.clientId);
    return this.respond(app, request, status, await signed(assertion, id, key));
  }

  private async respond(
    { client: { clientId } }: SamlClient,
    { requestId, consumer, relayState }: Asked,
    status: Xml,
    assertion: Xml | null,
  ): Promise<PostedForm> {
    const id = newMessageId();
    const response = element(
      'samlp:Response',
      {
        'xmlns:samlp': PROTOCOL,
        'xmlns:saml': ASSERTION,
        ID: id,
        InResponseTo: requestId,
        Version: '2.0',
        IssueInstant: instantOf(Date.now()),
        Destination: consumer,
      },
      element('saml:Issuer', {}, addressesFor(this.settings.PUBLIC_URL, clientId).entityId),
      status,
      assertion,
    );
    const key = await this.keys.getCurrent(clientId);
    return postedResponse(consumer, await signed(response, id, key), relayState);
  }
}
