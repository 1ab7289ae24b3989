import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { createOneTimeToken, hashOneTimeToken } from '../../platform/crypto/index.js';
import { AppError, type PageTexts } from '../../platform/errors/index.js';
import {
  type Client,
  ClientDocuments,
  ClientService,
  DocumentFault,
  isClientUrl,
} from '../../client/index.js';
import { refuseFault } from '../token/client-authenticator.js';
import { OAuthError } from '../token/oauth-error.js';
import {
  AuthorizationRequestRepository,
  type CheckedRequest,
  type WaitingRequest,
} from './authorization-request.repository.js';
import { refuseByPage } from '../refused-page.js';
import { AnswerForms } from './answer-form.js';
import { findRedirectUri, RequestCheck, responseModeOf } from './request-check.js';
import type { Parameters } from '../token/oauth-request.js';

/** Seconds that the person has to sign in and decide. */
const WAIT_SECONDS = 600;
/** Seconds in which a browser must bring a pushed request (RFC 9126 section 2.2). */
export const PUSHED_SECONDS = 60;
/** Path at which `saml-provider` takes the answers to requests by SAML. */
export const SAML_ANSWER = '/api/iam/saml/answer';
const PUSHED_URN = 'urn:ietf:params:oauth:request_uri:';

const refusal = (propertyPath: string, message: string, lead: PageTexts['lead']): AppError =>
  refuseByPage({ title: 'authorize.refused.title', lead }, propertyPath, message);

