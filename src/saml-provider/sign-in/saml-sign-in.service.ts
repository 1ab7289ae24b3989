import { hash, randomBytes } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Delivery, SamlRefusal } from '../../external-identity/index.js';
import { AuthorizeService, refuseByPage } from '../../openid/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { codeChallengeOf, createOneTimeToken, hashOneTimeToken } from '../../platform/crypto/index.js';
import type { AppError, PageTexts } from '../../platform/errors/index.js';
import type { PostedForm } from '../../platform/web/index.js';
import { CodeExchange, type GrantView } from '../../session/index.js';
import { addressesFor } from '../clients/provider-addresses.js';
import { type SamlClient, scopesOf } from '../clients/saml-client.js';
import { SamlClientService } from '../clients/saml-client.service.js';
import { readSpMessage } from '../messages/sp-message.js';
import { strengthOf } from './authn-context.js';
import type { NextStep } from '../messages/browser-messages.js';
import { type AskedSignIn, findConsumer, readAuthnRequest } from './authn-request.js';
import { type SamlRequest, SamlRequestRepository } from './saml-request.repository.js';
import { SamlResponses } from './saml-responses.js';
import { faultOf, StatusError } from './saml-status.js';

/** Characters. Apps put the address of a page into it, though the standard allows 80 bytes. */
const MAX_RELAY_STATE = 2_000;

/** The answer to an authorization request, as the browser brings it. */
export interface BroughtAnswer {
  readonly state: string;
  readonly code?: string;
  readonly error?: string;
}

const refusal = (lead: PageTexts['lead'], propertyPath: string, message: string): AppError =>
  refuseByPage({ title: 'authorize.refused.title', lead }, propertyPath, message);

/**
 * Signs people in to apps by SAML (SAML Profiles 4.1). A request becomes an authorization request,
 * on which the person decides as on one of OpenID Connect; its code gives the app a grant of the
 * session, from which the assertion is made.
 */
@Injectable()
export class SamlSignInService {
  private readonly logger = new Logger('SamlProvider');

