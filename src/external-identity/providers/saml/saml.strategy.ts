import { Inject } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type * as own from '../../../connection/index.js';
import { type Connection, hasExpiredMetadata, MetadataRefresh } from '../../../connection/index.js';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import type { PostedForm } from '../../../platform/web/index.js';
import { ExternalProvider } from '../provider.registry.js';
import { FlowStrategy } from '../flow-strategy.js';
import { type ConnectionKey, ConnectionKeys } from '../keys/connection-keys.js';
import {
  MetadataExpired,
  SignInError,
  type CallbackParameters,
  type ProvenProfile,
  type ProviderFlow,
  type SignInStrategy,
} from '../provider.js';
import { checkAssertion } from './checks/saml-assertion.js';
import { connectionFor, connectionOf, type SamlConnection } from './saml-connection.js';
import { decryptResponse, hasAssertion } from './checks/saml-decryption.js';
import { parseStrictly, readDocument, type SamlDocument } from './checks/saml-document.js';
import { refuseForgeries } from './checks/saml-forgery.js';
import { requestFields, requestUrl, verifiedAssertion } from './saml-library.js';
import { SamlRequestPages } from './saml-request-pages.js';
import { metadataXml } from './saml-metadata.js';
import { demand, SamlRefusal } from './checks/saml-refusal.js';
import { checkResponse } from './checks/saml-response.js';
import { readSignatures } from './checks/saml-signatures.js';
import { readStructure } from './checks/saml-structure.js';
import { readSubject } from './checks/saml-subject.js';
import { SKEW_MS } from './checks/saml-times.js';
import { attributeOf } from './checks/saml-xml.js';
import { logoutRequestXml, logoutResponseXml } from './logout/saml-logout-messages.js';
import type { Delivery } from '../delivery.js';
import { type LogoutRequest, readLogoutRequest } from './logout/saml-logout-request.js';
import { signedAddress } from './logout/saml-redirect.js';
import type { NamedSession } from '../../upstream/upstream-sessions.js';

/**
 * A SAML 2.0 identity provider: browser single sign-on, request by redirect, response by POST (SAML
 * Profiles 4.1). The library verifies signatures; `checks/` has the checks before and after it
 * (SAML-1 to SAML-16).
 */
@ExternalProvider('saml', 'your organization')
export class SamlStrategy extends PassportStrategy(FlowStrategy, 'saml') implements SignInStrategy {
  readonly stateKeyParameter = 'RelayState';
  readonly answersByFormOnly = true;
  readonly provesAuthenticationTime = true;
  /** A signed response of 256 KiB, in base64 and as a form. */
  readonly maxFormBytes = 384 * 1_024;
  readonly displayName: string | null;
  private readonly connection: SamlConnection | null;

  constructor(
    private readonly keys: ConnectionKeys,
    private readonly metadataOfProviders: MetadataRefresh,
    private readonly pages: SamlRequestPages,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    super();
    this.displayName = settings.EXTERNAL_SAML_NAME ?? null;
    this.connection = connectionOf(settings);
  }

  get configured(): boolean {
    return this.connection !== null;
  }

  get issuer(): string | undefined {
    return this.connection?.idpIssuer;
  }

  get domains(): readonly string[] {
    return this.connection?.domains ?? [];
  }

  async authorizationUrl(flow: ProviderFlow): Promise<URL> {
    return this.ask(await this.withValidMetadata(flow), false);
  }

  async validate(flow: ProviderFlow, parameters: CallbackParameters): Promise<ProvenProfile | URL> {
    const valid = await this.withValidMetadata(flow);
    return reportRefusal(this.readRefreshed(parameters['SAMLResponse'] ?? '', valid));
  }

  /**
   * Checks a response that the provider sent without a request, as {@link validate} does
   * otherwise. It must name no request (SAML Profiles 4.1.5).
   */
  async checkUnsolicited(flow: ProviderFlow, parameters: CallbackParameters): Promise<ProvenProfile> {
    const valid = await this.withValidMetadata(flow);
    const read = await reportRefusal(this.read(parameters['SAMLResponse'] ?? '', valid, true));
    if (read instanceof URL) throw new SignInError('invalid_response');
    return read;
  }

