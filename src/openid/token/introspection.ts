import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/index.js';
import type { Client } from '../../client/index.js';
import { spokenScopesOf } from '../apis/api-scopes.js';
import { Authenticator, GrantRevocation, type GrantView, TenantAdmission } from '../../session/index.js';
import { ClaimReader, type ClaimRequest } from '../userinfo/claim-reader.js';
import { sidOf, Subjects } from '../subjects/subjects.js';
import { RequestedResource } from './requested-resource.js';

/** State of a token (RFC 7662 section 2.2); nothing more of one that is not active. */
export type TokenState =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly client_id: string;
      readonly sub: string;
      readonly sid: string;
      readonly scope: string;
      /** As `preferred_username` (OpenID Connect Core section 5.1). */
      readonly username?: string;
      readonly token_type?: 'Bearer' | 'DPoP';
      /** Key that the token is bound to (RFC 9449 section 6.2). */
      readonly cnf?: { readonly jkt: string };
      readonly exp: number;
      readonly iat?: number;
    };

const INACTIVE = { active: false } as const;

/** Tells clients whether their tokens are active, by the same checks as each request (API-5). */
@Injectable()
export class Introspection {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly grants: GrantRevocation,
    private readonly admission: TenantAdmission,
    private readonly resources: RequestedResource,
    private readonly subjects: Subjects,
    private readonly claims: ClaimReader,
  ) {}

  /** @returns that the token is not active also for another client's */
  async find(token: string, client: Client): Promise<TokenState> {
    const { clientId } = client;
    const grant = await this.grants.findGrantOfRefreshToken(token, clientId);
    if (grant && !(await this.isRefreshed(client, grant))) return INACTIVE;
    if (grant?.grantedScopes)
      return {
        active: true,
        client_id: clientId,
        sub: await this.subjects.find(client, grant.userId),
        sid: sidOf(client, grant.sessionId),
        scope: spokenScopesOf(grant.grantedScopes).join(' '),
        ...(await this.nameOf({ ...grant, scopes: grant.grantedScopes })),
        exp: Math.floor(Date.now() / 1_000) + grant.refreshExpiresIn,
        ...(grant.dpopJkt !== null && { cnf: { jkt: grant.dpopJkt } }),
      };
    return this.findAccessToken(token, client);
  }

  /** Returns whether a refresh of the grant would be accepted. */
  private async isRefreshed(client: Client, grant: GrantView): Promise<boolean> {
    if (client.tenantId !== null && !(await this.admission.admits(grant, client.tenantId))) return false;
    return this.resources.isConsented(client, grant);
  }

  private async findAccessToken(token: string, client: Client): Promise<TokenState> {
    const { clientId } = client;
    try {
      const { principal, issuedAt: iat, expiresAt: exp } = await this.authenticator.readToken(token);
      if (principal.kind !== 'person' || principal.clientId !== clientId || !principal.grantedScopes)
        return INACTIVE;
      const { userId, subject: sub = userId, sessionId, tenantId, grantedScopes, jkt } = principal;
      const sid = sidOf(client, sessionId);
      const scope = [...grantedScopes].join(' ');
      const named = await this.nameOf({ userId, tenantId, scopes: [...grantedScopes] });
      const state = { active: true, client_id: clientId, sub, sid, scope, ...named, exp, iat } as const;
      return jkt === undefined
        ? { ...state, token_type: 'Bearer' }
        : { ...state, token_type: 'DPoP', cnf: { jkt } };
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated') return INACTIVE;
      throw error;
    }
  }

  /** Returns the user name that mail servers look up an account by. */
  private async nameOf(request: ClaimRequest): Promise<{ username?: string }> {
    if (!request.scopes.includes('profile')) return {};
    const { preferred_username: username } = await this.claims.read(request);
    return username === undefined ? {} : { username };
  }
}
