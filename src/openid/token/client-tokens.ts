import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/index.js';
import { acceptsAlg, type Client, CLIENT_GRANT_TYPES, isClientUrl, LiveApis } from '../../client/index.js';
import {
  CodeExchange,
  type CodeFault,
  GrantRevocation,
  type GrantView,
  RefreshService,
  type ReusedCode,
  TenantAdmission,
  TokenIssuer,
} from '../../session/index.js';
import { type ApiTarget, apiIdOf, namesOfApi, plainScopesOf } from '../apis/api-scopes.js';
import { ApiTokens } from '../apis/api-tokens.js';
import { type AssertedTokenResponse, AssertionTokens, JWT_BEARER } from '../assertions/assertion-tokens.js';
import { ConsentRepository } from '../consents/consent.repository.js';
import { coversForMembers } from '../consents/member-consent.js';
import { DeviceService } from '../devices/device.service.js';
import { sidOf, Subjects } from '../subjects/subjects.js';
import { ClientAuthenticator, requireGrantType } from './client-authenticator.js';
import { IdTokens } from './id-tokens.js';
import { OAuthError } from './oauth-error.js';
import type { ProvenKey } from './oauth-request.js';
import { findRedirectUri } from '../requests/request-check.js';
import { invalidTarget, RequestedResource } from './requested-resource.js';

type Parameters = Readonly<Record<string, string>>;

/** Token response of a client (RFC 6749 section 5.1, OpenID Connect Core section 3.1.3.3). */
export interface ClientTokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer' | 'DPoP';
  readonly expires_in: number;
  readonly refresh_token?: string;
  /** With the scope `openid`. */
  readonly id_token?: string;
  readonly scope: string;
}

/** What a token is for: scopes of this service, or names of scopes of an API. */
interface Choice {
  readonly target: ApiTarget | null;
  readonly scopes: readonly string[];
}

/** Issues tokens to clients of OpenID Connect: for codes, refreshes, devices and assertions. */
@Injectable()
export class ClientTokens {
  constructor(
    private readonly clients: ClientAuthenticator,
    private readonly codes: CodeExchange,
    private readonly devices: DeviceService,
    private readonly consents: ConsentRepository,
    private readonly revocation: GrantRevocation,
    private readonly refreshes: RefreshService,
    private readonly admission: TenantAdmission,
    private readonly tokens: TokenIssuer,
    private readonly idTokens: IdTokens,
    private readonly subjects: Subjects,
    private readonly resources: RequestedResource,
    private readonly apis: LiveApis,
    private readonly apiTokens: ApiTokens,
    private readonly assertions: AssertionTokens,
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
    const client = await this.clients.require(parameters, authorization, ipAddress);
    if (client.requireDpop && proof === null)
      throw new OAuthError('invalid_dpop_proof', 'The client must send a proof (DPoP).');
    requireAlg(client, proof);
    const jkt = proof?.jkt ?? null;
    const { grant_type: grantType } = parameters;
    requireGrantType(client, grantType);
    const isOfAgent = isClientUrl(client.clientId) && grantType === 'refresh_token';
    // The grant of an agent says what its organization allows.
    if (!isOfAgent) await this.resources.find(client, parameters);
    if (grantType === JWT_BEARER) return this.assertions.issue({ client, ipAddress, jkt }, parameters);
    if (grantType === 'refresh_token') return this.refresh(client, parameters, jkt);
    return grantType === 'authorization_code'
      ? this.exchangeCode(client, parameters, jkt)
      : this.redeemDevice(client, parameters, jkt);
  }

  private async redeemDevice(
    client: Client,
    parameters: Parameters,
    jkt: string | null,
  ): Promise<ClientTokenResponse> {
    const { device_code: deviceCode } = parameters;
    if (deviceCode === undefined) throw new OAuthError('invalid_request', 'device_code is missing.');
    const grant = await this.devices.redeem(client, deviceCode, jkt);
    return this.respondFirst(client, grant, null, parameters);
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
    if ('grant' in exchanged) return this.respondFirst(client, exchanged.grant, exchanged.nonce, parameters);
    await this.endGiven(exchanged.reused);
    throw invalidGrant('code');
  }

  /**
   * Ends the grant of a code that is used again. After its minute the verifier must be right: a
   * code that was found in a log must not sign people out.
   */
  private async endGiven({ grantId, isProven, isRecent }: ReusedCode): Promise<void> {
    if (isProven || isRecent) await this.revocation.endGrant(grantId);
  }

