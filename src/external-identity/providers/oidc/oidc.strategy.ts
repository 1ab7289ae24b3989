import { Inject } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import type { Attributes, OidcSettings } from '../../../connection/index.js';
import { domainOf } from '../../../kernel/index.js';
import { CustomerHttp, OutboundHttp } from '../../../platform/outbound/index.js';
import { boundAttributes } from '../attributes.js';
import { ExternalProvider } from '../external-provider.decorator.js';
import { FlowStrategy } from '../flow-strategy.js';
import { OidcClients } from './oidc-clients.js';
import { OidcClient } from './oidc.client.js';
import {
  SignInError,
  type CallbackParameters,
  type EmailProof,
  type ProvenProfile,
  type ProviderFlow,
  type SignInStrategy,
} from '../provider.js';

const SCOPES = ['openid', 'email', 'profile'];

/** Any OpenID Connect provider. It is the authority for the addresses of the configured domains. */
@ExternalProvider('oidc', 'your organization')
export class OidcStrategy extends PassportStrategy(FlowStrategy, 'oidc') implements SignInStrategy {
  readonly displayName: string | null;
  readonly issuer: string | undefined;
  readonly provesAuthenticationTime = true;
  private readonly client: OidcClient | null;
  private readonly domains: readonly string[];
  private readonly clients: OidcClients;

  constructor(http: OutboundHttp, customerHttp: CustomerHttp, @Inject(SETTINGS) settings: Settings) {
    const {
      EXTERNAL_OIDC_ISSUER: issuer,
      EXTERNAL_OIDC_CLIENT_ID: clientId,
      EXTERNAL_OIDC_CLIENT_SECRET: clientSecret,
    } = settings;
    super();
    this.clients = new OidcClients(customerHttp);
    if (issuer !== undefined) http.trust(issuer);
    this.displayName = settings.EXTERNAL_OIDC_NAME ?? null;
    this.issuer = issuer;
    this.domains = settings.EXTERNAL_OIDC_DOMAINS;
    this.client =
      issuer !== undefined && clientId !== undefined && clientSecret
        ? new OidcClient(http, { issuer, clientId, clientSecret: clientSecret.reveal() })
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
    const names = settingsOf(flow).claims;
    const wanted = Object.values<string>({ ...names });
    const claims = await this.clientOf(flow).claims(flow, parameters, wanted);
    const { iss, sub, email_verified: verified } = claims;
    const email = claims[names.email ?? 'email'];
    const name = claims[names.firstName ?? 'given_name'];
    const address = typeof email === 'string' ? email : null;
    return {
      issuer: iss,
      subject: sub,
      email: address,
      emailProof: address === null ? 'none' : this.proofOf(address, verified, flow),
      firstName: typeof name === 'string' ? name : null,
      ...(flow.connection && { attributes: attributesOf(claims, names.groups) }),
    };
  }

  /**
   * A connection of an organization vouches for the verified domains of it, where it need not say
   * `email_verified` (Microsoft Entra ID never does), and for no other address, whatever it says.
   */
  private proofOf(address: string, verified: unknown, { connection }: ProviderFlow): EmailProof {
    if (connection)
      return verified !== false && connection.domains.includes(domainOf(address)) ? 'authority' : 'none';
    if (verified !== true) return 'none'; // OIDC-9: the boolean true, not a string
    return this.domains.includes(domainOf(address)) ? 'authority' : 'verified';
  }

  private clientOf({ connection }: ProviderFlow): OidcClient {
    if (connection?.kind === 'oidc') return this.clients.of(connection);
    if (!this.client) throw new SignInError('provider_unavailable');
    return this.client;
  }
}

/** Returns the claims that are texts or lists of texts, for the rules of the connection. */
function attributesOf(claims: object, groups: string | undefined): Attributes {
  const isText = (value: unknown): value is string => typeof value === 'string';
  return boundAttributes(
    Object.entries(claims).flatMap(([name, value]: [string, unknown]) => {
      const values = [value].flat().filter(isText);
      return values.length === 0 ? [] : [[name, values] as const];
    }),
    groups,
  );
}

/** Returns what the settings of a connection add to a flow; nothing for the environment's. */
function settingsOf({ connection }: ProviderFlow): Pick<OidcSettings, 'scopes' | 'claims' | 'acrValues'> {
  return connection?.kind === 'oidc' ? connection.settings : { scopes: [], claims: {}, acrValues: [] };
}
