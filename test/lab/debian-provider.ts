import { Demo } from '../support/demo.js';

/** What a provider has to know of a connection. */
interface Registration {
  readonly redirectUri: string;
  /** Our metadata; left out for OpenID Connect. */
  readonly metadata?: string;
  /** Where the browser may return after a logout by OpenID Connect. */
  readonly afterLogout?: string;
}

/** An identity provider from Debian, of lab/, in its own process. */
export class DebianProvider {
  private constructor(
    private readonly demo: Demo,
    /** As of the deployment's provider, by name of the environment variable. */
    readonly settings: Readonly<Record<string, string>>,
  ) {}

  /** @param name name of the package */
  static async start(name: string): Promise<DebianProvider> {
    const demo = await Demo.start('scripts/lab-provider-steps.mjs', [name]);
    const settings = JSON.parse(decodeURIComponent(demo.told('Settings'))) as Record<string, string>;
    return new DebianProvider(demo, settings);
  }

  /** Settings of a connection by OpenID Connect. */
  get oidc() {
    return {
      kind: 'oidc' as const,
      settings: {
        issuer: this.settings['EXTERNAL_OIDC_ISSUER'] ?? '',
        clientId: this.settings['EXTERNAL_OIDC_CLIENT_ID'] ?? '',
        clientSecret: this.settings['EXTERNAL_OIDC_CLIENT_SECRET'] ?? '',
      },
    };
  }

  async register(registration: Registration): Promise<void> {
    const body = JSON.stringify(registration);
    const response = await fetch(this.demo.told('Registration'), { method: 'POST', body });
    if (!response.ok) throw new Error(`The provider is not registered: ${await response.text()}`);
  }

  async stop(): Promise<void> {
    await this.demo.interrupt();
  }
}
