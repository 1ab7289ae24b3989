import { Inject } from '@nestjs/common';
import { Strategy, type Profile } from 'passport-google-oauth20';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { domainOf } from '../../../kernel/index.js';
import { OutboundHttp } from '../../../platform/outbound/index.js';
import { ExternalProvider } from '../external-provider.decorator.js';
import { OAuth2Exchange } from '../oauth2-exchange.js';
import { isObject, requireSubject } from '../provider-http.js';
import {
  SignInError,
  type CallbackParameters,
  type EmailProof,
  type ProvenProfile,
  type ProviderFlow,
  type SignInProvider,
} from '../provider.js';

/** Google goes by this name with and without the scheme (GOO-2): identities are kept under one. */
const ISSUER = 'https://accounts.google.com';

@ExternalProvider('google_oauth', 'Google')
export class GoogleProvider implements SignInProvider {
  private readonly exchange: OAuth2Exchange<Profile> | null;

  constructor(http: OutboundHttp, @Inject(SETTINGS) settings: Settings) {
    const {
      EXTERNAL_GOOGLE_CLIENT_ID: clientID,
      EXTERNAL_GOOGLE_CLIENT_SECRET: secret,
      EXTERNAL_GOOGLE_AUTHORIZATION_URL: authorizationURL,
      EXTERNAL_GOOGLE_TOKEN_URL: tokenURL,
      EXTERNAL_GOOGLE_USERINFO_URL: userProfileURL,
    } = settings;
    for (const url of [tokenURL, userProfileURL]) if (url !== undefined) http.trust(url);
    const scope = ['openid', 'email', 'profile'];
    const urls = { authorizationURL, tokenURL, userProfileURL };
    this.exchange =
      clientID !== undefined && secret
        ? new OAuth2Exchange(
            http,
            new Strategy(
              { clientID, clientSecret: secret.reveal(), ...urls, scope },
              (_accessToken, _refreshToken, profile, done) => done(null, profile),
            ),
          )
        : null;
  }

  get configured(): boolean {
    return this.exchange !== null;
  }

  start(flow: ProviderFlow): Promise<URL> {
    return this.requireExchange().start(flow);
  }

  async complete(flow: ProviderFlow, parameters: CallbackParameters): Promise<ProvenProfile> {
    const { _json: said } = await this.requireExchange().complete(flow, parameters);
    return toProfile(said);
  }

  private requireExchange(): OAuth2Exchange<Profile> {
    if (!this.exchange) throw new SignInError('provider_unavailable');
    return this.exchange;
  }
}

/** From what Google said, and not from what the strategy made of it. */
function toProfile(said: unknown): ProvenProfile {
  if (!isObject(said)) throw new SignInError('invalid_response');
  const { sub, email, email_verified: verified, hd, given_name: name } = said;
  const address = typeof email === 'string' ? email : null;
  return {
    issuer: ISSUER,
    subject: requireSubject(sub),
    email: address,
    emailProof: address !== null && verified === true ? proofOf(address, hd) : 'none',
    firstName: typeof name === 'string' ? name : null,
  };
}

/** Google runs its own domain and those of its hosted customers; of any other it knows that somebody could read a mail once (GOO-4). */
function proofOf(address: string, hosted: unknown): EmailProof {
  const domain = domainOf(address);
  const isHosted = typeof hosted === 'string' && hosted.toLowerCase() === domain;
  return domain === 'gmail.com' || isHosted ? 'authority' : 'verified';
}
