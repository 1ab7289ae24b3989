import { Inject, Injectable } from '@nestjs/common';
import type { Profile } from 'passport-google-oauth20';
import { SETTINGS, type Settings } from '../../platform/config/index.js';
import { domainOf } from '../../platform/http/index.js';
import { OutboundHttp } from '../../platform/outbound/index.js';
import { GoogleStrategy, type GoogleFlowOptions } from './google.strategy.js';
import { askStrategy } from './passport-strategy.js';
import { isObject, requireSubject } from './provider-http.js';
import {
  SignInError,
  type CallbackParameters,
  type EmailProof,
  type ExternalProvider,
  type ProvenProfile,
  type ProviderFlow,
} from './provider.js';

/** Google goes by this name with and without the scheme (GOO-2): identities are kept under one. */
const ISSUER = 'https://accounts.google.com';

@Injectable()
export class GoogleProvider implements ExternalProvider {
  readonly kind = 'google_oauth';
  private readonly strategy: GoogleStrategy | null;

  constructor(http: OutboundHttp, @Inject(SETTINGS) settings: Settings) {
    const {
      EXTERNAL_GOOGLE_CLIENT_ID: clientID,
      EXTERNAL_GOOGLE_CLIENT_SECRET: secret,
      EXTERNAL_GOOGLE_AUTHORIZATION_URL: authorizationURL,
      EXTERNAL_GOOGLE_TOKEN_URL: tokenURL,
      EXTERNAL_GOOGLE_USERINFO_URL: userProfileURL,
    } = settings;
    for (const url of [tokenURL, userProfileURL]) if (url !== undefined) http.trust(url);
    this.strategy =
      clientID !== undefined && secret
        ? new GoogleStrategy(http, {
            clientID,
            clientSecret: secret.reveal(),
            authorizationURL,
            tokenURL,
            userProfileURL,
            scope: ['openid', 'email', 'profile'],
          })
        : null;
  }

  get configured(): boolean {
    return this.strategy !== null;
  }

  async start(flow: ProviderFlow): Promise<URL> {
    const { location } = await askStrategy(this.requireStrategy(), { query: {} }, optionsOf(flow));
    return new URL(location ?? '');
  }

  async complete(flow: ProviderFlow, { code }: CallbackParameters): Promise<ProvenProfile> {
    if (!code) throw new SignInError('invalid_response');
    const verdict = await askStrategy<Profile>(
      this.requireStrategy(),
      { query: { code } },
      optionsOf(flow),
    ).catch((error: unknown) => {
      throw toSignInError(error);
    });
    return toProfile(verdict.user?._json);
  }

  private requireStrategy(): GoogleStrategy {
    if (!this.strategy) throw new SignInError('provider_unavailable');
    return this.strategy;
  }
}

function optionsOf({ redirectUri, state, codeVerifier, codeChallenge }: ProviderFlow): GoogleFlowOptions {
  return { callbackURL: redirectUri, state, codeVerifier, codeChallenge };
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

/** The strategy wraps what our HTTP client has said. */
function toSignInError(error: unknown): SignInError {
  const { oauthError } = error as { oauthError?: unknown };
  return oauthError instanceof SignInError ? oauthError : new SignInError('invalid_response', error);
}
