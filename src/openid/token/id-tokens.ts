import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { GroupMembershipRepository } from '../../directory/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import { type TenantId, type UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import type { Client } from '../../client/index.js';
import { type GrantView, strengthClaimsOf, TokenSigner } from '../../session/index.js';
import { sidOf, Subjects } from '../subjects/subjects.js';
import { asksForClaims, ClaimReader } from '../userinfo/claim-reader.js';

/** Characters. A longer hint is refused before it is parsed. */
const MAX_HINT_LENGTH = 8_192;

/** What a valid hint says: whose ID token it is, of which session and client. */
export interface HintClaims {
  readonly userId: UserId;
  /** Name of the session for the client. */
  readonly sid: string;
  readonly clientId: string;
}

/** How a client knows a person and their session. */
export interface ClientNames {
  readonly subject: string;
  readonly sid: string;
}

/** Signs and verifies ID tokens (OpenID Connect Core section 2). */
@Injectable()
export class IdTokens {
  constructor(
    private readonly signer: TokenSigner,
    private readonly directory: MembershipDirectory,
    private readonly claims: ClaimReader,
    private readonly subjects: Subjects,
    private readonly groups: GroupMembershipRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Returns how a client knows the person and the session of a grant. */
  async namesOf(client: Client, { userId, sessionId }: GrantView): Promise<ClientNames> {
    return { subject: await this.subjects.find(client, userId), sid: sidOf(client, sessionId) };
  }

  /**
   * Signs the ID token of a grant.
   * @param nonce of the authorization request; null at a refresh
   * @param accessToken issued next to it
   * @param tenantId of the access token
   */
  async sign(
    grant: GrantView,
    client: Client,
    more: ClientNames & {
      readonly nonce: string | null;
      readonly accessToken: string;
      readonly tenantId: TenantId | null;
    },
  ): Promise<string> {
    const { subject, sid, nonce, accessToken, tenantId } = more;
    const isOwn = client.tenantId !== null && client.tenantId === tenantId;
    const ofTenant = (isOwn || grant.grantedScopes?.includes('tenant')) && tenantId !== null;
    const scopes = grant.grantedScopes ?? [];
    const isNamed = client.idTokenClaims === 'scopes' && asksForClaims(scopes);
    const { userId } = grant;
    return this.signClaims(client, {
      ...(isNamed && (await this.claims.read({ userId, tenantId, scopes }))),
      sub: subject,
      sid,
      azp: client.clientId,
      auth_time: Math.floor(grant.authTime.getTime() / 1_000),
      ...strengthClaimsOf({ ...grant, tenantId }),
      at_hash: hash('sha256', accessToken, 'buffer').subarray(0, 16).toString('base64url'),
      ...(nonce !== null && { nonce }),
      ...(ofTenant && { tid: tenantId, roles: await this.directory.findRoleKeys(userId, tenantId) }),
      ...(isOwn && { groups: await this.groups.findNames(client.tenantId, userId) }),
    });
  }

  /**
   * Signs claims for a client by its algorithm.
   * @param seconds for which the token is valid: by default as long as an access token; null for
   *   one that does not expire; audience: by default the client
   */
  async signClaims(
    { clientId, idTokenAlg }: Pick<Client, 'clientId' | 'idTokenAlg'>,
    claims: Readonly<Record<string, unknown>>,
    {
      typ = 'JWT',
      seconds = this.settings.ACCESS_TOKEN_TTL,
      audience = clientId,
    }: { typ?: string; seconds?: number | null; audience?: string } = {},
  ): Promise<string> {
    const iat = Math.floor(Date.now() / 1_000);
    const frame = { iss: this.settings.PUBLIC_URL, aud: audience, iat };
    const expiry = seconds === null ? {} : { exp: iat + seconds };
    const content = { ...claims, ...frame, ...expiry };
    return this.signer.signJwtBy(idTokenAlg, typ, content);
  }

  /**
   * Verifies an ID token that a client hands back as a hint; it may have expired (OpenID Connect
   * RP-Initiated Logout section 2).
   * @param clientId that it must be for; undefined for any
   * @returns null for any other token
   */
  verifyHint(hint: string, clientId?: string): Promise<HintClaims | null> {
    return this.verify(hint, clientId, Number.MAX_SAFE_INTEGER); // an expired one is a hint as well
  }

  /**
   * Verifies an ID token of a client that stands for a sign-in.
   * @returns null for any other token, and an expired one
   */
  verifySubject(idToken: string, clientId: string): Promise<HintClaims | null> {
    return this.verify(idToken, clientId, 0);
  }

  private async verify(
    hint: string,
    clientId: string | undefined,
    clockTolerance: number,
  ): Promise<HintClaims | null> {
    if (hint.length > MAX_HINT_LENGTH) return null;
    const { decodeProtectedHeader, jwtVerify } = await import('jose');
    try {
      const { kid = '', alg: named, typ } = decodeProtectedHeader(hint);
      if (typ !== 'JWT') return null;
      const alg = named === 'RS256' ? named : 'ES256';
      const key = await this.signer.findPublicKey({ alg, kid });
      if (!key) return null;
      const { payload } = await jwtVerify(hint, key, {
        algorithms: [alg],
        issuer: this.settings.PUBLIC_URL,
        ...(clientId !== undefined && { audience: clientId }),
        clockTolerance,
      });
      const { sub, sid, aud } = payload;
      if (typeof sub !== 'string' || typeof sid !== 'string' || typeof aud !== 'string') return null;
      const userId = await this.subjects.findUser(sub);
      return userId && { userId, sid, clientId: aud };
    } catch {
      return null;
    }
  }
}
