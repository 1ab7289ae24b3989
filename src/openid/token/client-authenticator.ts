import { Injectable } from '@nestjs/common';
import { type Satellite, SatelliteService } from '../../satellite/index.js';
import type { ClientAuthMethod } from '../../satellite/index.js';
import { type BasicCredentials, parseBasic } from './basic-credentials.js';
import { OAuthError } from './oauth-error.js';

/** Authenticates clients at the endpoints of OAuth (RFC 6749 section 2.3). */
@Injectable()
export class ClientAuthenticator {
  constructor(private readonly satellites: SatelliteService) {}

  /**
   * Authenticates the client by the one method of its registration.
   * @param parameters of the form
   * @param authorization header of the request; undefined without one
   * @throws {OAuthError} invalid_client; invalid_request for two methods at once
   */
  async require(
    parameters: Readonly<Record<string, string>>,
    authorization: string | undefined,
  ): Promise<Satellite> {
    const { client_id: named, client_secret: posted } = parameters;
    if (authorization !== undefined && posted !== undefined)
      throw new OAuthError('invalid_request', 'The client must authenticate by one method.');
    const basic = authorization === undefined ? null : parseBasic(authorization);
    if (authorization !== undefined && !basic) throw invalidClient();
    if (basic && named !== undefined && named !== basic.clientId) throw invalidClient();
    if (basic) return this.requireSecret(basic, 'client_secret_basic');
    if (posted !== undefined)
      return this.requireSecret({ clientId: named ?? '', secret: posted }, 'client_secret_post');
    const client = await this.satellites.findEnabled(named ?? '');
    if (client?.type !== 'public') throw invalidClient();
    return client;
  }

  private async requireSecret(
    { clientId, secret }: BasicCredentials,
    method: ClientAuthMethod,
  ): Promise<Satellite> {
    const proven = await this.satellites.findClient({ clientId, clientSecret: secret });
    const client = proven === null ? null : await this.satellites.findEnabled(clientId);
    if (client?.tokenEndpointAuthMethod !== method) throw invalidClient();
    return client;
  }
}

const invalidClient = (): OAuthError =>
  new OAuthError(
    'invalid_client',
    'The client is unknown, disabled, or not authenticated by the method of its registration.',
  );
