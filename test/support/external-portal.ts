import { OAuthStandIn, type LabRequest, type Reply } from '../lab/oauth-stand-in.js';

/** The portal of examples/carrier-portal: plain OAuth, and a profile. */
export class CarrierPortalStandIn extends OAuthStandIn {
  readonly clientId = 'gatehouse';
  private readonly tokens = new Map<string, Record<string, unknown>>();

  get settings(): Record<string, string> {
    return {};
  }

  protected async replyTo(request: LabRequest): Promise<Reply> {
    if (request.path === '/token') return this.token(request);
    const person = this.tokens.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
    return request.path === '/me' && person ? { body: person } : { status: 401 };
  }

  private async token(request: LabRequest): Promise<Reply> {
    const issued = await this.redeem(request);
    if (!issued) return { status: 400, body: { error: 'invalid_grant' } };
    const token = `token-${this.tokens.size}`;
    this.tokens.set(token, issued.person);
    return { body: { access_token: token, token_type: 'Bearer' } };
  }
}
