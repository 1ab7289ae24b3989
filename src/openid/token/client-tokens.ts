import { Injectable } from '@nestjs/common';
import { type Client, CLIENT_GRANT_TYPES, isClientUrl } from '../../client/index.js';
import { CodeExchange, type CodeFault } from '../../session/index.js';
import { type AssertedTokenResponse, AssertionTokens, JWT_BEARER } from '../assertions/assertion-tokens.js';
import { DeviceGrant } from '../devices/device-grant.js';
import { findRedirectUri } from '../requests/request-check.js';
import { ClientAuthenticator } from './client-authenticator.js';
import { type ClientTokenResponse, GrantTokens } from './grant-tokens.js';
import { invalidGrant, OAuthError } from './oauth-error.js';
import type { Parameters, ProvenKey } from './oauth-request.js';
import { RefreshGrant } from './refresh-grant.js';

/** Issues tokens to clients of OpenID Connect: for codes, refreshes, devices and assertions. */
@Injectable()
export class ClientTokens {
  constructor(
    private readonly clients: ClientAuthenticator,
    private readonly codes: CodeExchange,
    private readonly refreshes: RefreshGrant,
    private readonly devices: DeviceGrant,
    private readonly assertions: AssertionTokens,
    private readonly grantTokens: GrantTokens,
  ) {}

  /** Returns whether a token request is one of a client of OpenID Connect. */
  handles({ grant_type: grantType }: Parameters): boolean {
    return (CLIENT_GRANT_TYPES as readonly (string | undefined)[]).includes(grantType);
  }

  /**
   * Answers a token request.
   * @param authorization header of the request; undefined without one
   * @param proof key that the client has proved; null without a proof
   * @param ipAddress of the client
   * @throws {OAuthError} as RFC 6749 section 5.2 says; invalid_dpop_proof; invalid_target, if the
   *   client does not reach the resource, before a code is used or a token rotated
   */
  async issue(
    parameters: Parameters,
    authorization: string | undefined,
    proof: ProvenKey | null,
    ipAddress: string,
  ): Promise<ClientTokenResponse | AssertedTokenResponse> {
    const client = await this.clients.requireForTokens(parameters, authorization, proof, ipAddress);
    const jkt = proof?.jkt ?? null;
    const { grant_type: grantType } = parameters;
    if (grantType === JWT_BEARER) return this.assertions.issue({ client, ipAddress, jkt }, parameters);
    if (grantType === 'refresh_token') return this.refreshes.issue(client, parameters, jkt);
    return grantType === 'authorization_code'
      ? this.exchangeCode(client, parameters, jkt)
      : this.devices.issue(client, parameters, jkt);
  }

  /**
   * Exchanges a code. Consumes it for one caller only, whether or not verifier and redirect URI are
   * right: a wrong one burns the code, because an attacker may have it. A second exchange ends the
   * grant of the first (RFC 6749 section 4.1.2).
   * @throws {OAuthError} invalid_grant alike for an unknown, used or expired code, another
   *   client's, and one of an ended session
   */
  private async exchangeCode(
    client: Client,
    parameters: Parameters,
    jkt: string | null,
  ): Promise<ClientTokenResponse> {
    const { code, code_verifier: codeVerifier = '', redirect_uri: redirectUri = '' } = parameters;
    if (code === undefined) throw new OAuthError('invalid_request', 'code is missing.');
    if (redirectUri.includes('\0')) throw new OAuthError('invalid_request', 'redirect_uri has a NUL.');
    const { clientId } = client;
    // The document may have changed since the authorization request.
    if (isClientUrl(clientId) && findRedirectUri(client, redirectUri) === null) throw invalidGrant('code');
    const event = { action: 'session.handed-over', subject: `iam/satellites/${client.id}` };
    const presented = { purpose: 'openid', code, codeVerifier, clientId, redirectUri, jkt, event } as const;
    const exchanged = await this.codes.exchange(presented);
    if (exchanged === 'refused') throw invalidGrant('code');
    if ('fault' in exchanged) throw new OAuthError('invalid_grant', CODE_FAULTS[exchanged.fault]);
    if ('grant' in exchanged)
      return this.grantTokens.respondFirst(client, exchanged.grant, exchanged.nonce, parameters);
    await this.grantTokens.endReused(exchanged.reused);
    throw invalidGrant('code');
  }
}

/** What the client has to mend; the code is used up. */
const CODE_FAULTS: Readonly<Record<CodeFault, string>> = {
  'verifier-unexpected': 'code_verifier was sent, but the request had no code_challenge.',
  'verifier-malformed': 'code_verifier must be 43 to 128 letters, digits and - . _ ~ (RFC 7636 section 4.1).',
  'verifier-wrong': 'code_verifier is not of the code_challenge.',
  'redirect-uri': 'redirect_uri is not that of the authorization request.',
  key: 'The code is bound to another key (DPoP).',
};
