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

/** A browser and the app's page around an external sign-in. */
export class ExternalVisitor {
  constructor(
    private readonly service: ServiceClient,
    private readonly kind: string,
  ) {}

  start(body: object = {}, kind = this.kind): Promise<Answer> {
    return this.service.call('POST', `/api/iam/auth/external/${kind}/start`, body);
  }

  /** Opens the callback that the provider has sent the browser to. */
  async open(callback: URL | string): Promise<Landing> {
    const { pathname, search } = new URL(callback, this.service.url);
    return this.land(await fetch(`${this.service.url}${pathname}${search}`, { redirect: 'manual' }));
  }

  /** Posts a form to the callback, as providers do that answer that way. */
  async post(form: Record<string, string> | [string, string][], kind = this.kind): Promise<Landing> {
    return this.land(
      await fetch(`${this.service.url}/api/iam/auth/external/${kind}/callback`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams(form),
      }),
    );
  }

  private async land(response: Response): Promise<Landing> {
    const { status, headers } = response;
    await response.body?.cancel();
    const [returnUri = '', fragment = ''] = (headers.get('location') ?? '').split('#');
    return { status, headers, returnUri, fragment: Object.fromEntries(new URLSearchParams(fragment)) };
  }
}
