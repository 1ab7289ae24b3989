import { X509Certificate } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { auth, type IdPOptions } from 'samlp';
import { LabKey } from './saml-stand-in.ts';

/** Fields that the types of samlp leave out. */
interface Options extends IdPOptions {
  /** The only service provider whose requests are answered. */
  readonly signingCert?: string;
  readonly signAssertion?: boolean;
  readonly encryptionCert?: string;
  readonly encryptionPublicKey?: string;
}

/** samlp: an identity provider by other authors, with other XML libraries than the service's. */
export class SamlpProvider {
  readonly issuer = 'urn:samlp.example';
  /** The user in Passport's form, as samlp expects. */
  person = {
    id: 'ada',
    emails: [{ value: 'ada@example.com' }],
    displayName: 'Ada',
    name: { givenName: 'Ada' },
  };
  /** Deviations from its defaults. */
  options: Partial<Options> = {};
  private readonly key = new LabKey('samlp');

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SamlpProvider> {
    const app = express();
    const provider = new SamlpProvider(createServer(app));
    app.get('/sso', (request, response, next) => provider.handler()(request, response, next));
    app.use((error: unknown, _request: express.Request, response: express.Response, _next: unknown) => {
      response
        .status(400)
        .type('text')
        .send(`Refused: ${String(error)}`);
    });
    await new Promise<void>((resolve) => provider.server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** What the settings of the service need to know. */
  get settings(): Record<string, string> {
    return {
      EXTERNAL_SAML_ENTRY_POINT: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/sso`,
      EXTERNAL_SAML_IDP_ISSUER: this.issuer,
      EXTERNAL_SAML_IDP_CERT: this.key.certificate,
    };
  }

  /** Takes the service provider and its addresses from the service's metadata. */
  register(metadata: string): void {
    const [consumer = '', certificate = ''] = [
      /AssertionConsumerService[^>]* Location="([^"]*)"/,
      /<ds:X509Certificate>([^<]*)</,
    ].map((pattern) => pattern.exec(metadata)?.[1]);
    const ours = new X509Certificate(Buffer.from(certificate, 'base64'));
    this.options = {
      signingCert: ours.toString(),
      ...(metadata.includes('use="encryption"') && {
        encryptionCert: ours.toString(),
        encryptionPublicKey: ours.publicKey.export({ type: 'spki', format: 'pem' }) as string,
      }),
      recipient: consumer,
      destination: consumer,
      getPostURL: (_audience, _request, _incoming, done) => done(null, consumer),
    };
  }

  private handler(): express.Handler {
    const options: Options = {
      issuer: this.issuer,
      cert: this.key.certificate,
      key: this.key.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      getUserFromRequest: () => this.person,
      getPostURL: (_audience, _request, _incoming, done) =>
        done(new Error('No service provider is registered.'), ''),
      ...this.options,
    };
    return auth(options);
  }
}
