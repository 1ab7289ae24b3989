import { pkce } from './satellite.js';
import type { Answer, ServiceClient } from './test-app.js';

const HOSTED = '/api/v1/iam/auth/hosted';

/** A code that the sign-in page has sent to an app, and the app's verifier. */
export interface HostedCode {
  readonly code: string;
  readonly codeVerifier: string;
}

/** An app without its own pages, and the requests of the sign-in page for it. */
export class HostedApp {
  constructor(
    private readonly service: ServiceClient,
    readonly returnTo: string,
  ) {}

  /** Checks the request as the page does before the user signs in. */
  check(changes: Record<string, string | undefined> = {}): Promise<Answer> {
    const request = { returnTo: this.returnTo, codeChallenge: pkce().codeChallenge, ...changes };
    const given = Object.entries(request).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return this.service.get(`${HOSTED}/request?${new URLSearchParams(given)}`);
  }

  issue(token: string | undefined, changes: object = {}): Promise<Answer> {
    const request = { returnTo: this.returnTo, codeChallenge: pkce().codeChallenge, ...changes };
    return this.service.call('POST', `${HOSTED}/code`, request, token === undefined ? {} : { token });
  }

  /** Returns the code for the user of the token, as the app finds it in its address. */
  async code(token: string): Promise<HostedCode> {
    const { codeVerifier, codeChallenge } = pkce();
    const { body } = await this.issue(token, { codeChallenge });
    const { hash } = new URL(String(body['location']));
    return { code: new URLSearchParams(hash.slice(1)).get('code') ?? '', codeVerifier };
  }

  redeem(body: { readonly code: unknown; readonly codeVerifier: string }): Promise<Answer> {
    return this.service.post('external/token', body);
  }

  /** Returns tokens of the app in the session of the token. */
  async signIn(token: string): Promise<{ accessToken: string; refreshToken: string; sessionId: string }> {
    const { status, body } = await this.redeem(await this.code(token));
    if (status !== 200) throw new Error(`Redeeming the code answered ${status}.`);
    return body as unknown as { accessToken: string; refreshToken: string; sessionId: string };
  }
}
