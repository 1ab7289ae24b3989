import { Inject } from '@nestjs/common';
import OAuth2Strategy from 'passport-oauth2';
import {
  ExternalProvider,
  OAuth2Exchange,
  requireSubject,
  type CallbackParameters,
  type ProvenProfile,
  type ProviderFlow,
  type SignInProvider,
} from '../../src/external-identity/index.js';
import { OutboundHttp } from '../../src/platform/outbound/index.js';

/** How the portal knows this service. */
export interface CarrierPortalSettings {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export const CARRIER_PORTAL = Symbol('carrierPortal');

/** What the portal says of a driver. */
interface Driver {
  readonly id?: unknown;
  readonly firstName?: unknown;
}

/** A strategy as for any application with passport: it says where the profile is. */
class CarrierPortalStrategy extends OAuth2Strategy {
  constructor(
    private readonly url: string,
    options: Pick<OAuth2Strategy.StrategyOptions, 'clientID' | 'clientSecret'>,
  ) {
    super(
      { ...options, authorizationURL: `${url}/authorize`, tokenURL: `${url}/token` },
      (_accessToken: string, _refreshToken: string, profile: Driver, done: OAuth2Strategy.VerifyCallback) =>
        done(null, profile),
    );
  }

  override userProfile(accessToken: string, done: (error: unknown, driver?: Driver) => void): void {
    this._oauth2.get(`${this.url}/me`, accessToken, (error, body) =>
      error ? done(error) : done(null, JSON.parse(String(body)) as Driver),
    );
  }
}

/** Drivers sign in as they do at the portal of the carriers. It proves no addresses. */
@ExternalProvider('carrier_portal', 'the carrier portal')
export class CarrierPortalProvider implements SignInProvider {
  readonly configured = true;
  private readonly exchange: OAuth2Exchange<Driver>;

  constructor(
    http: OutboundHttp,
    @Inject(CARRIER_PORTAL) private readonly settings: CarrierPortalSettings,
  ) {
    const { url, clientId: clientID, clientSecret } = settings;
    http.trust(url);
    this.exchange = new OAuth2Exchange(http, new CarrierPortalStrategy(url, { clientID, clientSecret }));
  }

  start(flow: ProviderFlow): Promise<URL> {
    return this.exchange.start(flow);
  }

  async complete(flow: ProviderFlow, parameters: CallbackParameters): Promise<ProvenProfile> {
    const { id, firstName } = await this.exchange.complete(flow, parameters);
    return {
      issuer: this.settings.url,
      subject: requireSubject(id),
      email: null,
      emailProof: 'none',
      firstName: typeof firstName === 'string' ? firstName : null,
    };
  }
}
