import { Inject } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { ExternalProvider } from '../external-provider.decorator.js';
import {
  SignInError,
  type CallbackParameters,
  type ProvenProfile,
  type ProviderFlow,
  type SignInProvider,
} from '../provider.js';
import { checkAssertion } from './checks/saml-assertion.js';
import { connectionOf, type SamlConnection } from './saml-connection.js';
import { parseStrictly, readDocument } from './checks/saml-document.js';
import { refuseForgeries } from './checks/saml-forgery.js';
import { SamlKeyService } from './saml-key.service.js';
import { metadataXml, requestUrl, verifiedAssertion } from './saml-library.js';
import { demand, SamlRefusal } from './checks/saml-refusal.js';
import { checkResponse } from './checks/saml-response.js';
import { readSignatures } from './checks/saml-signatures.js';
import { readStructure } from './checks/saml-structure.js';
import { readSubject } from './checks/saml-subject.js';
import { SKEW_MS } from './checks/saml-times.js';
import { attributeOf } from './checks/saml-xml.js';

/**
 * A SAML 2.0 identity provider: browser single sign-on, request by redirect, answer by post (SAML Profiles 4.1). The library does the
 * arithmetic of signatures; what an answer must be and say is checked here, before and after it (security bar 1.J).
 */
@ExternalProvider('saml', 'your organization')
export class SamlProvider implements SignInProvider {
  readonly stateKeyParameter = 'RelayState';
  readonly answersByFormOnly = true;
  readonly provesAuthenticationTime = true;
  /** A signed response of 256 KiB, in base64 and as a form. */
  readonly maxFormBytes = 384 * 1_024;
  private readonly connection: SamlConnection | null;

  constructor(
    private readonly keys: SamlKeyService,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.connection = connectionOf(settings);
  }

  get configured(): boolean {
    return this.connection !== null;
  }

  get issuer(): string | undefined {
    return this.connection?.idpIssuer;
  }

  start(flow: ProviderFlow): Promise<URL> {
    return this.ask(flow, false);
  }

  async complete(flow: ProviderFlow, parameters: CallbackParameters): Promise<ProvenProfile | URL> {
    try {
      return await this.read(parameters['SAMLResponse'] ?? '', flow);
    } catch (error) {
      if (error instanceof SamlRefusal) throw new SignInError('invalid_response', error);
      throw error;
    }
  }

  /** What an identity provider's admin imports. */
  async metadata(): Promise<string> {
    return metadataXml(this.requireConnection(), this.keys.current);
  }

  /** @param anew whether people have to prove anew who they are */
  private ask(flow: ProviderFlow, anew: boolean): Promise<URL> {
    return requestUrl(this.requireConnection(), this.keys.current, requestIdOf(flow, anew), flow.state, anew);
  }

  private async read(encoded: string, flow: ProviderFlow): Promise<ProvenProfile | URL> {
    const connection = this.requireConnection();
    const now = Date.now();
    const { text, root } = readDocument(encoded);
    const message = readStructure(root);
    const anew = attributeOf(message.response, 'InResponseTo') === requestIdOf(flow, true);
    const requestId = requestIdOf(flow, anew);
    const signatures = readSignatures(message);
    checkResponse(message.response, connection, requestId, now);
    demand(message.assertion !== null, 'SAML-2', 'there is no Assertion');

    // Here so that the log says what is wrong, where the library would only say no; below, because only what is signed counts.
    checkAssertion(message.assertion, connection, requestId, now);

    await refuseForgeries(signatures, connection.certificates);
    const responseSigned = signatures.length > 1;
    const signed = await verifiedAssertion(connection, this.keys.current, text, responseSigned);
    const { root: assertion } = parseStrictly(signed);
    const { id, until, authenticatedAt } = checkAssertion(assertion, connection, requestId, now);
    demand(id === attributeOf(message.assertion, 'ID'), 'SAML-2', 'something else is signed');
    const maxAgeMs = Math.min(connection.maxAuthAgeMs, (flow.maxAgeSeconds ?? Infinity) * 1_000);
    const tooOld = authenticatedAt <= now - SKEW_MS - maxAgeMs;
    if (tooOld && !anew) return this.ask(flow, true);
    demand(!tooOld, 'SAML-9', 'the authentication is too old, though a new one was asked for');
    return {
      ...readSubject(assertion, connection),
      once: { key: `${connection.idpIssuer}|${id}`, until }, // SAML-11
    };
  }

  private requireConnection(): SamlConnection {
    if (!this.connection) throw new SignInError('provider_unavailable');
    return this.connection;
  }
}

/** SAML-10: follows from the flow, so that it need not be kept; begins with a letter or underscore, as an XML ID has to. A flow asks twice at most. */
function requestIdOf({ nonce }: ProviderFlow, anew: boolean): string {
  return anew ? `_${nonce}-anew` : `_${nonce}`;
}
