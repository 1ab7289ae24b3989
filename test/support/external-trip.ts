import type { OAuthStandIn } from '../lab/oauth-stand-in.js';
import { ExternalVisitor, signInTraces, type Landing } from './external.js';
import type { TestApp } from './test-app.js';

/** Takes a browser from the start to the provider and back, by query or by form. */
export class Trip {
  readonly visitor: ExternalVisitor;

  constructor(
    readonly app: TestApp,
    readonly lab: OAuthStandIn,
    readonly kind: string,
    private readonly byForm = false,
  ) {
    this.visitor = new ExternalVisitor(app, kind);
  }

  /** Address at the provider. */
  async start(kind = this.kind): Promise<URL> {
    const { body } = await this.visitor.start({}, kind);
    return new URL(String(body['authorizationUrl']));
  }

  send(parameters: [string, string][]): Promise<Landing> {
    if (this.byForm) return this.visitor.post(parameters);
    const query = new URLSearchParams(parameters).toString();
    return this.visitor.open(`/api/iam/auth/external/${this.kind}/callback?${query}`);
  }

  /** Visits the provider and returns with changed parameters; null leaves one out. */
  async signIn(changes: Record<string, string | null> = {}): Promise<Landing> {
    const back = { ...this.lab.consent((await this.start()).href), ...changes };
    return this.send(Object.entries(back).filter((entry): entry is [string, string] => entry[1] !== null));
  }

  /** Account that has signed in. */
  async me({ fragment }: Landing): Promise<Record<string, unknown>> {
    return (await this.app.get('/api/v1/iam/me', fragment['access_token'])).body;
  }

  /** Signs a known account in: creates a session, and no account. */
  async expectOnlySession(attempt: () => Promise<void>): Promise<void> {
    const { accounts, external_identities, sessions = 0 } = await signInTraces(this.app);
    await attempt();
    expect(await signInTraces(this.app)).toMatchObject({
      accounts,
      external_identities,
      sessions: sessions + 1,
    });
  }

  /** Expects an attempt to create nothing and to end at the returning page, with the error. */
  async expectError(error: string, attempt: () => Promise<Landing> = () => this.signIn()): Promise<void> {
    expect(await this.withoutTrace(attempt)).toMatchObject({
      status: 303,
      returnUri: 'http://gatehouse.test',
      fragment: { error, error_description: expect.not.stringContaining('<') },
    });
  }

  /**
   * Expects an attempt to create nothing and to end at an error page, for lack of a safe address to
   * return to.
   */
  async expectNowhere(attempt: () => Promise<Landing>): Promise<void> {
    expect(await this.withoutTrace(attempt)).toMatchObject({ status: 400, returnUri: '' });
  }

  private async withoutTrace(attempt: () => Promise<Landing>): Promise<Landing> {
    const before = await signInTraces(this.app);
    const landing = await attempt();
    expect(landing.fragment).not.toHaveProperty('access_token');
    expect(await signInTraces(this.app)).toEqual(before);
    return landing;
  }
}
