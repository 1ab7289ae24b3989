import { ulid } from 'ulid';
import type { OidcStandIn } from '../lab/oidc-stand-in.js';
import type { SamlStandIn } from '../lab/saml-stand-in.js';
import { ExternalVisitor, type Landing } from './external.js';
import type { Organization } from './organization.js';
import type { Answer, ServiceClient } from './test-app.js';

/** Settings by which a connection reaches a provider of the lab. */
export const samlSettings = (lab: SamlStandIn) => ({
  kind: 'saml' as const,
  settings: { entityId: lab.issuer, ssoUrl: lab.entryPoint, certificates: [lab.key.certificate] },
});
export const oidcSettings = ({ issuer, clientId, clientSecret }: OidcStandIn) => ({
  kind: 'oidc' as const,
  settings: { issuer, clientId, clientSecret },
});

/** A connection of an organization to a provider of the lab, and its people's browsers. */
export class LabConnection {
  private constructor(
    readonly organization: Organization,
    readonly id: string,
    readonly kind: 'oidc' | 'saml',
    readonly domain: string,
  ) {}

  /** Creates a draft with a verified domain of its own. */
  static async create(
    organization: Organization,
    given: ReturnType<typeof samlSettings> | ReturnType<typeof oidcSettings>,
    domain = `${ulid().toLowerCase()}.example`,
  ): Promise<LabConnection> {
    const { body: added } = await organization.call('POST', '/domains', { name: domain });
    await organization.service.sql("UPDATE tenant_domains SET status = 'verified' WHERE id = $1", [
      added['id'],
    ]);
    const { status, body } = await organization.call('POST', '/connections', {
      name: 'Provider',
      domainIds: [added['id']],
      ...given,
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return new LabConnection(organization, String(body['id']), given.kind, domain);
  }

  /** Creates an active connection, whose test is pretended. */
  static async active(...parameters: Parameters<typeof LabConnection.create>): Promise<LabConnection> {
    const connection = await LabConnection.create(...parameters);
    await connection.pretendTest();
    const { status, body } = await connection.call('POST', '/activate');
    if (status !== 200) throw new Error(JSON.stringify(body));
    return connection;
  }

  async pretendTest(): Promise<void> {
    const { service, owner } = this.organization;
    await service.sql(
      'UPDATE connections SET tested_version = settings_version, tested_at = now(), tested_by = $2 WHERE id = $1',
      [this.id, owner.person.id],
    );
  }

  call(method: string, path = '', body?: object): Promise<Answer> {
    return this.organization.call(method, `/connections/${this.id}${path}`, body);
  }

  /** Starts a sign-in. @returns the provider's address */
  async start(request: object = {}): Promise<string> {
    const { service } = this.organization;
    const { status, body } = await new ExternalVisitor(service as ServiceClient, this.kind).start({
      connectionId: this.id,
      ...request,
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return String(body['authorizationUrl']);
  }

  /** Brings what the provider has given the browser to the callback of the connection. */
  async bring(answer: URL | Record<string, string>): Promise<Landing> {
    const path = `/api/iam/auth/external/${this.kind}/callback/${this.id}`;
    const isForm = !(answer instanceof URL);
    const response = await fetch(
      `${this.organization.service.url}${path}${isForm ? '' : answer.search}`,
      isForm
        ? { method: 'POST', redirect: 'manual', body: new URLSearchParams(answer) }
        : { redirect: 'manual' },
    );
    const { status, headers } = response;
    await response.body?.cancel();
    const [returnUri = '', fragment = ''] = (headers.get('location') ?? '').split('#');
    return { status, headers, returnUri, fragment: Object.fromEntries(new URLSearchParams(fragment)) };
  }
}