/** Accepts authorization requests, from browsers and pushed by clients. */
@Injectable()
export class AuthorizeService {
  constructor(
    private readonly clients: ClientService,
    private readonly documents: ClientDocuments,
    private readonly requests: AuthorizationRequestRepository,
    private readonly checks: RequestCheck,
    private readonly forms: AnswerForms,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Keeps the request of a browser.
   * @param ipAddress of the browser
   * @param isFramed whether the browser opens it inside another page, where our pages are not shown
   * @returns the page that the browser opens next: where the person decides, or that of the client
   * @throws {AppError} validation-error if client or redirect URI are not registered: the browser
   *   must not be sent there (RFC 6749 section 4.1.2.1)
   */
  async start(parameters: Parameters, ipAddress: string, isFramed: boolean): Promise<string> {
    const client = await this.requireClient(parameters, ipAddress);
    const uri = parameters['request_uri'];
    if (uri?.startsWith(PUSHED_URN)) return this.startPushed(client, uri.slice(PUSHED_URN.length), isFramed);
    const redirectUri = findRedirectUri(client, parameters['redirect_uri']);
    if (redirectUri === null)
      throw refusal(
        'redirect_uri',
        'is not registered for this client, character by character',
        'authorize.refused.redirect-uri',
      );
    const { state = null } = parameters;
    try {
      if (uri !== undefined)
        throw new OAuthError('request_uri_not_supported', 'request_uri must be of a pushed request.');
      if (client.requirePar) throw new OAuthError('invalid_request', 'The client must push its requests.');
      return await this.wait(await this.checks.check(client, redirectUri, parameters), isFramed);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const responseMode = responseModeOf(parameters, redirectUri);
      return this.answer(
        { redirectUri, state, responseMode },
        { error: error.code, error_description: error.description },
      );
    }
  }

  /** @throws {AppError} as {@link start} */
  private async requireClient(
    { client_id: clientId = '', redirect_uri: uri }: Parameters,
    ipAddress: string,
  ): Promise<Client> {
    const client = await this.findClient(clientId, uri, ipAddress).catch((error: unknown) => {
      if (error instanceof DocumentFault)
        throw refusal('client_id', `${error.message}.`, 'authorize.refused.document');
      throw error;
    });
    if (client?.disabledAt === null) return client;
    throw refusal('client_id', 'The client is not registered, or disabled.', 'authorize.refused.client');
  }

  /** @throws {DocumentFault} */
  private async findClient(
    clientId: string,
    redirectUri: string | undefined,
    ipAddress: string,
  ): Promise<Client | null> {
    if (!isClientUrl(clientId)) return this.clients.findEnabled(clientId);
    const client = await this.documents.require(clientId, ipAddress);
    return this.renewFor(client, redirectUri, ipAddress);
  }

  /**
   * Fetches the document of a client again if it has no such address: it may publish it since.
   * @throws {DocumentFault}
   */
  private async renewFor(
    client: Client,
    redirectUri: string | undefined,
    ipAddress: string,
  ): Promise<Client> {
    const isKnown = !isClientUrl(client.clientId) || findRedirectUri(client, redirectUri) !== null;
    return isKnown ? client : this.documents.renew(client, ipAddress);
  }

  /**
   * Keeps the request that a client has pushed.
   * @param ipAddress of the client
   * @param jkt key that the client has proved, to which the code is bound; null without a proof
   * @returns the `request_uri` by which a browser brings it, once
   * @throws {OAuthError}
   */
  async push(
    pushing: Client,
    parameters: Parameters,
    { ipAddress, jkt }: { readonly ipAddress: string; readonly jkt: string | null },
  ): Promise<string> {
    if (parameters['request_uri'] !== undefined)
      throw new OAuthError('invalid_request', 'request_uri must not be pushed.');
    const client = await this.renewFor(pushing, parameters['redirect_uri'], ipAddress).catch(refuseFault);
    const redirectUri = findRedirectUri(client, parameters['redirect_uri']);
    if (redirectUri === null)
      throw new OAuthError('invalid_request', 'redirect_uri is not registered, character by character.');
    const checked = await this.checks.check(client, redirectUri, parameters);
    if (jkt !== null && checked.dpopJkt !== null && checked.dpopJkt !== jkt)
      throw new OAuthError('invalid_dpop_proof', 'The proof is not of the key dpop_jkt.');
    const request = { ...checked, dpopJkt: checked.dpopJkt ?? jkt };
    const { plainToken, tokenHash } = createOneTimeToken();
    await this.requests.insert(tokenHash, request, { pushed: true, seconds: PUSHED_SECONDS });
    return PUSHED_URN + plainToken;
  }

  /**
   * Returns the address that brings an answer to the client, by the mode of its request: the
   * redirect URI, or our page that posts to it. The answer names the issuer (RFC 9207). The
   * answer to a request by SAML goes to this service, which makes a response for the client of it.
   */
  answer(
    { redirectUri, state, responseMode }: Pick<CheckedRequest, 'redirectUri' | 'state' | 'responseMode'>,
    answer: Readonly<Record<string, string>>,
  ): string {
    const all = { ...answer, ...(state !== null && { state }), iss: this.settings.PUBLIC_URL };
    if (responseMode === 'saml')
      return `${this.settings.PUBLIC_URL}${SAML_ANSWER}?${new URLSearchParams(all)}`;
    if (responseMode === 'form_post') return this.forms.addressOf({ action: redirectUri, fields: all });
    const url = new URL(redirectUri);
    if (responseMode === 'fragment') url.hash = String(new URLSearchParams(all));
    else for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
    return url.href;
  }

  /** Finds a request that waits for the person; null if it is unknown, decided or expired. */
  find(id: string): Promise<WaitingRequest | null> {
    return this.requests.find(hashOneTimeToken(id));
  }

  /**
   * Takes a request, which one caller only can decide. Joins the open transaction.
   * @throws {AppError} not-found
   */
  async take(id: string): Promise<WaitingRequest> {
    const request = await this.requests.take(hashOneTimeToken(id));
    if (!request) throw new AppError('not-found');
    return request;
  }

  private async startPushed(client: Client, id: string, isFramed: boolean): Promise<string> {
    const request = await this.requests.takePushed(hashOneTimeToken(id), client.clientId);
    if (!request)
      throw refusal(
        'request_uri',
        'The request is unknown, used, or has expired.',
        'authorize.refused.request',
      );
    return this.wait(request, isFramed);
  }

  /**
   * Keeps a checked request, unless it must not ask the person and its frame cannot show who they
   * are.
   * @returns the page that the browser opens next
   */
  async wait(request: CheckedRequest, isFramed: boolean): Promise<string> {
    if (isFramed && request.prompts.includes('none'))
      return this.answer(request, {
        error: 'login_required',
        error_description: 'The page cannot be shown in a frame. Open the request in the window.',
      });
    const { plainToken, tokenHash } = createOneTimeToken();
    await this.requests.insert(tokenHash, request, { pushed: false, seconds: WAIT_SECONDS });
    const { uiLocales } = request;
    const locales = uiLocales === null ? '' : `&${new URLSearchParams({ ui_locales: uiLocales })}`;
    return `${this.settings.APP_URL}/authorize?request=${plainToken}${locales}`;
  }
}
