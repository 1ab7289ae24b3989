import { randomBytes } from 'node:crypto';
import { OAuthStandIn, type LabRequest, type Reply } from './oauth-stand-in.ts';

/** Google: an authorization server and its userinfo. */
export class GoogleStandIn extends OAuthStandIn {
  readonly clientId = 'gatehouse.apps.googleusercontent.com';
  /** Further members of the token response. */
  further: Record<string, unknown> = {};
  private readonly tokens = new Map<string, Record<string, unknown>>();

  get settings(): Record<string, string> {
    return {
      EXTERNAL_GOOGLE_CLIENT_ID: this.clientId,
      EXTERNAL_GOOGLE_CLIENT_SECRET: this.clientSecret,
      EXTERNAL_GOOGLE_AUTHORIZATION_URL: `${this.url}/o/oauth2/v2/auth`,
      EXTERNAL_GOOGLE_TOKEN_URL: `${this.url}/token`,
      EXTERNAL_GOOGLE_USERINFO_URL: `${this.url}/v3/userinfo`,
    };
  }

  protected async replyTo(request: LabRequest): Promise<Reply> {
    if (request.path === '/token') return this.token(request);
    if (request.path === '/revoke') return {};
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const person = this.tokens.get(bearer);
    if (request.path === '/v3/userinfo' && person) return { body: person };
    return { status: 401, body: { error: 'invalid_request', error_description: 'Invalid Credentials' } };
  }

  private async token(request: LabRequest): Promise<Reply> {
    const issued = await this.redeem(request);
    if (!issued) return { status: 400, body: { error: 'invalid_grant' } };
    const token = randomBytes(16).toString('hex');
    this.tokens.set(token, issued.person);
    return {
      body: {
        access_token: token,
        token_type: 'Bearer',
        expires_in: 3_599,
        scope: 'openid',
        ...this.further,
      },
    };
  }
}
