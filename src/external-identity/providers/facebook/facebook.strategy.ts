import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { isObject } from '../../../kernel/index.js';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { OutboundHttp } from '../../../platform/outbound/index.js';
import { ExternalProvider } from '../provider.registry.js';
import { textOf } from '../attributes.js';
import { OAuth2CodeFlow } from '../oauth2-code-flow.js';
import { jsonOf, requireSubject, requireToken } from '../provider-http.js';
import {
  MAX_NOTICE_AGE_SECONDS,
  NOTICE_CLOCK_SECONDS,
  type ProvenProfile,
  type ProviderNotice,
  SignInError,
  type SignInStrategy,
} from '../provider.js';
import OAuth2Strategy from 'passport-oauth2';

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
      email: textOf(email),
      emailProof: 'none', // FB-3
      firstName: textOf(firstName),
      lastName: textOf(lastName),
      displayName: textOf(name),
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

/** A signed request of Facebook, verified. */
interface SignedRequest {
  readonly subject: string;
  readonly issuedAt: Date;
  /** The signed part as it was received. */
  readonly payload: string;
}

/**
 * Verifies a signed request: base64url of HMAC-SHA-256 by the app's secret over the second part as
 * it was sent, and that part, which is JSON in base64url (Facebook, "Parsing the Signed Request").
 * @throws {SignInError} invalid_response
 */
function readSignedRequest(text: string, secret: string): SignedRequest {
  const [signature = '', payload = '', ...rest] = text.split('.');
  const given = Buffer.from(signature, 'base64url');
  const expected = createHmac('sha256', secret).update(payload).digest();
  // Before anything of the payload is read.
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
    throw refused('The signature is not of the app.');
  const said = payloadOf(payload);
  const { algorithm, user_id: subject, issued_at: issuedAt } = said;
  if (algorithm !== 'HMAC-SHA256') throw refused('The algorithm is another one.');
  // The signed requests of a sign-in, which pages and browsers get, have one of these.
  if ('code' in said || 'oauth_token' in said) throw refused('It is of a sign-in.');
  const age = Date.now() / 1_000 - (typeof issuedAt === 'number' ? issuedAt : Number.NaN);
  if (!(age <= MAX_NOTICE_AGE_SECONDS && age >= -NOTICE_CLOCK_SECONDS))
    throw refused('It is too old, or of the future.');
  return { subject: requireSubject(subject), issuedAt: new Date(Number(issuedAt) * 1_000), payload };
}

function payloadOf(payload: string): Readonly<Record<string, unknown>> {
  try {
    const said: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    if (isObject(said)) return said;
  } catch {
    // The parser's error would quote the payload.
  }
  throw refused('The payload is no JSON object.');
}

const refused = (why: string): SignInError => new SignInError('invalid_response', new Error(why));
