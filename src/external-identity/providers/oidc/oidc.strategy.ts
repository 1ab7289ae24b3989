import { Inject } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import type { OidcConnection, OidcSettings, ReadAttributes } from '../../../connection/index.js';
import { domainOf, isObject } from '../../../kernel/index.js';
import { RecentlyUsed } from '../../../platform/memory/index.js';
import { CustomerHttp, OutboundHttp } from '../../../platform/outbound/index.js';
import { booleanOf, boundAttributes, claimAt, textClaims, textOf } from '../attributes.js';
import { ExternalProvider } from '../provider.registry.js';
import { FlowStrategy } from '../flow-strategy.js';
import { ConnectionKeys } from '../keys/connection-keys.js';
import type { AssertionClaims, LogoutToken } from '../id-token.verifier.js';
import type { SignalToken } from '../signal-token.js';
import { OidcClient } from './oidc.client.js';
import {
  type CallbackParameters,
  type EmailProof,
  type ProvenProfile,
  type ProviderFlow,
  SignInError,
  type SignInStrategy,
} from '../provider.js';

const SCOPES = ['openid', 'email', 'profile'];
/** Value of `amr` for more than one factor (RFC 8176). */
const MULTIPLE_FACTORS = 'mfa';

/** Clients that are kept, each with a discovery document and keys of a few KiB. */
const MAX_CLIENTS = 250;
/** Time for which an unused client is kept at least. */
const CLIENTS_MS = 3_600_000;

/** A verified identity assertion, with the identity that it is about. */
export interface ReadAssertion {
  readonly claims: AssertionClaims;
  readonly profile: ProvenProfile;
}

/** Any OpenID Connect provider. It is the authority for the addresses of the configured domains. */
@ExternalProvider('oidc', 'your organization')
export class OidcStrategy extends PassportStrategy(FlowStrategy, 'oidc') implements SignInStrategy {
  readonly displayName: string | null;
  readonly issuer: string | undefined;
  readonly provesAuthenticationTime = true;
  private readonly client: OidcClient | null;
  readonly domains: readonly string[];
  /** Issuer of this service, for which identity assertions are. */
  private readonly audience: string;
  /** Clients of connections, by the version of their settings. */
  private readonly clients = new RecentlyUsed<OidcClient>(CLIENTS_MS, MAX_CLIENTS);

  constructor(
    http: OutboundHttp,
    private readonly customerHttp: CustomerHttp,
    private readonly keys: ConnectionKeys,
    @Inject(SETTINGS) settings: Settings,
  ) {
    const {
      EXTERNAL_OIDC_ISSUER: issuer,
      EXTERNAL_OIDC_CLIENT_ID: clientId,
      EXTERNAL_OIDC_CLIENT_SECRET: clientSecret,
    } = settings;
    super();
    this.audience = settings.PUBLIC_URL;
    if (issuer !== undefined) http.trust(issuer);
    this.displayName = settings.EXTERNAL_OIDC_NAME ?? null;
    this.issuer = issuer;
    this.domains = settings.EXTERNAL_OIDC_DOMAINS;
    this.client =
      issuer !== undefined && clientId !== undefined && clientSecret
        ? new OidcClient(http, { issuer, clientId, credential: { clientSecret: clientSecret.reveal() } })
        : null;
  }

  get configured(): boolean {
    return this.client !== null;
  }

  async authorizationUrl(flow: ProviderFlow): Promise<URL> {
    const { scopes, acrValues } = settingsOf(flow);
    return this.clientOf(flow).start(flow, [...new Set([...SCOPES, ...scopes])].join(' '), {
      ...(flow.loginHint !== undefined && { login_hint: flow.loginHint }),
      ...(acrValues.length > 0 && { acr_values: acrValues.join(' ') }),
    });
  }

  async validate(flow: ProviderFlow, parameters: CallbackParameters): Promise<ProvenProfile> {
    const { claims: names } = settingsOf(flow);
    const wanted = Object.values<string>({ ...names });
    return this.profileOf(await this.clientOf(flow).claims(flow, parameters, wanted), flow);
  }

  /**
   * Verifies an identity assertion of the provider of a connection, which is for this service.
   * @throws {SignInError} as {@link readLogoutToken}
   */
  async readAssertion(connection: OidcConnection, assertion: string): Promise<ReadAssertion> {
    const { audience } = this;
    const claims = await this.clientFor(connection).verifyBy((idTokens, { issuer }) =>
      idTokens.verifyAssertion(assertion, { issuer, audience }),
    );
    const profile = this.profileOf({ ...claims, iss: connection.settings.issuer }, { connection });
    return { claims, profile };
  }

  private profileOf(
    claims: Record<string, unknown> & { readonly iss: string; readonly sub: string },
    flow: Pick<ProviderFlow, 'connection'>,
  ): ProvenProfile {
    const { claims: names, acrValues } = settingsOf(flow);
    const { iss, sub, email_verified: verified, sid } = claims;
    const address = textAt(claims, names.email ?? 'email');
    return {
      issuer: iss,
      subject: sub,
      email: address,
      emailProof: address === null ? 'none' : this.proofOf(address, booleanOf(verified), flow),
      firstName: textAt(claims, names.firstName ?? 'given_name'),
      lastName: textAt(claims, names.lastName ?? 'family_name'),
      displayName: textAt(claims, names.displayName ?? 'name'),
      isTwoFactor: isTwoFactor(claims, acrValues),
      upstream: { ...(typeof sid === 'string' && { sid }) },
      ...(flow.connection && readAttributes(claims, names.groups)),
    };
  }

