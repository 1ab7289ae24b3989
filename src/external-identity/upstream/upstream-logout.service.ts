import { Injectable, Logger } from '@nestjs/common';
import { type Connection, ConnectionDirectory, MetadataRefresh } from '../../connection/index.js';
import type * as own from '../../connection/index.js';
import { AppError } from '../../platform/errors/index.js';
import { OidcStrategy } from '../providers/oidc/oidc.strategy.js';
import { SignInError } from '../providers/provider.js';
import { SamlRefusal } from '../providers/saml/checks/saml-refusal.js';
import type { Delivery } from '../providers/delivery.js';
import type { LogoutRequest } from '../providers/saml/logout/saml-logout-request.js';
import { SamlStrategy } from '../providers/saml/saml.strategy.js';
import { UpstreamSessionEnd } from './upstream-session-end.js';

const PAGE = {
  title: 'identity.page.sign-out.title',
  lead: 'identity.page.sign-out.lead',
} as const;

/** One name, a signature and a certificate, in base64. */
export const MAX_LOGOUT_FORM_BYTES = 65_536;

/** Ends sessions at the request of the provider by whose connection they began. */
@Injectable()
export class UpstreamLogoutService {
  private readonly logger = new Logger('UpstreamLogout');

  constructor(
    private readonly connections: ConnectionDirectory,
    private readonly metadata: MetadataRefresh,
    private readonly saml: SamlStrategy,
    private readonly oidc: OidcStrategy,
    private readonly sessions: UpstreamSessionEnd,
  ) {}

  /** @throws {AppError} not-found for an unknown connection, or one of OpenID Connect */
  async requireSaml(connectionId: string): Promise<own.SamlConnection> {
    const connection = await this.connections.find(connectionId);
    if (connection?.kind !== 'saml') throw new AppError('not-found');
    return connection;
  }

  /**
   * Ends the sessions of a request by SAML. A disabled connection still ends sessions.
   * @returns the address that brings our response to the provider; null if it has none
   * @throws {AppError} not-found for an unknown connection; validation-error for a request that
   *   is not valid, or was used before
   */
  async endBySaml(connectionId: string, delivery: Delivery): Promise<string | null> {
    const connection = await this.requireSaml(connectionId);
    this.requireActivated(connection, 'SAMLRequest');
    const request = await this.readRefreshed(connection, delivery).catch((error: unknown) => {
      if (error instanceof SamlRefusal) throw this.refused(connectionId, 'SAMLRequest', error);
      throw error;
    });
    const { id, until, subject, sessionIndexes } = request;
    const { entityId: issuer } = connection.settings;
    const once = { id, until };
    if (!(await this.sessions.end(connection, { issuer, subject, sessionIndexes, once })))
      throw this.refused(connectionId, 'SAMLRequest', new Error('SAML-17: it was used before'));
    return this.saml.logoutResponseUrl(connection, request);
  }

  /**
   * Ends the sessions of a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.6).
   * @throws {AppError} as {@link endBySaml}; unavailable if the keys cannot be fetched
   */
  async endByToken(connectionId: string, token: string): Promise<void> {
    const connection = await this.getOidc(connectionId, 'logout_token');
    const { issuer, subject, sid, once } = await this.oidc
      .readLogoutToken(connection, token)
      .catch((error: unknown) => this.refuse(connectionId, 'logout_token', error));
    if (!(await this.sessions.end(connection, { issuer, subject, sid, once })))
      throw this.refused(connectionId, 'logout_token', new Error('The token was used before.'));
  }

  /**
   * Ends the sessions of a security event (CAEP 1.0, RISC 1.0). One that is sent again changes
   * nothing: the provider does not know that it has arrived.
   * @throws {AppError} as {@link endByToken}
   */
  async endBySignal(connectionId: string, token: string): Promise<void> {
    const connection = await this.getOidc(connectionId, 'signal');
    const { isEnding, ...named } = await this.oidc
      .readSignal(connection, token)
      .catch((error: unknown) => this.refuse(connectionId, 'signal', error));
    if (isEnding) await this.sessions.end(connection, named);
  }

  /** @throws {AppError} not-found; validation-error as {@link requireActivated} */
  private async getOidc(connectionId: string, field: string): Promise<own.OidcConnection> {
    const connection = await this.connections.find(connectionId);
    if (connection?.kind !== 'oidc') throw new AppError('not-found');
    this.requireActivated(connection, field);
    return connection;
  }

  private refuse(connectionId: string, field: string, error: unknown): never {
    if (error instanceof SignInError && error.reason === 'provider_unavailable')
      throw new AppError('unavailable', { retryAfterSeconds: 30, cause: error });
    if (error instanceof SignInError) throw this.refused(connectionId, field, error.cause);
    throw error;
  }

  /**
   * Refuses settings that no member has activated: the holder of a set-up link, who may have
   * changed them, must not end sessions that began by others.
   * @throws {AppError} validation-error
   */
  private requireActivated({ id, status }: Connection, field: string): void {
    if (status === 'draft') throw this.refused(id, field, new Error('The connection is a draft.'));
  }

  /** If an unknown key has signed the request, asks the metadata of the connection for it. */
  private async readRefreshed(connection: own.SamlConnection, delivery: Delivery): Promise<LogoutRequest> {
    try {
      return await this.saml.readLogoutRequest(connection, delivery);
    } catch (error) {
      if (!(error instanceof SamlRefusal) || error.topic !== 'unknown-key') throw error;
      const refreshed = await this.metadata.afterUnknownKey(connection);
      if (!refreshed) throw error;
      return this.saml.readLogoutRequest(refreshed, delivery);
    }
  }

  /** Logs why, without the request, and tells the sender nothing of it. */
  private refused(connectionId: string, field: string, cause: unknown): AppError {
    const why =
      cause instanceof Error ? cause.message.replace(/\S+@\S+/g, '(address)').slice(0, 200) : 'none';
    this.logger.warn({ connectionId, cause: why }, 'logout of a provider refused');
    return new AppError('validation-error', {
      violations: [{ propertyPath: field, message: 'is no valid request for a logout' }],
      page: PAGE,
    });
  }
}