  /**
   * Returns the flow with a connection whose metadata is valid, after a refresh if that is needed.
   * @throws {SignInError} provider_unavailable because of {@link MetadataExpired}
   */
  private async withValidMetadata(flow: ProviderFlow): Promise<ProviderFlow> {
    const { connection } = flow;
    if (connection?.kind !== 'saml' || !hasExpiredMetadata(connection.settings)) return flow;
    const refreshed = await this.metadataOfProviders.afterExpiry(connection);
    if (!refreshed) throw new SignInError('provider_unavailable', new MetadataExpired());
    return { ...flow, connection: refreshed };
  }

  /**
   * Reads a response. If an unknown key has signed it, asks the metadata of the connection for it.
   */
  private async readRefreshed(encoded: string, flow: ProviderFlow): Promise<ProvenProfile | URL> {
    try {
      return await this.read(encoded, flow);
    } catch (error) {
      const isUnknownKey = error instanceof SamlRefusal && error.topic === 'unknown-key';
      if (!isUnknownKey || flow.connection?.kind !== 'saml') throw error;
      const connection = await this.metadataOfProviders.afterUnknownKey(flow.connection);
      if (!connection) throw error;
      return this.read(encoded, { ...flow, connection });
    }
  }

  /**
   * Metadata for the identity provider's administrator to import.
   * @param connection of an organization; left out for the provider of the environment
   */
  async metadata(connection?: Connection): Promise<string> {
    return metadataXml(this.connectionOf({ connection }), await this.keys.getAll('saml'));
  }

  /**
   * Returns the form by which the browser brings a request to the provider of a connection.
   * @param sealed parameter of the address of the page
   * @throws {UnusableState} if it is forged, expired or of another connection, or if requests are
   *   sent by redirect now
   */
  async requestForm(connection: own.SamlConnection, sealed: string): Promise<PostedForm> {
    const settings = connectionFor(connection, this.settings);
    const request = this.pages.read(settings.requestPage ?? '', sealed);
    const key = await this.keys.getCurrent('saml');
    return { action: settings.entryPoint, fields: await requestFields(settings, key, request) };
  }

  /**
   * Returns the address at which the provider of a connection ends its session; null if it offers
   * no logout. The request is always signed (SAML Profiles 4.4.4.1).
   */
  async logoutUrl(connection: own.SamlConnection, session: NamedSession): Promise<string | null> {
    const { entityId, sloUrl } = connectionFor(connection, this.settings);
    if (sloUrl === null) return null;
    const xml = logoutRequestXml({ entityId }, sloUrl, session);
    return signedAddress(sloUrl, 'SAMLRequest', xml, await this.keys.getCurrent('saml'));
  }

  /**
   * Reads a request of the provider for a logout.
   * @throws {SamlRefusal}
   */
  readLogoutRequest(connection: own.SamlConnection, delivery: Delivery): Promise<LogoutRequest> {
    const settings = connectionFor(connection, this.settings);
    return readLogoutRequest(delivery, settings, settings.logout ?? '', Date.now());
  }

  /**
   * Returns the address that brings the response to a request for a logout; null if the provider
   * has none.
   */
  async logoutResponseUrl(
    connection: own.SamlConnection,
    { id, relayState }: Pick<LogoutRequest, 'id' | 'relayState'>,
  ): Promise<string | null> {
    const { entityId, sloUrl } = connectionFor(connection, this.settings);
    if (sloUrl === null) return null;
    const xml = logoutResponseXml({ entityId }, sloUrl, id);
    return signedAddress(sloUrl, 'SAMLResponse', xml, await this.keys.getCurrent('saml'), relayState);
  }

  /** @param forceAuthn true if the person must authenticate again (SAML Core 3.4.1) */
  private async ask(flow: ProviderFlow, forceAuthn: boolean): Promise<URL> {
    const connection = this.connectionOf(flow);
    const request = { requestId: requestIdOf(flow, forceAuthn), relayState: flow.state, forceAuthn };
    if (connection.requestPage !== null) return this.pages.addressOf(connection.requestPage, request);
    return requestUrl(connection, await this.keys.getCurrent('saml'), request);
  }