  constructor(
    private readonly clients: SamlClientService,
    private readonly requests: SamlRequestRepository,
    private readonly authorizations: AuthorizeService,
    private readonly codes: CodeExchange,
    private readonly responses: SamlResponses,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Takes the request of an app.
   * @param isFramed whether the browser opens it inside another page
   * @throws {AppError} validation-error for one that must not be answered at any address
   */
  async start(clientId: string, delivery: Delivery, isFramed: boolean): Promise<NextStep> {
    const app = await this.requireApp(clientId);
    const { signIn: address } = addressesFor(this.settings.PUBLIC_URL, clientId);
    const expected = {
      name: 'AuthnRequest',
      address,
      mustBeSigned: app.settings.requireSignedRequests,
    } as const;
    try {
      const message = await readSpMessage(delivery, app.settings, expected, Date.now());
      const { root, id: requestId, relayState } = message;
      const asked = { requestId, relayState, consumer: findConsumer(root, app.settings) };
      if ((relayState?.length ?? 0) > MAX_RELAY_STATE)
        throw refusal('authorize.refused.request', 'RelayState', 'is too long');
      try {
        return await this.wait(app, asked, readAuthnRequest(root, app.settings), isFramed);
      } catch (error) {
        if (error instanceof StatusError) return await this.responses.refuse(app, asked, error.fault);
        throw error;
      }
    } catch (error) {
      if (!(error instanceof SamlRefusal)) throw error;
      this.logger.warn({ clientId, cause: error.message }, 'request of an app refused');
      throw refusal('authorize.refused.request', 'SAMLRequest', `is refused: ${error.message}`);
    }
  }

  /**
   * Begins a sign-in without a request, which goes to the first address of the app.
   * @throws {AppError} validation-error for an app that does not allow it
   */
  async begin(clientId: string): Promise<NextStep> {
    const app = await this.requireApp(clientId);
    const { idpInitiated, consumers, defaultRelayState: relayState, nameIdFormat } = app.settings;
    const [first] = consumers;
    if (!idpInitiated || !first)
      throw refusal('authorize.refused.request', 'clientId', 'takes no sign-in that begins here');
    const asked = { requestId: null, relayState, consumer: first.url };
    return this.wait(app, asked, { nameIdFormat, allowCreate: true, authnContext: null, prompts: [] }, false);
  }

  /**
   * Turns the decision on a request into a response for the app.
   * @throws {AppError} validation-error for an unknown or used answer
   */
  async answer({ state, code, error }: BroughtAnswer): Promise<PostedForm> {
    const request = await this.requests.take(hashOneTimeToken(state));
    if (!request) throw refusal('authorize.refused.request', 'state', 'is unknown, used or expired');
    const app = await this.requireApp(request.clientId);
    // The settings may have changed since: nothing goes to an address that was removed.
    if (!app.settings.consumers.some(({ url }) => url === request.consumer))
      throw refusal('authorize.refused.redirect-uri', 'state', 'is of an address that was removed');
    if (code === undefined) return this.responses.refuse(app, request, faultOf(error ?? ''));
    const grant = await this.exchange(app, request, state, code);
    try {
      return await this.responses.assert(app, request, grant);
    } catch (failure) {
      if (failure instanceof StatusError) return this.responses.refuse(app, request, failure.fault);
      throw failure;
    }
  }

  private async requireApp(clientId: string): Promise<SamlClient> {
    const app = await this.clients.findEnabled(clientId);
    if (!app) throw refusal('authorize.refused.client', 'clientId', 'is not registered, or disabled');
    return app;
  }

  /**
   * Keeps a request until the person has decided.
   * @throws {AppError} validation-error for one that was sent before
   */
  private async wait(
    { client, settings }: SamlClient,
    asked: Pick<SamlRequest, 'requestId' | 'relayState' | 'consumer'>,
    { nameIdFormat, allowCreate, authnContext, prompts }: AskedSignIn,
    isFramed: boolean,
  ): Promise<NextStep> {
    const { clientId } = client;
    const { plainToken: state, tokenHash: stateHash } = createOneTimeToken();
    const requestHash =
      asked.requestId === null ? randomBytes(32) : hash('sha256', asked.requestId, 'buffer');
    const request = { ...asked, clientId, nameIdFormat, allowCreate, authnContext };
    if (!(await this.requests.insert({ requestHash, stateHash }, request)))
      throw refusal('authorize.refused.request', 'SAMLRequest', 'was sent before');
    const redirectTo = await this.authorizations.wait(
      {
        clientId,
        redirectUri: asked.consumer,
        scopes: scopesOf({ ...settings, nameIdFormat }),
        state,
        nonce: null,
        responseMode: 'saml',
        // Binds the code to this request: no answer to another one is taken for it.
        codeChallenge: codeChallengeOf(state),
        prompts,
        maxAge: null,
        acr: strengthOf(authnContext),
        loginHint: null,
        uiLocales: null,
        dpopJkt: null,
        subjectHint: null,
      },
      isFramed,
    );
    return { redirectTo };
  }

  /** @throws {AppError} validation-error for a code of another request, or of an ended session */
  private async exchange(
    { client }: SamlClient,
    { consumer }: SamlRequest,
    state: string,
    code: string,
  ): Promise<GrantView> {
    const exchanged = await this.codes.exchange({
      purpose: 'openid',
      code,
      codeVerifier: state,
      clientId: client.clientId,
      redirectUri: consumer,
      jkt: null,
      event: { action: 'session.handed-over', subject: `iam/satellites/${client.id}` },
    });
    if (typeof exchanged === 'object' && 'grant' in exchanged) return exchanged.grant;
    throw refusal('authorize.refused.request', 'code', 'is unknown, used or expired');
  }
}
