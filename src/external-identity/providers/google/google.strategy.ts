import { Inject } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy, type Profile, type StrategyOptions } from 'passport-google-oauth20';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { domainOf, isObject } from '../../../kernel/index.js';
import { OutboundHttp } from '../../../platform/outbound/index.js';
import { booleanOf, textOf } from '../attributes.js';
import { ExternalProvider } from '../provider.registry.js';
import { OAuth2CodeFlow } from '../oauth2-code-flow.js';
import { requireSubject, revokeAt } from '../provider-http.js';
import {
  type EmailProof,
  type FlowStep,
  type ProvenProfile,
  SignInError,
  type SignInStrategy,
} from '../provider.js';

/**
 * Google names itself with and without the scheme (GOO-2). Identities are stored under this one.
 */
const ISSUER = 'https://accounts.google.com';
const TOKEN_URL = 'https://oauth2.googleapis.com/token';

/** Sign in with Google, by its userinfo and not by an ID token (ADR 13). */
@ExternalProvider('google_oauth', 'Google')
export class GoogleStrategy
  extends PassportStrategy(OAuth2CodeFlow<StrategyOptions, Profile>(Strategy), 'google_oauth')
  implements SignInStrategy
{
  private readonly revocationUrl: URL;

  constructor(
    private readonly http: OutboundHttp,
    @Inject(SETTINGS) settings: Settings,
  ) {
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
    super(
      http,
      clientID !== undefined && secret ? { clientID, clientSecret: secret.reveal(), ...urls, scope } : null,
    );
    this.revocationUrl = new URL('revoke', tokenURL ?? TOKEN_URL);
  }

  /** Asks for a refresh token, by which the grant is revoked when the account is erased. */
  override authorizationParams(flow: FlowStep['flow']): object {
    return { ...super.authorizationParams(flow), access_type: 'offline' };
  }

  /** Revokes the grant of a person. */
  revokeGrant(refreshToken: string): Promise<void> {
    return revokeAt(this.http, this.revocationUrl, { token: refreshToken });
  }

  /** Reads Google's own response, not the profile that the library derives from it. */
  validate(_accessToken: string, refreshToken: unknown, { _json: said }: Profile): ProvenProfile {
    if (!isObject(said)) throw new SignInError('invalid_response');
    const { sub, email, email_verified: verified, hd, given_name: first, family_name: last, name } = said;
    const address = textOf(email);
    return {
      issuer: ISSUER,
      subject: requireSubject(sub),
      email: address,
      emailProof: address !== null && booleanOf(verified) === true ? proofOf(address, hd) : 'none',
      firstName: textOf(first),
      lastName: textOf(last),
      displayName: textOf(name),
      ...(typeof refreshToken === 'string' && { refreshToken }),
    };
  }
}

/**
 * Returns how an address is proven. Google is the authority for gmail.com and the domains of its
 * Workspace customers; any other address it verified once by mail (GOO-4).
 */
function proofOf(address: string, hosted: unknown): EmailProof {
  const domain = domainOf(address);
  const isHosted = typeof hosted === 'string' && domain !== '' && domainOf(hosted) === domain;
  return domain === 'gmail.com' || isHosted ? 'authority' : 'verified';
}
