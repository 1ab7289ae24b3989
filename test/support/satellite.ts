import { createHash, randomBytes } from 'node:crypto';
import { OperatorService } from '../../src/iam/index.js';
import { ClientService } from '../../src/client/index.js';
import { Person } from './organization.js';
import type { Answer, ServiceClient, TestApp } from './test-app.js';

const AUTH = 'satellite';

/** A PKCE verifier and its challenge. */
export function pkce(): { readonly codeVerifier: string; readonly codeChallenge: string } {
  const codeVerifier = randomBytes(32).toString('base64url');
  return { codeVerifier, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') };
}

/** An operator of the platform. */
export async function signUpOperator(app: TestApp): Promise<Person> {
  const person = await Person.signUp(app);
  await app.app.get(OperatorService, { strict: false }).grant(person.email);
  return person;
}

/** A registered satellite and the requests of its server. */
export class TestSatellite {
  constructor(
    private readonly app: ServiceClient,
    readonly clientId: string,
    readonly clientSecret: string,
    readonly redirectUri: string,
  ) {}

  static async register(
    app: TestApp,
    clientId = `satellite-${randomBytes(6).toString('hex')}`,
    redirectUri = `https://${clientId}.example/callback`,
    scopes: string[] = [],
  ): Promise<TestSatellite> {
    const { clientSecret } = await app.app
      .get(ClientService, { strict: false })
      .register(null, { clientId, name: 'Help centre', redirectUris: [redirectUri], scopes });
    return new TestSatellite(app, clientId, clientSecret!, redirectUri);
  }

  /** Creates a satellite whose tokens have these scopes. */
  static withScopes(app: TestApp, ...scopes: string[]): Promise<TestSatellite> {
    return TestSatellite.register(app, undefined, undefined, scopes);
  }

  issue(token: string, codeChallenge: string, changes: object = {}): Promise<Answer> {
    const { clientId, redirectUri } = this;
    return this.app.post(`${AUTH}/code`, { clientId, redirectUri, codeChallenge, ...changes }, { token });
  }

  exchange(code: unknown, codeVerifier: string, changes: object = {}): Promise<Answer> {
    const { clientId, clientSecret } = this;
    return this.app.post(`${AUTH}/token`, { code, clientId, clientSecret, codeVerifier, ...changes });
  }

  /** Sends a refresh as the satellite's server does. */
  refresh(refreshToken: unknown, changes: object = {}): Promise<Answer> {
    const { clientId, clientSecret } = this;
    return this.app.post('refresh', { refreshToken, clientId, clientSecret, ...changes });
  }

  /** Returns tokens of the satellite in the session of the token. */
  async signIn(token: string): Promise<{ accessToken: string; refreshToken: string; sessionId: string }> {
    const { codeVerifier, codeChallenge } = pkce();
    const issued = await this.issue(token, codeChallenge);
    const exchanged = await this.exchange(issued.body['code'], codeVerifier);
    if (exchanged.status !== 200) throw new Error(`The exchange answered ${exchanged.status}.`);
    return exchanged.body as unknown as { accessToken: string; refreshToken: string; sessionId: string };
  }
}
