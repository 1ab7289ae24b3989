import { LabKey } from '../lab/saml-stand-in.js';
import { Organization } from '../support/organization.js';
import type { Provider } from './harness.js';

/** An app that is registered by its entity id first, and by its metadata once it runs. */
export class RegisteredApp {
  private constructor(
    readonly organization: Organization,
    readonly clientId: string,
    readonly metadata: string,
    readonly key: LabKey,
  ) {}

  static async register(provider: Provider, entityId: string, consumer: string): Promise<RegisteredApp> {
    const organization = await Organization.found(provider.app, provider.ada);
    const registered = await organization.call('POST', '/saml-clients', {
      name: 'Warehouse',
      entityId,
      consumers: [{ url: consumer, index: 0 }],
    });
    const clientId = String(registered.body['clientId']);
    await organization.call('PUT', `/clients/${clientId}/consent`);
    const metadata = await fetch(`${provider.app.url}/api/iam/saml/${clientId}/metadata`);
    return new RegisteredApp(organization, clientId, await metadata.text(), new LabKey('App'));
  }

  /** Takes settings, such as the metadata that the software gives out. */
  async update(settings: object): Promise<Record<string, unknown>> {
    const path = `/saml-clients/${this.clientId}`;
    const { status, body } = await this.organization.call('PATCH', path, settings);
    if (status !== 200)
      throw new Error(`It was refused: ${JSON.stringify(body)}\n${JSON.stringify(settings)}`);
    return body;
  }

  get privateKey(): string {
    return this.key.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  }
}

/** Returns whether the session of the person goes on. */
export const isSignedIn = async ({ app, ada }: Provider): Promise<boolean> =>
  (await app.get('/api/v1/iam/me', ada.token)).status === 200;
