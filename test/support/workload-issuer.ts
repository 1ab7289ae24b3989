import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An issuer of tokens of workloads on this machine, with metadata and a key set. */
export class WorkloadIssuer {
  private readonly pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WorkloadIssuer> {
    const server = createServer((request, response) => {
      const jwk = { ...issuer.pair.publicKey.export({ format: 'jwk' }), kid: 'one' };
      const isMetadata = request.url?.startsWith('/.well-known') === true;
      const body = isMetadata ? { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` } : { keys: [jwk] };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    });
    const issuer = new WorkloadIssuer(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** @param issuedAt seconds since 1970 */
  token(subject: string, issuedAt: number, lifetimeSeconds: number): string {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const times = { iat: issuedAt, exp: issuedAt + lifetimeSeconds };
    const claims = { iss: this.url, aud: 'gatehouse', sub: subject, jti: randomUUID(), ...times };
    const text = `${encode({ alg: 'ES256', kid: 'one' })}.${encode(claims)}`;
    const key = { key: this.pair.privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