  /**
   * Checks a response in this order, the cheap checks first:
   * 1. `readDocument`: size, encoding and markup, before anything is parsed
   *    and `decryptResponse`, if the assertion must be encrypted
   * 2. `readStructure`: one of each element, in its place, unique IDs
   * 3. `readSignatures`: form and algorithms of the signatures
   * 4. `checkResponse`: status, issuer, destination, request and time of the response
   * 5. `checkAssertion`: issuer, audience, confirmation and times, so that the log names the fault
   * 6. `refuseForgeries`: signature and digest by the configured certificates
   * 7. `verifiedAssertion`: the library, which decides and returns the signed bytes
   * 8. `checkAssertion` on the signed bytes, the only ones that count, and the same ID
   * 9. the time of authentication: too old asks once more
   * 10. `readSubject`: person and address
   * @throws {SamlRefusal}
   */
  private async read(
    encoded: string,
    flow: ProviderFlow,
    isUnsolicited = false,
  ): Promise<ProvenProfile | URL> {
    const connection = this.connectionOf(flow);
    const now = Date.now();
    const keys = await this.keys.getAll('saml');
    const { text, root } = await openDocument(readDocument(encoded), connection, keys);
    const message = readStructure(root);
    const forced = attributeOf(message.response, 'InResponseTo') === requestIdOf(flow, true);
    const requestId = isUnsolicited ? null : requestIdOf(flow, forced);
    const signatures = readSignatures(message);
    checkResponse(message.response, connection, requestId, now);
    demand(message.assertion !== null, 'SAML-2', 'there is no Assertion');
    checkAssertion(message.assertion, connection, requestId, now);
    const signers = await refuseForgeries(signatures, connection.certificates);
    const responseSigned = signatures.length > 1;
    const signed = await verifiedAssertion(connection, text, responseSigned);
    const { root: assertion } = parseStrictly(signed);
    const { id, until, authenticatedAt } = checkAssertion(assertion, connection, requestId, now);
    demand(id === attributeOf(message.assertion, 'ID'), 'SAML-2', 'something else is signed');
    const maxAgeMs = Math.min(connection.maxAuthAgeMs, (flow.maxAgeSeconds ?? Infinity) * 1_000);
    const tooOld = authenticatedAt <= now - SKEW_MS - maxAgeMs;
    if (tooOld && !forced && !isUnsolicited) return this.ask(flow, true);
    demand(
      !tooOld || isUnsolicited,
      'SAML-9',
      'the authentication is too old, though a new one was asked for',
      'authentication-age',
    );
    return {
      ...readSubject(assertion, connection),
      once: { key: `${connection.idpIssuer}|${id}`, until }, // SAML-11
      signers,
    };
  }

  private connectionOf({ connection }: Pick<Partial<ProviderFlow>, 'connection'>): SamlConnection {
    if (connection?.kind === 'saml') return connectionFor(connection, this.settings);
    if (!this.connection) throw new SignInError('provider_unavailable');
    return this.connection;
  }
}

/**
 * Derives the request ID from the flow, so that it is not stored (SAML-10). Starts with an
 * underscore, because an XML ID must not start with a digit. A flow has at most two requests.
 */
function requestIdOf({ nonce }: ProviderFlow, forceAuthn: boolean): string {
  return forceAuthn ? `_${nonce}-anew` : `_${nonce}`;
}

/**
 * Returns the response with its assertion in the clear. One that must be encrypted is refused in
 * the clear (SAML-12). A response without any assertion, which denies the sign-in, stays as it is.
 */
async function openDocument(
  document: SamlDocument,
  { wantsEncryption, certificates }: SamlConnection,
  keys: readonly ConnectionKey[],
): Promise<SamlDocument> {
  return wantsEncryption && hasAssertion(document.root)
    ? decryptResponse(
        document,
        keys.map(({ privateKey }) => privateKey),
        certificates,
      )
    : document;
}

/** Reports a refusal as a failed sign-in. @throws {SignInError} invalid_response */
async function reportRefusal<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof SamlRefusal) throw new SignInError('invalid_response', error);
    throw error;
  }
}
