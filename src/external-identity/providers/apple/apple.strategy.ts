import { createPrivateKey } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { isObject } from '../../../kernel/index.js';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { OutboundHttp } from '../../../platform/outbound/index.js';
import { booleanOf, textOf } from '../attributes.js';
import { ExternalProvider } from '../provider.registry.js';
import { authorizationRequest, codeFrom, redeemCode } from '../code-flow.js';
import { FlowStrategy } from '../flow-strategy.js';
import { IdTokenVerifier } from '../id-token.verifier.js';
import { requireSubject, revokeAt } from '../provider-http.js';
import {
  type CallbackParameters,
  type ProvenProfile,
  type ProviderFlow,
  type ProviderNotice,
  SignInError,
  type SignInStrategy,
} from '../provider.js';

/**
 * Issuers of Apple. The second replaced the first without notice in June 2025, which broke clients
 * that accepted one only (APL-6). Identities are stored under the first.
 */
const APPLE = ['https://appleid.apple.com', 'https://account.apple.com'] as const;
const RELAY = '@privaterelay.appleid.com';
const CLIENT_SECRET_SECONDS = 300;
/** Events of notices that end something here. Those about relayed mail do not. */
const EVENTS: Readonly<Record<string, ProviderNotice['what']>> = {
  'consent-revoked': 'withdrawn',
  'account-delete': 'deleted',
  'account-deleted': 'deleted',
};

interface Client {
  readonly id: string;
  readonly teamId: string;
  readonly keyId: string;
  readonly privateKey: string;
}

/**
 * Sign in with Apple: OpenID Connect, except that the client secret is a JWT signed here, the
 * callback is a form, and the name in it is unsigned.
 */
@ExternalProvider('apple_oauth', 'Apple')
export class AppleStrategy extends PassportStrategy(FlowStrategy, 'apple_oauth') implements SignInStrategy {
  private readonly client: Client | null;
  private readonly issuers: readonly [string, ...string[]];
  private readonly authorizationEndpoint: string;
  private readonly tokenUrl: string;
  private readonly idTokens: IdTokenVerifier;

  constructor(
    private readonly http: OutboundHttp,
    @Inject(SETTINGS) settings: Settings,
  ) {
    super();
    const {
      EXTERNAL_APPLE_ISSUER: issuer,
      EXTERNAL_APPLE_AUTHORIZATION_URL: authorizationUrl,
      EXTERNAL_APPLE_TOKEN_URL: tokenUrl,
      EXTERNAL_APPLE_JWKS_URL: jwksUrl,
    } = settings;
    this.client = clientOf(settings);
    this.issuers = issuer === undefined || APPLE.some((one) => one === issuer) ? APPLE : [issuer];
    this.authorizationEndpoint = authorizationUrl ?? `${APPLE[0]}/auth/authorize`;
    this.tokenUrl = tokenUrl ?? `${APPLE[0]}/auth/token`;
    this.idTokens = new IdTokenVerifier(http, jwksUrl ?? `${APPLE[0]}/auth/keys`, ['RS256']);
    for (const url of [tokenUrl, jwksUrl]) if (url !== undefined) http.trust(url);
  }

  get configured(): boolean {
    return this.client !== null;
  }

  get issuer(): string {
    return this.issuers[0];
  }

  async authorizationUrl(flow: ProviderFlow): Promise<URL> {
    return authorizationRequest(this.authorizationEndpoint, this.requireClient().id, flow, {
      response_mode: 'form_post', // Apple requires it if name or address are requested (APL-1)
      scope: 'name email',
      nonce: flow.nonce,
    });
  }

  async validate(flow: ProviderFlow, parameters: CallbackParameters): Promise<ProvenProfile> {
    const code = codeFrom(parameters, this.issuers);
    const client = this.requireClient();
    const secret = await this.clientSecretOf(client);
    const said = await redeemCode(this.http, this.tokenUrl, { id: client.id, secret }, flow, code);
    const { id_token: idToken, access_token: accessToken, refresh_token: refreshToken } = said;
    if (typeof idToken !== 'string') throw new SignInError('invalid_response');
    if (accessToken !== undefined && typeof accessToken !== 'string')
      throw new SignInError('invalid_response');
    const { sub, email, ...claims } = await this.idTokens.verify(idToken, {
      issuers: this.issuers,
      audience: client.id,
      nonce: flow.nonce,
      accessToken,
    });
    const address = textOf(email);
    const isRelay = address?.toLowerCase().endsWith(RELAY) || mayBePrivate(claims['is_private_email']);
    return {
      issuer: this.issuer,
      subject: sub,
      email: address,
      // A relay address does not prove the person's own address (APL-5).
      emailProof:
        address !== null && !isRelay && booleanOf(claims['email_verified']) === true ? 'verified' : 'none',
      ...namesOf(parameters['user']),
      ...(typeof refreshToken === 'string' && { refreshToken }),
    };
  }

  /**
   * Reads a server-to-server notification.
   * @throws {SignInError}
   */
  async readNotice(token: string): Promise<ProviderNotice> {
    const { issuers } = this;
    const audience = this.requireClient().id;
    const { event, issuedAt, id: key } = await this.idTokens.verifyNotice(token, { issuers, audience });
    const what = EVENTS[String(event['type'])] ?? 'other';
    return { what, issuer: this.issuer, subject: requireSubject(event['sub']), issuedAt, key };
  }

  /** Revokes the grant of a person (Apple asks it of apps in its store when they erase one). */
  async revokeGrant(refreshToken: string): Promise<void> {
    const client = this.requireClient();
    await revokeAt(this.http, new URL('revoke', this.tokenUrl), {
      client_id: client.id,
      client_secret: await this.clientSecretOf(client),
      token: refreshToken,
      token_type_hint: 'refresh_token',
    });
  }

  /** Signs a client secret for one request: a stored one would expire after six months (APL-3). */
  private async clientSecretOf({ id, teamId, keyId, privateKey }: Client): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const { SignJWT } = await import('jose');
    return new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setSubject(id)
      .setAudience(this.issuers[0])
      .setIssuedAt(now)
      .setExpirationTime(now + CLIENT_SECRET_SECONDS)
      .sign(createPrivateKey(privateKey));
  }

  private requireClient(): Client {
    if (!this.client) throw new SignInError('provider_unavailable');
    return this.client;
  }
}

function clientOf({
  EXTERNAL_APPLE_CLIENT_ID: id,
  EXTERNAL_APPLE_TEAM_ID: teamId,
  EXTERNAL_APPLE_KEY_ID: keyId,
  EXTERNAL_APPLE_PRIVATE_KEY: privateKey,
}: Settings): Client | null {
  if (id === undefined || teamId === undefined || keyId === undefined || !privateKey) return null;
  return { id, teamId, keyId, privateKey: privateKey.reveal() };
}

/** Any other value than false counts as true: the address may be private (APL-4). */
const mayBePrivate = (said: unknown): boolean => ![undefined, false, 'false'].includes(said as string);

/**
 * Reads the name, which comes with the form at the first consent only. The form is unsigned, so its
 * sender chooses the name, and nothing else is read from it (APL-2).
 */
function namesOf(user: string | undefined): Record<'firstName' | 'lastName', string | null> {
  try {
    const { name } = JSON.parse(user ?? '{}') as { name?: unknown };
    const parts = isObject(name) ? name : {};
    return { firstName: textOf(parts['firstName']), lastName: textOf(parts['lastName']) };
  } catch {
    return { firstName: null, lastName: null };
  }
}
