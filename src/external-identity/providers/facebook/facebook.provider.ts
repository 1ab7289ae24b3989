import { createHmac } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { OutboundHttp } from '../../../platform/outbound/index.js';
import { ExternalProvider } from '../external-provider.decorator.js';
import { authorizationRequest, codeFrom, redeemCode } from '../code-flow.js';
import { isObject, jsonOf, requireSubject, requireToken } from '../provider-http.js';
import {
  SignInError,
  type CallbackParameters,
  type ProvenProfile,
  type ProviderFlow,
  type SignInProvider,
} from '../provider.js';

const GRAPH = 'https://graph.facebook.com/v24.0';

interface App {
  readonly id: string;
  readonly secret: string;
}

/**
 * Facebook Login. It is OAuth alone: an access token says nothing of whom it was given to, so that one of any other app would do (the holes of
 * 2023: security bar FB-1). Each token is inspected before it counts.
 */
@ExternalProvider('facebook_oauth', 'Facebook')
export class FacebookProvider implements SignInProvider {
  private readonly app: App | null;
  private readonly authorizationUrl: string;
  private readonly tokenUrl: string;
  private readonly userinfoUrl: string;

  constructor(
    private readonly http: OutboundHttp,
    @Inject(SETTINGS) settings: Settings,
  ) {
    const {
      EXTERNAL_FACEBOOK_CLIENT_ID: id,
      EXTERNAL_FACEBOOK_CLIENT_SECRET: secret,
      EXTERNAL_FACEBOOK_AUTHORIZATION_URL: authorizationUrl,
      EXTERNAL_FACEBOOK_TOKEN_URL: tokenUrl,
      EXTERNAL_FACEBOOK_USERINFO_URL: userinfoUrl,
    } = settings;
    this.app = id !== undefined && secret ? { id, secret: secret.reveal() } : null;
    this.authorizationUrl = authorizationUrl ?? 'https://www.facebook.com/v24.0/dialog/oauth';
    this.tokenUrl = tokenUrl ?? `${GRAPH}/oauth/access_token`;
    this.userinfoUrl = userinfoUrl ?? `${GRAPH}/me`;
    for (const url of [tokenUrl, userinfoUrl]) if (url !== undefined) http.trust(url);
  }

  get configured(): boolean {
    return this.app !== null;
  }

  /** The ids of people are the app's own (FB-4). */
  get issuer(): string | undefined {
    return this.app?.id;
  }

  async start(flow: ProviderFlow): Promise<URL> {
    return authorizationRequest(this.authorizationUrl, this.requireApp().id, flow, {
      scope: 'public_profile,email',
    });
  }

  async complete(flow: ProviderFlow, parameters: CallbackParameters): Promise<ProvenProfile> {
    const code = codeFrom(parameters, [new URL(this.authorizationUrl).origin]);
    const app = this.requireApp();
    const { access_token: given } = await redeemCode(this.http, this.tokenUrl, app, flow, code);
    const token = requireToken(given);
    const owner = await this.ownerOf(app, token);
    const profile = await this.graph(app, token, 'me', { fields: 'id,first_name,email' });
    if (profile['id'] !== owner) throw new SignInError('invalid_response');
    const { email, first_name: firstName } = profile;
    return {
      issuer: app.id,
      subject: owner,
      email: typeof email === 'string' ? email : null,
      emailProof: 'none', // FB-3
      firstName: typeof firstName === 'string' ? firstName : null,
    };
  }

  /** Whose token it is, if it was given to our app. */
  private async ownerOf(app: App, token: string): Promise<string> {
    const { data } = await this.graph(app, `${app.id}|${app.secret}`, 'debug_token', { input_token: token });
    if (!isObject(data)) throw new SignInError('invalid_response');
    const { is_valid: isValid, app_id: appId, user_id: userId } = data;
    if (isValid !== true || appId !== app.id) throw new SignInError('invalid_response');
    return requireSubject(userId);
  }

  /** A Graph call with the proof that whoever has the access token has our secret as well (FB-2). */
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