  /** @throws {OAuthError} invalid_grant */
  private async refresh(
    client: Client,
    parameters: Parameters,
    jkt: string | null,
  ): Promise<ClientTokenResponse> {
    const { refresh_token: refreshToken, scope, resource } = parameters;
    if (refreshToken === undefined) throw new OAuthError('invalid_request', 'refresh_token is missing.');
    if (scope !== undefined || resource !== undefined || isClientUrl(client.clientId))
      await this.requireChoice(refreshToken, client, parameters);
    const grant = await this.refreshes
      .refreshOfClient(refreshToken, {
        clientId: client.clientId,
        isConfidential: client.type === 'confidential',
        tenantId: client.tenantId,
        jkt,
      })
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'invalid-refresh-token')
          throw invalidGrant('refresh token');
        throw error instanceof AppError && error.code === 'not-a-member' ? notAdmitted() : error;
      });
    // Of a grant that is not bound, this access token alone is.
    const proven = { ...grant, dpopJkt: grant.dpopJkt ?? jkt };
    // Fewer scopes are for this access token; the grant keeps its own (RFC 6749 section 6).
    return this.respond(client, proven, null, await this.choose(client, proven, parameters, true));
  }

  /**
   * Requires resource and scopes of a refresh before the token is rotated: the client would lose
   * the new one with the answer, and end the session by the old one later.
   * @throws {OAuthError} invalid_target; invalid_scope
   */
  private async requireChoice(refreshToken: string, client: Client, parameters: Parameters): Promise<void> {
    const grant = await this.revocation.findGrantOfRefreshToken(refreshToken, client.clientId);
    if (!grant) return;
    const { target } = await this.choose(client, grant, parameters, true);
    const tenantId = target?.api.tenantId ?? null;
    if (tenantId !== null && !(await this.admission.admits(grant, tenantId))) throw notAdmitted();
  }

  /**
   * Chooses the audience of a token, and its scopes. Without a resource, the grant decides.
   * @param isRefresh whether the client may choose another API to which the person has consented
   * @throws {OAuthError} invalid_target; invalid_scope
   */
  private async choose(
    client: Client,
    grant: GrantView,
    parameters: Parameters,
    isRefresh: boolean,
  ): Promise<Choice> {
    const given = grant.grantedScopes;
    if (given === null) throw invalidGrant('refresh token');
    const target = await this.findTarget(client, grant, parameters);
    if (target === null && isClientUrl(client.clientId)) throw invalidTarget();
    const { scope } = parameters;
    const isNarrowed = isRefresh && scope !== undefined;
    if (target) {
      const names =
        namesOfApi(given, target.api.id) ??
        (isRefresh ? await this.findConsented(client, grant, target) : null);
      if (names === null) throw invalidTarget();
      return { target, scopes: isNarrowed ? selectNames(scope, names, given) : names };
    }
    const scopes = plainScopesOf(given);
    // Without it, the token would not be limited to the scopes of the grant.
    if (!scopes.includes('openid')) throw invalidTarget();
    return { target, scopes: isNarrowed ? selectScopes(scope, scopes) : scopes };
  }

  /** @returns null for this service */
  private async findTarget(
    client: Client,
    grant: GrantView,
    parameters: Parameters,
  ): Promise<ApiTarget | null> {
    if (parameters['resource'] !== undefined) return this.resources.find(client, parameters, grant);
    const apiId = apiIdOf(grant.grantedScopes ?? []);
    if (apiId === null) return null;
    const api = await this.apis.find(apiId);
    if (!api) throw invalidTarget();
    return this.resources.requireReach(client, api, grant);
  }

  /** Returns the scopes of an API that person or organization have allowed; null for none. */
  private async findConsented(
    { clientId, firstParty, consentedScopes }: Client,
    { userId }: GrantView,
    { api, reach }: ApiTarget,
  ): Promise<string[] | null> {
    if (firstParty) return [...reach];
    const own = await this.consents.findScopes(userId, clientId);
    return namesOfApi([...consentedScopes, ...own], api.id);
  }

  /**
   * Responds with the first tokens of a grant, and ends one that is not admitted: its code is used.
   * A refresh judges it before the token is rotated.
   */
  private async respondFirst(
    client: Client,
    grant: GrantView,
    nonce: string | null,
    parameters: Parameters,
  ): Promise<ClientTokenResponse> {
    const { tenantId } = client;
    if (tenantId !== null && !(await this.admission.admits(grant, tenantId))) {
      await this.revocation.endGrant(grant.grantId);
      throw notAdmitted();
    }
    const choice = await this.choose(client, grant, parameters, false).catch(async (error: unknown) => {
      await this.revocation.endGrant(grant.grantId);
      throw error;
    });
    return this.respond(client, grant, nonce, choice);
  }

  /**
   * Ends a grant that neither the person nor the organization consents to: its client was
   * first-party when it was made, or the organization has withdrawn its consent.
   * @throws {OAuthError} invalid_grant
   */
  private async requireConsent(client: Client, grant: GrantView): Promise<void> {
    const { userId, grantId } = grant;
    const scopes = grant.grantedScopes ?? [];
    if (client.firstParty || coversForMembers(client, scopes)) return;
    if (await this.consents.covers(userId, client.clientId, scopes)) return;
    await this.revocation.endGrant(grantId);
    throw new OAuthError('invalid_grant', 'The person has to sign in again, and to consent to the client.');
  }

  private async respond(
    client: Client,
    grant: GrantView,
    nonce: string | null,
    { target, scopes }: Choice,
  ): Promise<ClientTokenResponse> {
    await this.requireConsent(client, grant);
    if (target) return this.respondForApi(client, grant, nonce, { target, scopes });
    return this.respondForOwn(client, { ...grant, grantedScopes: [...scopes] }, nonce);
  }

  /** Responds with a token for an API, and an ID token if the grant is for `openid`, too. */
  private async respondForApi(
    client: Client,
    grant: GrantView,
    nonce: string | null,
    { target, scopes: granted }: Choice & { readonly target: ApiTarget },
  ): Promise<ClientTokenResponse> {
    const issued = await this.apiTokens.issue(client, grant, target, granted);
    if (!issued) {
      // Its token may have been rotated: the client would end the session by the old one later.
      await this.revocation.endGrant(grant.grantId);
      throw notAdmitted();
    }
    const { accessToken, expiresIn, scopes, tenantId } = issued;
    const plain = plainScopesOf(grant.grantedScopes ?? []);
    const [subject, sid] = [await this.subjects.find(client, grant.userId), sidOf(client, grant.sessionId)];
    const idToken = plain.includes('openid')
      ? await this.idTokens.sign({ ...grant, grantedScopes: plain }, client, {
          subject,
          sid,
          nonce,
          accessToken,
          tenantId,
        })
      : null;
    return {
      access_token: accessToken,
      token_type: grant.dpopJkt === null ? 'Bearer' : 'DPoP',
      expires_in: expiresIn,
      ...(client.grantTypes.includes('refresh_token') && {
        refresh_token: this.tokens.refreshTokenOf(grant),
      }),
      ...(idToken !== null && { id_token: idToken }),
      scope: scopes.join(' '),
    };
  }

  private async respondForOwn(
    client: Client,
    grant: GrantView,
    nonce: string | null,
  ): Promise<ClientTokenResponse> {
    const { tenantId: ofClient } = client;
    const subject = await this.subjects.find(client, grant.userId);
    const sid = sidOf(client, grant.sessionId);
    const view = { subject, sid, accessTokenAlg: client.accessTokenAlg };
    const issued = await this.tokens.issue(grant, grant.tenantId, view);
    const { accessToken, expiresIn, refreshToken, tenantId } = issued;
    // The membership has ended at this moment.
    if (ofClient !== null && tenantId !== ofClient) throw notAdmitted();
    const hasRefresh = client.grantTypes.includes('refresh_token');
    return {
      access_token: accessToken,
      token_type: grant.dpopJkt === null ? 'Bearer' : 'DPoP',
      expires_in: expiresIn,
      ...(hasRefresh && { refresh_token: refreshToken }),
      id_token: await this.idTokens.sign(grant, client, {
        subject,
        sid,
        nonce,
        accessToken,
        tenantId: tenantId as never,
      }),
      scope: (grant.grantedScopes ?? []).join(' '),
    };
  }
}