  /**
   * Returns the address at which the provider of a connection ends its session (OpenID Connect
   * RP-Initiated Logout 1.0); null if it offers no logout, or does not respond. The ID token is not
   * kept, so that the request names the client and not the person.
   */
  async logoutUrl(connection: OidcConnection, returnUri: string): Promise<string | null> {
    const endpoint = await this.clientFor(connection).findEndSessionEndpoint();
    if (endpoint === null) return null;
    const url = new URL(endpoint);
    url.searchParams.set('client_id', connection.settings.clientId);
    url.searchParams.set('post_logout_redirect_uri', returnUri);
    return url.href;
  }

  /**
   * Verifies a logout token of the provider of a connection.
   * @throws {SignInError} invalid_response; provider_unavailable if its keys cannot be fetched
   */
  readLogoutToken(connection: OidcConnection, token: string): Promise<LogoutToken> {
    return this.clientFor(connection).verifyBy((idTokens, sender) => idTokens.verifyLogout(token, sender));
  }

  /**
   * Verifies a security event token of the provider of a connection.
   * @throws {SignInError} as {@link readLogoutToken}
   */
  readSignal(connection: OidcConnection, token: string): Promise<SignalToken> {
    return this.clientFor(connection).verifyBy((idTokens, sender) => idTokens.verifySignal(token, sender));
  }

  /**
   * A connection of an organization vouches for the verified domains of it, where it need not say
   * `email_verified` (Microsoft Entra ID never does), and for no other address, whatever it says.
   */
  private proofOf(
    address: string,
    verified: boolean | undefined,
    { connection }: Pick<ProviderFlow, 'connection'>,
  ): EmailProof {
    if (connection)
      return verified !== false && connection.domains.includes(domainOf(address)) ? 'authority' : 'none';
    if (verified !== true) return 'none'; // OIDC-9
    return this.domains.includes(domainOf(address)) ? 'authority' : 'verified';
  }

  private clientOf({ connection }: ProviderFlow): OidcClient {
    if (connection?.kind === 'oidc') return this.clientFor(connection);
    if (!this.client) throw new SignInError('provider_unavailable');
    return this.client;
  }

  /** @throws {SignInError} provider_unavailable for a connection without a client secret */
  private clientFor(connection: OidcConnection): OidcClient {
    const key = `${connection.id} ${connection.settingsVersion}`;
    const client = this.clients.get(key) ?? this.createClient(connection);
    this.clients.set(key, client);
    return client;
  }

  private createClient({ settings, revealClientSecret }: OidcConnection): OidcClient {
    const { issuer, clientId, clientAuthentication, trustedAudiences } = settings;
    const byKey = clientAuthentication === 'private_key_jwt';
    const clientSecret = byKey ? null : revealClientSecret();
    if (!byKey && clientSecret === null) throw new SignInError('provider_unavailable');
    const credential = clientSecret === null ? { key: () => this.keys.getCurrent('oidc') } : { clientSecret };
    return new OidcClient(this.customerHttp, { issuer, clientId, trustedAudiences, credential });
  }
}

/** Returns the claims that are texts or lists of texts, for the rules of the connection. */
function readAttributes(claims: Record<string, unknown>, groups: string | undefined): ReadAttributes {
  const { _claim_names: _names, _claim_sources: _sources, ...sent } = claims;
  return boundAttributes(textClaims(sent), groups, leftOut(claims));
}

/** Returns a claim that is a text, or the first of a list: `emails` of Azure AD B2C. */
function textAt(claims: Record<string, unknown>, name: string): string | null {
  return textOf([claimAt(claims, name)].flat()[0]);
}

/**
 * Returns the claims that the provider distributes (OpenID Connect Core 5.6.2): Microsoft Entra
 * ID does so with more than 200 groups, or says `hasgroups`.
 */
function leftOut({ _claim_names: distributed, hasgroups: hasGroups }: Record<string, unknown>): string[] {
  const isLeftOut = ![undefined, false, 'false'].includes(hasGroups as string);
  return [...(isObject(distributed) ? Object.keys(distributed) : []), ...(isLeftOut ? ['groups'] : [])];
}

/** Returns what the settings of a connection add to a flow; nothing for the environment's. */
function settingsOf({
  connection,
}: Pick<ProviderFlow, 'connection'>): Pick<OidcSettings, 'scopes' | 'claims' | 'acrValues'> {
  return connection?.kind === 'oidc' ? connection.settings : { scopes: [], claims: {}, acrValues: [] };
}

/** Tells whether an ID token names several factors, or one of the strengths that were asked for. */
function isTwoFactor({ amr, acr }: Record<string, unknown>, asked: readonly string[]): boolean {
  if (Array.isArray(amr) && amr.includes(MULTIPLE_FACTORS)) return true;
  return typeof acr === 'string' && asked.includes(acr);
}
