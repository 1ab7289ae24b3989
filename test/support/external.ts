import { OidcStandIn } from '../lab/oidc-stand-in.js';
import { type Answer, type ServiceClient, TestApp, withStarted } from './test-app.js';

/** Parameters in the fragment of the returning page's address. */
export interface Landing {
  readonly status: number;
  /** Address without the fragment. */
  readonly returnUri: string;
  readonly fragment: Record<string, string>;
  readonly headers: Headers;
}

/** Counts the rows that an external sign-in can leave. */
export async function signInTraces(service: ServiceClient): Promise<Record<string, number>> {
  const tables = ['accounts', 'sessions', 'external_identities', 'external_flows', 'external_proofs'];
  const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
  const codes = "(SELECT count(*)::int FROM one_time_codes WHERE purpose = 'external') AS external_codes";
  const [traces = {}] = await service.sql<Record<string, number>>(`SELECT ${codes}, ${counts.join(', ')}`);
  return traces;
}

interface VisitorOptions {
  /** Sends Fetch Metadata as a browser does. Otherwise it is a program that keeps cookies. */
  readonly isBrowser?: boolean;
  /** Client address, set by a trusted proxy. */
  readonly address?: string;
}

/** A program or a browser with its cookies, and the app's page around an external sign-in. */
export class ExternalVisitor {
  private readonly cookies = new Map<string, string>();

  constructor(
    private readonly service: ServiceClient,
    private readonly kind: string,
    private readonly options: VisitorOptions = {},
  ) {}

  static browser(service: ServiceClient, kind: string): ExternalVisitor {
    return new ExternalVisitor(service, kind, { isBrowser: true });
  }

  start(body: object = {}, kind = this.kind): Promise<Answer> {
    return this.begin(`/api/iam/auth/external/${kind}/start`, body);
  }

  /** Begins to link an identity to the account of the token. */
  link(token: string, kind = this.kind): Promise<Answer> {
    return this.begin(`/api/v1/iam/me/identities/${kind}/link`, {}, token);
  }

  /** Redeems the code of a linking flow. */
  redeem(token: string, { fragment }: Landing): Promise<Answer> {
    const body = { code: fragment['link_code'] };
    return this.service.call('POST', '/api/v1/iam/me/identities/redeem', body, { token });
  }

  /** Opens the callback to which the provider has sent the browser. */
  async open(callback: URL | string): Promise<Landing> {
    const { pathname, search } = new URL(callback, this.service.url);
    return this.land(
      await fetch(`${this.service.url}${pathname}${search}`, {
        redirect: 'manual',
        headers: { ...this.cookieHeaders(), ...this.origin('cross-site') },
      }),
    );
  }

  /** Opens the callback with what the provider has given the browser. */
  bring(answer: URL | Record<string, string>): Promise<Landing> {
    return answer instanceof URL ? this.open(answer) : this.post(answer);
  }

  /**
   * Posts a form to the callback, as the pages of form-post providers do: without cookies, since
   * the request is cross-site.
   */
  async post(form: Record<string, string> | [string, string][], kind = this.kind): Promise<Landing> {
    return this.land(
      await fetch(`${this.service.url}/api/iam/auth/external/${kind}/callback`, {
        method: 'POST',
        redirect: 'manual',
        headers: this.origin('cross-site'),
        body: new URLSearchParams(form),
      }),
    );
  }

  private async begin(path: string, body: object, token?: string): Promise<Answer> {
    const headers = { ...this.cookieHeaders(), ...this.origin('same-site') };
    const answer = await this.service.call('POST', path, body, {
      headers,
      ...(token !== undefined && { token }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
    return answer;
  }

  /** Headers by which a browser describes the request. */
  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private cookieHeaders(): Record<string, string> {
    return this.cookies.size > 0 ? { cookie: this.cookieHeader } : {};
  }

  private origin(site: string): Record<string, string> {
    const { isBrowser = false, address } = this.options;
    return {
      ...(isBrowser && { 'sec-fetch-site': site }),
      ...(address !== undefined && { 'x-forwarded-for': address }),
    };
  }

  private async land(response: Response): Promise<Landing> {
    const { status, headers } = response;
    await response.body?.cancel();
    const [returnUri = '', fragment = ''] = (headers.get('location') ?? '').split('#');
    return { status, headers, returnUri, fragment: Object.fromEntries(new URLSearchParams(fragment)) };
  }
}

/** Starts a provider for the tests of the `describe`, which is honest at the beginning of each. */
export function withProvider(): OidcStandIn {
  const lab = withStarted(
    () => OidcStandIn.start(),
    (started) => started.close(),
  );
  beforeEach(() => {
    lab.twist = {};
  });
  return lab;
}

/** Starts a provider, and the service with it, for the tests of the `describe`. */
export function withOidc(overrides: Record<string, string> = {}): {
  readonly lab: OidcStandIn;
  readonly app: TestApp;
  readonly visitor: ExternalVisitor;
} {
  const lab = withProvider();
  const app = withStarted(
    () => TestApp.start({ ...lab.settings, ...overrides }),
    (started) => started.stop(),
  );
  return { lab, app, visitor: new ExternalVisitor(app, 'oidc') };
}
