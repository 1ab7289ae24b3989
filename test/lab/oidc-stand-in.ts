import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

const ACCESS_TOKEN = 'opaque';

/** Deviations of an attacker or a failing provider. Omitted properties mean correct behaviour. */
export interface Twist {
  /** Claims to change; undefined removes one. */
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
  /** Signs in place of the published key. */
  readonly key?: CryptoKey | Uint8Array;
  /** Changes the finished ID token, as text. */
  readonly token?: (token: string) => string;
  /** Answer of the token endpoint in place of tokens. */
  readonly answer?: Answer;
  /** Answer of the userinfo endpoint in place of the user's claims. */
  readonly userInfo?: Answer;
  /** Answer in place of its keys. */
  readonly keySet?: Answer;
  /** Delay of every answer. */
  readonly delayMs?: number;
  /** Duration of every answer, sent a space at a time before its end. */
  readonly dripMs?: number;
  /** Changes to the answer of the token endpoint; undefined removes a part. */
  readonly tokens?: Record<string, unknown>;
  /** Changes to the discovery document. */
  readonly metadata?: Record<string, unknown>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** JSON by default. */
  readonly type?: string;
}

interface Issued {
  readonly challenge: string | null;
  readonly nonce: string | null;
  readonly redirectUri: string | null;
  readonly maxAge: string | null;
}

/**
 * An OpenID Connect provider with the real protocol, which signs in the user that the test names,
 * honestly or not.
 */
export class OidcStandIn {
  readonly clientId = 'gatehouse';
  readonly clientSecret = 'a-secret-of-the-lab';
  /** The user signed in at the provider. */
  person: Record<string, unknown> = { sub: 'subject-1', email: 'ada@example.com', email_verified: true };
  twist: Twist = {};
  /** Requests received so far, by path. */
  readonly requests: string[] = [];
  private readonly codes = new Map<string, Issued>();

  readonly issuer: string;
  /** Address of the authorization endpoint. */
  authorizationEndpoint: string;
  private readonly server: Server;
  private readonly privateKey: CryptoKey;
  private readonly publicJwk: JWK;

  /** Begin of the paths of its endpoints. */
  private readonly base: string;

  private constructor(server: Server, privateKey: CryptoKey, publicJwk: JWK, path: string) {
    this.server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    this.base = path.replace(/\/$/, '');
    this.authorizationEndpoint = `${this.issuer.replace(/\/$/, '')}/authorize`;
    this.privateKey = privateKey;
    this.publicJwk = publicJwk;
  }

  /**
   * @param port by default any free one
   * @param path of the issuer, such as `/application/o/gatehouse/` of authentik
   */
  static async start(port = 0, path = ''): Promise<OidcStandIn> {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const publicJwk = { ...(await exportJWK(publicKey)), kid: 'lab', alg: 'ES256', use: 'sig' };
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const lab = new OidcStandIn(server, privateKey, publicJwk, path);
    // A provider ignores a caller that disconnects.
    server.on('request', (request, response) => void lab.answer(request, response).catch(() => undefined));
    return lab;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** What the settings of the service need to know. */
  get settings(): Record<string, string> {
    return {
      EXTERNAL_OIDC_ISSUER: this.issuer,
      EXTERNAL_OIDC_CLIENT_ID: this.clientId,
      EXTERNAL_OIDC_CLIENT_SECRET: this.clientSecret,
    };
  }

  /** Signs the user in. @returns the address of the callback */
  visit(authorizationUrl: string, changes: Record<string, string | null> = {}): URL {
    const asked = new URL(authorizationUrl).searchParams;
    const code = randomBytes(16).toString('hex');
    this.codes.set(code, {
      challenge: asked.get('code_challenge'),
      nonce: asked.get('nonce'),
      redirectUri: asked.get('redirect_uri'),
      maxAge: asked.get('max_age'),
    });
    const callback = new URL(asked.get('redirect_uri') ?? '');
    const parameters = { code, state: asked.get('state') ?? '', iss: this.issuer, ...changes };
    for (const [name, value] of Object.entries(parameters))
      if (value !== null) callback.searchParams.set(name, value);
    return callback;
  }

  /** Signs a further token by its key. */
  sign(payload: Record<string, unknown>, header: object = {}): Promise<string> {
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', kid: 'lab', ...header })
      .sign(this.privateKey);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.issuer);
    this.requests.push(pathname);
    if (this.twist.delayMs !== undefined)
      await new Promise((resolve) => setTimeout(resolve, this.twist.delayMs));
    const isOurs = pathname.startsWith(`${this.base}/`);
    const { status, body, type } = await this.answerTo(
      isOurs ? pathname.slice(this.base.length) : '/unknown',
      request,
    );
    response.writeHead(status, { 'content-type': type ?? 'application/json' });
    for (const until = Date.now() + (this.twist.dripMs ?? 0); Date.now() < until;) {
      response.write(' ');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  private async answerTo(path: string, request: IncomingMessage): Promise<Answer> {
    if (path === '/.well-known/openid-configuration') return { status: 200, body: this.metadata() };
    if (path === '/jwks') return this.twist.keySet ?? { status: 200, body: { keys: [this.publicJwk] } };
    if (path === '/token') return this.twist.answer ?? this.tokens(await bodyOf(request));
    if (path === '/userinfo') return this.userInfo(request);
    return { status: 404, body: {} };
  }

  private metadata(): Record<string, unknown> {
    const { issuer: name } = this;
    const issuer = name.replace(/\/$/, '');
    return {
      issuer: name,
      authorization_endpoint: this.authorizationEndpoint,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ...this.twist.metadata,
    };
  }

  private userInfo({ headers }: IncomingMessage): Answer {
    if (headers.authorization !== `Bearer ${ACCESS_TOKEN}`) return { status: 401, body: {} };
    return this.twist.userInfo ?? { status: 200, body: this.person };
  }

  private async tokens(form: URLSearchParams): Promise<Answer> {
    const issued = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const right =
      issued?.challenge === challenge &&
      issued.redirectUri === form.get('redirect_uri') &&
      form.get('client_secret') === this.clientSecret;
    if (!right) return { status: 400, body: { error: 'invalid_grant' } };
    const { claims = {}, header = {}, key = this.privateKey, token = (text: string) => text } = this.twist;
    const now = Math.floor(Date.now() / 1000);
    const payload = {
      iss: this.issuer,
      aud: this.clientId,
      iat: now,
      exp: now + 300,
      nonce: issued.nonce,
      at_hash: createHash('sha256').update(ACCESS_TOKEN).digest().subarray(0, 16).toString('base64url'),
      ...(issued.maxAge !== null && { auth_time: now }),
      ...this.person,
      ...claims,
    };
    const idToken = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', kid: 'lab', ...header })
      .sign(key);
    return {
      status: 200,
      body: {
        access_token: ACCESS_TOKEN,
        token_type: 'Bearer',
        expires_in: 300,
        id_token: token(idToken),
        ...this.twist.tokens,
      },
    };
  }
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
