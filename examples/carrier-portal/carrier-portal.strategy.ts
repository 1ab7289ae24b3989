import { Inject } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import OAuth2Strategy, { type StrategyOptions } from 'passport-oauth2';
import {
  ExternalProvider,
  OAuth2CodeFlow,
  requireSubject,
  type ProvenProfile,
  type SignInStrategy,
} from 'gatehouse/external-identity';
import { OutboundHttp } from 'gatehouse/outbound';

/** This service as a client of the portal. */
export interface CarrierPortalSettings {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export const CARRIER_PORTAL = Symbol('carrierPortal');

/** The portal's profile of a driver. */
interface Driver {
  readonly id?: unknown;
  readonly firstName?: unknown;
}

/** Signs drivers in at the portal of the carriers, which proves no email addresses. */
@ExternalProvider('carrier_portal', 'the carrier portal')
export class CarrierPortalStrategy
  extends PassportStrategy(OAuth2CodeFlow<StrategyOptions, Driver>(OAuth2Strategy), 'carrier_portal')
  implements SignInStrategy
{
  constructor(
    http: OutboundHttp,
    @Inject(CARRIER_PORTAL) private readonly settings: CarrierPortalSettings,
  ) {
    const { url, clientId: clientID, clientSecret } = settings;
    super(http, { authorizationURL: `${url}/authorize`, tokenURL: `${url}/token`, clientID, clientSecret });
    http.trust(url);
  }

  /** Loads the profile, which `validate` gets. */
  override userProfile(accessToken: string, done: (error: unknown, driver?: Driver) => void): void {
    this._oauth2.get(`${this.settings.url}/me`, accessToken, (error, body) =>
      error ? done(error) : done(null, JSON.parse(String(body)) as Driver),
    );
  }

  validate(_accessToken: string, _refreshToken: string, { id, firstName }: Driver): ProvenProfile {
    return {
      issuer: this.settings.url,
      subject: requireSubject(id),
      email: null,
      emailProof: 'none',
      firstName: typeof firstName === 'string' ? firstName : null,
    };
  }
}
