import { Inject, Injectable } from '@nestjs/common';
import { CallerScopes, SignInCheck } from '../../ability/index.js';
import type { AccessTokenAlg } from '../../client/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { FIRST_PARTY_CLIENT, type TenantId } from '../../kernel/index.js';
import { AccessTokenService } from './access-token.service.js';
import type { GrantView } from '../grants/grant.repository.js';
import { RefreshTokenCodec } from './refresh-token.js';
import type { TenantTokenResponse, TokenResponse } from './token.dto.js';
import type { NewImpersonation } from '../impersonations/impersonation.repository.js';

/** What the owner of a grant holds in a tenant, and until when without a second factor. */
interface Entry {
  readonly held: readonly string[];
  readonly secondFactorBy: Date | null;
  /** Partnership by which the owner is in the tenant; null for a member. */
  readonly via: string | null;
}

/** How a client knows a person and their session, and how its tokens are signed. */
export interface ClientView {
  readonly subject: string;
  readonly sid: string;
  readonly accessTokenAlg: AccessTokenAlg;
}

/** Session in which an operator acts as a person. */
type Impersonation = Pick<NewImpersonation, 'id' | 'userId' | 'tenantId' | 'grantId' | 'operatorId'>;

/** Issues the tokens of a grant. */
@Injectable()
export class TokenIssuer {
  constructor(
    private readonly accessTokens: AccessTokenService,
    private readonly refreshTokens: RefreshTokenCodec,
    private readonly directory: MembershipDirectory,
    private readonly callers: CallerScopes,
    private readonly signIns: SignInCheck,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Issues an access token, and the refresh token of the grant's generation.
   * @param grant as rotated or created
   * @param access what else {@link issueAccess} takes
   */
  async issue(
    grant: GrantView,
    ...access: [requestedTenantId?: TenantId | null, view?: ClientView]
  ): Promise<TokenResponse> {
    const issued = await this.issueAccess(grant, ...access);
    return { ...issued, refreshToken: this.refreshTokenOf(grant) };
  }

  /** Returns the refresh token of the grant's generation. */
  refreshTokenOf(grant: GrantView): string {
    return this.refreshTokens.encode(grant);
  }

  /**
   * Issues an access token to a client that keeps its refresh token.
   * @param requestedTenantId tenant of the access token; omitted from the token if the membership
   *   has ended, or the tenant refuses the sign-in
   * @param view of a client of OpenID Connect; without it, person and session go by their ids
   */
  async issueAccess(
    grant: GrantView,
    requestedTenantId: TenantId | null = grant.tenantId,
    view?: ClientView,
  ): Promise<TenantTokenResponse> {
    const { sessionId, clientId, refreshExpiresIn, grantedScopes, stationId, ...rest } = grant;
    const { ACCESS_TOKEN_TTL } = this.settings;
    // At a station, nothing is accepted after the idle time.
    const expiresIn = stationId === null ? ACCESS_TOKEN_TTL : Math.min(ACCESS_TOKEN_TTL, refreshExpiresIn);
    const entry = requestedTenantId === null ? null : await this.findEntry(grant, requestedTenantId);
    const tenantId = entry === null ? null : requestedTenantId;
    const usable = entry ? entry.held.filter(await this.callers.getClientScopes(clientId, false)) : [];
    const scopes = grantedScopes ? grantedScopes.filter(isGiven(new Set(usable))) : usable;
    const accessToken = await this.accessTokens.signBy(view?.accessTokenAlg ?? 'ES256', {
      ...rest,
      sessionId,
      clientId,
      tenantId,
      ...(typeof entry?.via === 'string' && { via: entry.via }),
      scopes,
      isLimited: grantedScopes !== null,
      ...(stationId !== null && { stationId, dpopJkt: null, lifetimeSeconds: expiresIn }),
      ...(view && view.subject !== grant.userId && { subject: view.subject, sid: view.sid }),
    });
    return {
      tokenType: 'Bearer',
      accessToken,
      expiresIn,
      refreshExpiresIn,
      sessionId,
      tenantId,
      ...(entry?.secondFactorBy && { secondFactorBy: entry.secondFactorBy.toISOString() }),
    };
  }

  /**
   * Signs the token of a session in which an operator acts as a person, with what actors may use of
   * the person's scopes.
   */
  async signForActor(
    { id, userId, tenantId, grantId, operatorId }: Impersonation,
    authTime: Date,
    lifetimeSeconds: number,
  ): Promise<string> {
    const held = (await this.directory.findScopes(userId, tenantId)) ?? [];
    return this.accessTokens.sign({
      userId,
      tenantId,
      scopes: held.filter((scope) => this.callers.isForActors(scope)),
      sessionId: id,
      grantId,
      clientId: FIRST_PARTY_CLIENT,
      authTime,
      aal2Time: null,
      phrTime: null,
      trustedDevice: false,
      amr: [],
      actorId: operatorId,
      lifetimeSeconds,
    });
  }

  /**
   * @returns null without access, or if the tenant refuses the sign-in. People of partners enter by
   *   the first-party app only
   */
  private async findEntry(grant: GrantView, tenantId: TenantId): Promise<Entry | null> {
    const held = await this.directory.findScopes(grant.userId, tenantId);
    if (held === null) return null;
    const via = await this.directory.findPartnership(grant.userId, tenantId);
    if (via !== null && grant.clientId !== FIRST_PARTY_CLIENT) return null;
    const verdict = await this.signIns.judge(grant, tenantId);
    return verdict.accepted ? { held, secondFactorBy: verdict.secondFactorBy, via } : null;
  }
}

/** Keeps scopes of OpenID Connect, and of the permissions those that the person holds. */
const isGiven = (usable: ReadonlySet<string>) => (scope: string) => !scope.includes(':') || usable.has(scope);
