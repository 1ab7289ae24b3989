import { createHmac } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import OAuth2Strategy from 'passport-oauth2';
import { isObject } from '../../../kernel/index.js';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { OutboundHttp } from '../../../platform/outbound/index.js';
import { ExternalProvider } from '../external-provider.decorator.js';
import { OAuth2CodeFlow } from '../oauth2-code-flow.js';
import { jsonOf, requireSubject, requireToken } from '../provider-http.js';
import type { ProviderNotice } from '../provider-notice.js';
import { SignInError, type ProvenProfile, type SignInStrategy } from '../provider.js';
import { readSignedRequest } from './signed-request.js';

const DIALOG = 'https://www.facebook.com/v24.0/dialog/oauth';
const GRAPH = 'https://graph.facebook.com/v24.0';

interface App {
  readonly id: string;
  readonly secret: string;
}

/**
 * Facebook Login. It is OAuth without ID tokens: an access token does not name the app it was
 * issued to, so each token is inspected before use; otherwise a token of another app would pass
 * (FB-1).
 */
@ExternalProvider('facebook_oauth', 'Facebook')
export class FacebookStrategy
  extends PassportStrategy(
    OAuth2CodeFlow<OAuth2Strategy.StrategyOptions, unknown>(OAuth2Strategy),
    'facebook_oauth',
  )
  implements SignInStrategy
{
  private readonly app: App | null;
  private readonly userinfoUrl: string;

  constructor(
    private readonly http: OutboundHttp,
    @Inject(SETTINGS) settings: Settings,
  ) {
    const {
      EXTERNAL_FACEBOOK_AUTHORIZATION_URL: authorizationURL = DIALOG,
      EXTERNAL_FACEBOOK_TOKEN_URL: tokenURL,
      EXTERNAL_FACEBOOK_USERINFO_URL: userinfoUrl,
    } = settings;
    for (const url of [tokenURL, userinfoUrl]) if (url !== undefined) http.trust(url);
    const app = appOf(settings);
    super(
      http,
      app && {
        authorizationURL,
        tokenURL: tokenURL ?? `${GRAPH}/oauth/access_token`,
        clientID: app.id,
        clientSecret: app.secret,
        scope: 'public_profile,email',
      },
    );
    this.app = app;
    this.userinfoUrl = userinfoUrl ?? `${GRAPH}/me`;
  }

  /** The app's id, because a person's id at Facebook differs by app (FB-4). */
  get issuer(): string | undefined {
    return this.app?.id;
  }

  async validate(accessToken: unknown): Promise<ProvenProfile> {
    const app = this.requireApp();
    const token = requireToken(accessToken);
    const owner = await this.ownerOf(app, token);
    const profile = await this.graph(app, token, 'me', { fields: 'id,first_name,last_name,name,email' });
    if (profile['id'] !== owner) throw new SignInError('invalid_response');
    const { email, first_name: firstName, last_name: lastName, name } = profile;
    return {
      issuer: app.id,
      subject: owner,
      email: typeof email === 'string' ? email : null,
      emailProof: 'none', // FB-3
      firstName: typeof firstName === 'string' ? firstName : null,
      lastName: typeof lastName === 'string' ? lastName : null,
      displayName: typeof name === 'string' ? name : null,
    };
  }

  /**
   * Reads a notice: a signed request at the address of deauthorizations or of deletions.
   * @throws {SignInError}
   */
  readNotice(what: 'withdrawn' | 'deleted', signedRequest: string): ProviderNotice {
    const app = this.requireApp();
    const { subject, issuedAt, payload } = readSignedRequest(signedRequest, app.secret);
    return { what, issuer: app.id, subject, issuedAt, key: `${what}|${payload}` };
  }

  /** @returns the person of a token that was issued to our app */
  private async ownerOf(app: App, token: string): Promise<string> {
    const { data } = await this.graph(app, `${app.id}|${app.secret}`, 'debug_token', { input_token: token });
    if (!isObject(data)) throw new SignInError('invalid_response');
    const { is_valid: isValid, app_id: appId, user_id: userId } = data;
    if (isValid !== true || appId !== app.id) throw new SignInError('invalid_response');
    return requireSubject(userId);
  }

  /**
   * Calls the Graph API, with the proof that the caller of the access token also has the app's
   * secret (FB-2).
   */
  private graph(
    app: App,
    token: string,
    what: 'me' | 'debug_token',
    parameters: Record<string, string>,
  ): Promise<Readonly<Record<string, unknown>>> {
    const url = new URL(what === 'me' ? this.userinfoUrl : new URL('debug_token', this.userinfoUrl));
    const proof = createHmac('sha256', app.secret).update(token).digest('hex');
    url.search = new URLSearchParams({ ...parameters, appsecret_proof: proof }).toString();
    return jsonOf(this.http, url, { headers: { authorization: `Bearer ${token}` } });
  }

  private requireApp(): App {
    if (!this.app) throw new SignInError('provider_unavailable');
    return this.app;
  }
}

function appOf({
  EXTERNAL_FACEBOOK_CLIENT_ID: id,
  EXTERNAL_FACEBOOK_CLIENT_SECRET: secret,
}: Settings): App | null {
  return id !== undefined && secret ? { id, secret: secret.reveal() } : null;
}
