import { Inject, Injectable } from '@nestjs/common';
import { isUlid, type SessionId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import type { AppError, PageTexts } from '../../platform/errors/index.js';
import { type Client, ClientService } from '../../client/index.js';
import { LogoutService } from '../../session/index.js';
import { refuseByPage } from '../refused-page.js';
import type { Parameters } from '../token/oauth-request.js';
import { ClientSessionRepository } from '../subjects/client-session.repository.js';
import { sidOf } from '../subjects/subjects.js';
import { type HintClaims, IdTokens } from '../token/id-tokens.js';

const refusal = (propertyPath: string, message: string, lead: PageTexts['lead']): AppError =>
  refuseByPage({ title: 'logout.refused.title', lead }, propertyPath, message);

/** A logout that a client has begun without a proof. */
interface LogoutRequest {
  readonly clientId: string;
  readonly postLogoutRedirectUri?: string;
  readonly state?: string;
}

/** Ends sessions at the request of a client (OpenID Connect RP-Initiated Logout 1.0). */
@Injectable()
export class RelyingPartyLogout {
  constructor(
    private readonly clients: ClientService,
    private readonly logouts: LogoutService,
    private readonly idTokens: IdTokens,
    private readonly sessions: ClientSessionRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Ends the session that `id_token_hint` names. Without a valid hint, a page of any origin could
   * have sent the browser here: nothing ends before the person confirms, on a page of the app. The
   * same if the session has ended already: the person may have signed in again since.
   * @returns where the browser goes next
   * @throws {AppError} validation-error for an address that is not registered, and for the hint of
   *   another client
   */
  async logout(parameters: Parameters): Promise<string> {
    const { id_token_hint: hint, client_id: named, post_logout_redirect_uri: uri, state } = parameters;
    const claims = hint === undefined ? null : await this.idTokens.verifyHint(hint);
    if (claims && named !== undefined && named !== claims.clientId)
      throw refusal('client_id', 'is not the client of the ID token', 'logout.refused.hint');
    const clientId = claims?.clientId ?? named;
    if (clientId === undefined) return this.pageForAddress(uri, state);
    const client = await this.clients.findEnabled(clientId);
    const back = returnOf(client, uri, state);
    const isEnded = claims !== null && (await this.endSession(client, claims));
    return isEnded ? (back ?? this.settings.APP_URL) : this.pageFor(client, uri, state);
  }

  /**
   * Describes a logout to the page on which the person confirms it.
   * @throws {AppError} validation-error if client or address are not registered
   */
  async describe({
    clientId,
    postLogoutRedirectUri,
    state,
  }: LogoutRequest): Promise<{ name: string; redirectTo: string | null }> {
    const client = await this.clients.findEnabled(clientId);
    if (!client)
      throw refusal('clientId', 'The client is not registered, or disabled.', 'logout.refused.client');
    return { name: client.name, redirectTo: returnOf(client, postLogoutRedirectUri, state) };
  }

  /** @returns false if the session has ended already */
  private async endSession(client: Client | null, claims: HintClaims): Promise<boolean> {
    const sessionId = await this.findSession(client, claims);
    return sessionId !== null && this.logouts.endSession(claims.userId, sessionId);
  }

  /** Finds the session that a hint names: by its id, or by the name for an enabled client. */
  private async findSession(client: Client | null, hint: HintClaims): Promise<SessionId | null> {
    const { userId, clientId, sid } = hint;
    if (isUlid(sid)) return sid as SessionId;
    if (client === null) return null;
    const sessions = await this.sessions.list(userId, clientId);
    return sessions.find((id) => sidOf(client, id) === sid) ?? null;
  }

  /**
   * Finds the page of a request that names neither an ID token nor a client. The person returns
   * after the confirmation if the address is registered; for an unknown one they only sign out.
   */
  private async pageForAddress(uri: string | undefined, state: string | undefined): Promise<string> {
    const client = uri === undefined ? null : await this.clients.findByPostLogoutRedirectUri(uri);
    return this.pageFor(client, uri, state);
  }

  private pageFor(client: Client | null, uri: string | undefined, state: string | undefined): string {
    const query = new URLSearchParams({
      ...(client && { client_id: client.clientId }),
      ...(client && uri !== undefined && { post_logout_redirect_uri: uri }),
      ...(client && state !== undefined && { state }),
    });
    return `${this.settings.APP_URL}/sign-out${query.size > 0 ? `?${query}` : ''}`;
  }
}

/**
 * Returns the address to which the browser returns; null for none.
 * @throws {AppError} validation-error for one that is not registered
 */
function returnOf(client: Client | null, uri: string | undefined, state: string | undefined): string | null {
  if (uri === undefined) return null;
  if (!client?.postLogoutRedirectUris.includes(uri))
    throw refusal(
      'post_logout_redirect_uri',
      'is not registered for this client, character by character',
      client ? 'logout.refused.redirect-uri' : 'logout.refused.client',
    );
  const url = new URL(uri);
  if (state !== undefined) url.searchParams.set('state', state);
  return url.href;
}
