import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, exportPKCS8, generateKeyPair, jwtVerify, SignJWT, type CryptoKey, type JWK } from 'jose';
import { OAuthStandIn, type LabRequest, type Reply } from './oauth-stand-in.ts';
import type { Twist } from './oidc-stand-in.ts';

const ACCESS_TOKEN = 'opaque';

interface KeyPair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/**
 * Apple: authenticates its clients by JWTs that they sign, and describes the user in an ID token
 * alone.
 */
export class AppleStandIn extends OAuthStandIn {
  readonly clientId = 'test.gatehouse.web';
  readonly teamId = 'TEAM123456';
  readonly keyId = 'KEY1234567';
  issuer = 'https://appleid.apple.com';
  twist: Pick<Twist, 'claims' | 'header' | 'key' | 'token'> = {};
  /** Further members of the token response. */
  further: Record<string, unknown> = {};
  /** Client secrets received so far. */
  readonly clientSecrets: string[] = [];

  private readonly ours: KeyPair;
  private readonly theirs: KeyPair;
  private readonly pem: string;
  readonly publicJwk: JWK;

  private constructor(ours: KeyPair, theirs: KeyPair, pem: string, publicJwk: JWK) {
    super();
    this.ours = ours;
    this.theirs = theirs;
    this.pem = pem;
    this.publicJwk = publicJwk;
  }

  static async start(): Promise<AppleStandIn> {
    const ours = await generateKeyPair('RS256', { extractable: true });
    const theirs = await generateKeyPair('ES256', { extractable: true });
    const publicJwk = { ...(await exportJWK(ours.publicKey)), kid: 'lab', alg: 'RS256', use: 'sig' };
    return new AppleStandIn(ours, theirs, await exportPKCS8(theirs.privateKey), publicJwk).listen();
  }

  /** Signs a server-to-server notification. */
  notify(
    event: Record<string, unknown>,
    claims: Record<string, unknown> = {},
    key: CryptoKey = this.ours.privateKey,
  ): Promise<string> {
    return new SignJWT({
      iss: this.issuer,
      aud: this.clientId,
      iat: Math.floor(Date.now() / 1_000),
      jti: randomUUID(),
      events: JSON.stringify(event),
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'lab' })
      .sign(key);
  }

  get settings(): Record<string, string> {
    return {
      EXTERNAL_APPLE_CLIENT_ID: this.clientId,
      EXTERNAL_APPLE_TEAM_ID: this.teamId,
      EXTERNAL_APPLE_KEY_ID: this.keyId,
      EXTERNAL_APPLE_PRIVATE_KEY: this.pem.replaceAll('\n', '\\n'),
      EXTERNAL_APPLE_AUTHORIZATION_URL: `${this.url}/auth/authorize`,
      EXTERNAL_APPLE_TOKEN_URL: `${this.url}/auth/token`,
      EXTERNAL_APPLE_JWKS_URL: `${this.url}/auth/keys`,
    };
  }

  protected replyTo(request: LabRequest): Reply | Promise<Reply> {
    if (request.path === '/auth/keys') return { body: { keys: [this.publicJwk] } };
    if (request.path === '/auth/token') return this.tokens(request);
    if (request.path === '/auth/revoke') return {};
    return { status: 404 };
  }

  protected override async knows(presented: string): Promise<boolean> {
    this.clientSecrets.push(presented);
    const verified = await jwtVerify(presented, this.theirs.publicKey, {
      algorithms: ['ES256'],
      issuer: this.teamId,
      subject: this.clientId,
      audience: this.issuer,
      maxTokenAge: '5m',
      requiredClaims: ['exp'],
    }).catch(() => null);
    return verified?.protectedHeader.kid === this.keyId;
  }

  private async tokens(request: LabRequest): Promise<Reply> {
    const issued = await this.redeem(request);
    if (!issued) return { status: 400, body: { error: 'invalid_grant' } };
    const { claims, header, key = this.ours.privateKey, token = (text: string) => text } = this.twist;
    const now = Math.floor(Date.now() / 1000);
    const idToken = await new SignJWT({
      iss: this.issuer,
      aud: this.clientId,
      iat: now,
      exp: now + 600,
      nonce: issued.nonce,
      nonce_supported: true,
      at_hash: createHash('sha256').update(ACCESS_TOKEN).digest().subarray(0, 16).toString('base64url'),
      ...issued.person,
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'lab', ...header })
      .sign(key);
    return {
      body: {
        access_token: ACCESS_TOKEN,
        token_type: 'Bearer',
        id_token: token(idToken),
        ...this.further,
      },
    };
  }
}
