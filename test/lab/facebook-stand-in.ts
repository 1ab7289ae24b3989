import { createHmac, randomBytes } from 'node:crypto';
import { OAuthStandIn, type LabRequest, type Reply } from './oauth-stand-in.ts';

const INVALID: Reply = { status: 400, body: { error: { type: 'OAuthException', code: 190 } } };

/**
 * Facebook: an authorization server, and the two Graph calls of a sign-in. Requires the proof of
 * the app's secret (appsecret_proof) on both.
 */
export class FacebookStandIn extends OAuthStandIn {
  readonly clientId = '1234567890';
  /** Changes to the inspection of an access token; undefined removes a field. */
  inspection: Record<string, unknown> = {};
  private readonly tokens = new Map<string, Record<string, unknown>>();

  get settings(): Record<string, string> {
    return {
      EXTERNAL_FACEBOOK_CLIENT_ID: this.clientId,
      EXTERNAL_FACEBOOK_CLIENT_SECRET: this.clientSecret,
      EXTERNAL_FACEBOOK_AUTHORIZATION_URL: `${this.url}/dialog/oauth`,
      EXTERNAL_FACEBOOK_TOKEN_URL: `${this.url}/oauth/access_token`,
      EXTERNAL_FACEBOOK_USERINFO_URL: `${this.url}/me`,
    };
  }

  protected replyTo(request: LabRequest): Reply | Promise<Reply> {
    if (request.path === '/oauth/access_token') return this.token(request);
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const proof = createHmac('sha256', this.clientSecret).update(bearer).digest('hex');
    if (request.query.get('appsecret_proof') !== proof) return INVALID;
    if (request.path === '/me') return this.me(bearer, request.query);
    if (request.path === '/debug_token' && bearer === `${this.clientId}|${this.clientSecret}`)
      return this.inspect(request.query.get('input_token') ?? '');
    return INVALID;
  }

  private async token(request: LabRequest): Promise<Reply> {
    const issued = await this.redeem(request);
    if (!issued) return INVALID;
    const token = randomBytes(16).toString('hex');
    this.tokens.set(token, issued.person);
    return { body: { access_token: token, token_type: 'bearer', expires_in: 5_000 } };
  }

  /** Returns the id always, and other fields only on request. */
  private me(token: string, query: URLSearchParams): Reply {
    const person = this.tokens.get(token);
    const asked = ['id', ...(query.get('fields') ?? '').split(',')];
    if (!person) return INVALID;
    return { body: Object.fromEntries(Object.entries(person).filter(([name]) => asked.includes(name))) };
  }

  private inspect(token: string): Reply {
    const person = this.tokens.get(token);
    if (!person) return { body: { data: { is_valid: false } } };
    return {
      body: {
        data: {
          app_id: this.clientId,
          type: 'USER',
          is_valid: true,
          user_id: person['id'],
          scopes: ['email', 'public_profile'],
          ...this.inspection,
        },
      },
    };
  }
}
