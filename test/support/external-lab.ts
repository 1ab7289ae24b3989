import { AppleStandIn } from '../lab/apple-stand-in.js';
import { FacebookStandIn } from '../lab/facebook-stand-in.js';
import { GoogleStandIn } from '../lab/google-stand-in.js';
import { OidcStandIn } from '../lab/oidc-stand-in.js';
import { SamlStandIn } from '../lab/saml-stand-in.js';

/** Every kind of the specification. */
export const KINDS = ['google_oauth', 'facebook_oauth', 'apple_oauth', 'oidc', 'saml'] as const;
export type Kind = (typeof KINDS)[number];

/** Kinds whose pages post the browser back. */
export const FORM_KINDS: readonly Kind[] = ['apple_oauth', 'saml'];

/** An honest provider of every kind. */
export class ExternalLab {
  readonly saml = new SamlStandIn();

  private constructor(
    readonly oidc: OidcStandIn,
    readonly google: GoogleStandIn,
    readonly facebook: FacebookStandIn,
    readonly apple: AppleStandIn,
  ) {}

  static async start(): Promise<ExternalLab> {
    const [google, facebook] = [new GoogleStandIn(), new FacebookStandIn()];
    await Promise.all([google.listen(), facebook.listen()]);
    return new ExternalLab(await OidcStandIn.start(), google, facebook, await AppleStandIn.start());
  }

  /** What the settings of the service need to know. */
  get settings(): Record<string, string> {
    const { saml, oidc, google, facebook, apple } = this;
    return Object.assign(
      {},
      ...[saml, oidc, google, facebook, apple].map(({ settings }) => settings),
    ) as Record<string, string>;
  }

  /**
   * Signs a user without an address in at the provider.
   * @returns what the browser brings back, in the query or in a form
   */
  answer(kind: Kind, authorizationUrl: string, who = 'ada'): URL | Record<string, string> {
    if (kind === 'saml') return this.saml.answer(authorizationUrl, who);
    if (kind === 'oidc') {
      this.oidc.person = { sub: who };
      return this.oidc.visit(authorizationUrl);
    }
    const provider = { google_oauth: this.google, facebook_oauth: this.facebook, apple_oauth: this.apple }[
      kind
    ];
    provider.person = { sub: who, id: who };
    const back = provider.consent(authorizationUrl);
    if (FORM_KINDS.includes(kind)) return back;
    const callback = new URL(new URL(authorizationUrl).searchParams.get('redirect_uri') ?? '');
    callback.search = new URLSearchParams(back).toString();
    return callback;
  }

  async close(): Promise<void> {
    await Promise.all(
      [this.oidc, this.google, this.facebook, this.apple].map((provider) => provider.close()),
    );
  }
}
