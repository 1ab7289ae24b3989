import { Inject } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { domainOf } from '../../../kernel/index.js';
import { OutboundHttp } from '../../../platform/outbound/index.js';
import { ExternalProvider } from '../external-provider.decorator.js';
import { FlowStrategy } from '../flow-strategy.js';
import { OidcClient } from './oidc.client.js';
import {
  SignInError,
  type CallbackParameters,
  type EmailProof,
  type ProvenProfile,
  type ProviderFlow,
  type SignInStrategy,
} from '../provider.js';

/** Any OpenID Connect provider. It is the authority for the addresses of the configured domains. */
@ExternalProvider('oidc', 'your organization')
export class OidcStrategy extends PassportStrategy(FlowStrategy, 'oidc') implements SignInStrategy {
  readonly displayName: string | null;
  readonly issuer: string | undefined;
  readonly provesAuthenticationTime = true;
  private readonly client: OidcClient | null;
  private readonly domains: readonly string[];

  constructor(http: OutboundHttp, @Inject(SETTINGS) settings: Settings) {
    const {
      EXTERNAL_OIDC_ISSUER: issuer,
      EXTERNAL_OIDC_CLIENT_ID: clientId,
      EXTERNAL_OIDC_CLIENT_SECRET: clientSecret,
    } = settings;
    super();
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
    return this.requireClient().start(flow, 'openid email profile');
  }

  async validate(flow: ProviderFlow, parameters: CallbackParameters): Promise<ProvenProfile> {
    const {
      iss,
      sub,
      email,
      email_verified: verified,
      given_name: name,
    } = await this.requireClient().claims(flow, parameters);
    const address = typeof email === 'string' ? email : null;
    return {
      issuer: iss,
      subject: sub,
      email: address,
      // OIDC-9: the boolean true, not a string
      emailProof: address !== null && verified === true ? this.proofOf(address) : 'none',
      firstName: typeof name === 'string' ? name : null,
    };
  }

  private proofOf(address: string): EmailProof {
    return this.domains.includes(domainOf(address)) ? 'authority' : 'verified';
  }

  private requireClient(): OidcClient {
    if (!this.client) throw new SignInError('provider_unavailable');
    return this.client;
  }
}