/**
 * Requires that the profile of a client accepts the algorithm of its proof.
 * @throws {OAuthError} invalid_dpop_proof
 */
export function requireAlg(client: Client, proof: ProvenKey | null): void {
  if (proof !== null && !acceptsAlg(client, proof.alg))
    throw new OAuthError('invalid_dpop_proof', 'The proof must be by PS256, ES256 or EdDSA (FAPI 2.0).');
}

/** @throws {OAuthError} invalid_scope */
function selectScopes(requested: string, given: readonly string[]): string[] {
  const asked = requested.split(' ').filter((one) => one !== '');
  if (!asked.includes('openid') || !asked.every((one) => given.includes(one)))
    throw new OAuthError('invalid_scope', 'scope must contain openid, and only scopes of the grant.');
  return asked;
}

/** @throws {OAuthError} invalid_scope */
function selectNames(requested: string, names: readonly string[], given: readonly string[]): string[] {
  const asked = requested.split(' ').filter((one) => one !== '');
  if (!asked.every((one) => names.includes(one) || given.includes(one)))
    throw new OAuthError('invalid_scope', 'scope must contain only scopes of the API that were granted.');
  return names.filter((name) => asked.includes(name));
}

/** What the client has to mend; the code is used up. */
const CODE_FAULTS: Readonly<Record<CodeFault, string>> = {
  'verifier-unexpected': 'code_verifier was sent, but the request had no code_challenge.',
  'verifier-malformed': 'code_verifier must be 43 to 128 letters, digits and - . _ ~ (RFC 7636 section 4.1).',
  'verifier-wrong': 'code_verifier is not of the code_challenge.',
  'redirect-uri': 'redirect_uri is not that of the authorization request.',
  key: 'The code is bound to another key (DPoP).',
};

const invalidGrant = (what: 'code' | 'refresh token'): OAuthError =>
  new OAuthError(
    'invalid_grant',
    `The ${what} is unknown, used, expired or revoked, or not for this client.`,
  );

const notAdmitted = (): OAuthError =>
  new OAuthError(
    'invalid_grant',
    'The organization of the client is archived, or does not accept the sign-in of the person.',
  );
