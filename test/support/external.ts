import type { Answer, ServiceClient } from './test-app.js';

/** What the returning page finds in the fragment of its address. */
export interface Landing {
  readonly status: number;
  /** Without the fragment. */
  readonly returnUri: string;
  readonly fragment: Record<string, string>;
  readonly headers: Headers;
}

/** Whatever a sign-in elsewhere can leave behind, counted. */
export async function signInTraces(service: ServiceClient): Promise<Record<string, number>> {
  const tables = [
    'accounts',
    'sessions',
    'external_identities',
    'external_codes',
    'external_flows',
    'external_proofs',
  ];
  const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
  const [traces = {}] = await service.sql<Record<string, number>>(`SELECT ${counts.join(', ')}`);
  return traces;
}

interface VisitorOptions {
  /** Says that it is a browser, by Fetch Metadata. Else it is a program that keeps cookies. */
  readonly isBrowser?: boolean;
  /** The address that it comes from, by a trusted proxy. */
  readonly address?: string;
}

/** A program or a browser, which keeps its cookies, and the app's page around an external sign-in. */
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

  /** Redeems what a linking flow has ended in. */
  redeem(token: string, { fragment }: Landing): Promise<Answer> {
    const body = { code: fragment['link_code'] };
    return this.service.call('POST', '/api/v1/iam/me/identities/redeem', body, { token });
  }

  /** Opens the callback that the provider has sent the browser to. */
  async open(callback: URL | string): Promise<Landing> {
    const { pathname, search } = new URL(callback, this.service.url);
    return this.land(
      await fetch(`${this.service.url}${pathname}${search}`, {
        redirect: 'manual',
        headers: { ...this.cookieHeaders(), ...this.origin('cross-site') },
      }),
    );
  }

  /** Brings back what the provider has given the browser. */
  bring(answer: URL | Record<string, string>): Promise<Landing> {
    return answer instanceof URL ? this.open(answer) : this.post(answer);
  }

  /** Posts a form to the callback, as pages of providers do that answer that way: with no cookie, for they are another site's. */
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

  /** What the browser says of itself. */
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
