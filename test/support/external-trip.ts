import type { OAuthStandIn } from '../lab/oauth-stand-in.js';
import { ExternalVisitor, signInTraces, type Landing } from './external.js';
import type { TestApp } from './test-app.js';

/** The way of a browser from the start to the provider and back, by query or by form. */
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

  /** The address at the provider. */
  async start(kind = this.kind): Promise<URL> {
    const { body } = await this.visitor.start({}, kind);
    return new URL(String(body['authorizationUrl']));
  }

  send(parameters: [string, string][]): Promise<Landing> {
    if (this.byForm) return this.visitor.post(parameters);
    const query = new URLSearchParams(parameters).toString();
    return this.visitor.open(`/api/iam/auth/external/${this.kind}/callback?${query}`);
  }

  /** There, and back with changes; null leaves a parameter out. */
  async signIn(changes: Record<string, string | null> = {}): Promise<Landing> {
    const back = { ...this.lab.consent((await this.start()).href), ...changes };
    return this.send(Object.entries(back).filter((entry): entry is [string, string] => entry[1] !== null));
  }

  /** Who has landed. */
  async me({ fragment }: Landing): Promise<Record<string, unknown>> {
    return (await this.app.get('/api/v1/iam/me', fragment['access_token'])).body;
  }

  /** A sign-in of somebody known: another session, and nobody else. */
  async expectOnlySession(attempt: () => Promise<void>): Promise<void> {
    const { accounts, external_identities, sessions = 0 } = await signInTraces(this.app);
    await attempt();
    expect(await signInTraces(this.app)).toMatchObject({
      accounts,
      external_identities,
      sessions: sessions + 1,
    });
  }

  /** An attempt that creates nothing and ends on the returning page, with the error. */
  async expectError(error: string, attempt: () => Promise<Landing> = () => this.signIn()): Promise<void> {
    expect(await this.withoutTrace(attempt)).toMatchObject({
      status: 303,
      returnUri: 'http://gatehouse.test',
      fragment: { error, error_description: expect.not.stringContaining('<') },
    });
  }

  /** An attempt that creates nothing and ends here, since there is nowhere safe to go. */
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
