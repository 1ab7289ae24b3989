import { X509Certificate } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { auth, type IdPOptions } from 'samlp';
import { LabKey } from './saml-stand-in.ts';

/** What the types of samlp leave out. */
interface Options extends IdPOptions {
  /** Whose requests are answered, and no others. */
  readonly signingCert?: string;
  readonly signAssertion?: boolean;
}

/** samlp: an identity provider by other authors. It reads our requests and makes answers with XML libraries of its own. */
export class SamlpProvider {
  readonly issuer = 'urn:samlp.example';
  /** In Passport's form, as it expects. */
  person = {
    id: 'ada',
    emails: [{ value: 'ada@example.com' }],
    displayName: 'Ada',
    name: { givenName: 'Ada' },
  };
  /** What it does otherwise than by its defaults. */
  options: Partial<Options> = {};
  private readonly key = new LabKey('samlp');

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SamlpProvider> {
    const app = express();
    const provider = new SamlpProvider(createServer(app));
    app.get('/sso', (request, response, next) => provider.handler()(request, response, next));
    app.use((_error: unknown, _request: express.Request, response: express.Response, _next: unknown) => {
      response.status(400).send('Refused.');
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

  /** Takes from our metadata what it answers to, and whose requests. */
  register(metadata: string): void {
    const [consumer = '', certificate = ''] = [/Location="([^"]*)"/, /<ds:X509Certificate>([^<]*)</].map(
      (pattern) => pattern.exec(metadata)?.[1],
    );
    this.options = {
      signingCert: new X509Certificate(Buffer.from(certificate, 'base64')).toString(),
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
      getPostURL: (_audience, _request, _incoming, done) => done(new Error('Nobody is registered.'), ''),
      ...this.options,
    };
    return auth(options);
  }
}
