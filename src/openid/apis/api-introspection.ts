import { Injectable } from '@nestjs/common';
import { type Api, LiveApis } from '../../client/index.js';
import { ConnectionDirectory } from '../../connection/index.js';
import type { Principal } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { SignInCheck } from '../../ability/index.js';
import { AccessTokenService, Authenticator } from '../../session/index.js';
import { ApiTokens } from './api-tokens.js';

/** State of a token of an API (RFC 7662 section 2.2); nothing more of one that is not active. */
export type ApiTokenState =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly scope: string;
      readonly token_type: 'Bearer' | 'DPoP';
      readonly [claim: string]: unknown;
    };

type Claims = Readonly<Record<string, unknown>>;

const INACTIVE = { active: false } as const;

/** Claims of a token that its API is told. */
const TOLD = ['iss', 'aud', 'sub', 'client_id', 'exp', 'iat', 'sid', 'tid', 'act', 'auth_time', 'acr', 'cnf'];

/** Tells APIs whether tokens for them are active, by the same checks as our own requests. */
@Injectable()
export class ApiIntrospection {
  constructor(
    private readonly apis: LiveApis,
    private readonly tokens: ApiTokens,
    private readonly accessTokens: AccessTokenService,
    private readonly authenticator: Authenticator,
    private readonly signIns: SignInCheck,
    private readonly connections: ConnectionDirectory,
  ) {}

  /**
   * Returns the state of a token: inactive after the end of session, grant, membership or
   * credential, when the organization refuses the sign-in or does not trust the connection that has
   * asserted it, and when the client does not reach the API any more. Its scopes are those that the
   * person still holds.
   */
  async find(token: string, api: Api): Promise<ApiTokenState> {
    const claims = await this.tokens.verify(token, api);
    if (!claims) return INACTIVE;
    try {
      const { principal } = this.accessTokens.readClaims(claims);
      await this.authenticator.requireLive(
        // As of OpenID Connect: it may end before its session.
        principal.kind === 'person' ? { ...principal, grantedScopes: new Set() } : principal,
        null,
      );
      if (!(await this.isAdmitted(principal)) || !(await this.isTrusted(claims))) return INACTIVE;
      const scopes = await this.findScopes(principal, api, String(claims['scope'] ?? '').split(' '));
      if (!scopes) return INACTIVE;
      return {
        ...Object.fromEntries(TOLD.flatMap((name) => (name in claims ? [[name, claims[name]]] : []))),
        active: true,
        scope: scopes.join(' '),
        token_type: principal.jkt === undefined ? 'Bearer' : 'DPoP',
      };
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated') return INACTIVE;
      throw error;
    }
  }

  /**
   * Finds the grant of a token for any API.
   * @returns null for another token
   */
  async findGrant(token: string): Promise<string | null> {
    const { decodeJwt } = await import('jose');
    try {
      const { aud } = decodeJwt(token);
      const api = typeof aud === 'string' ? await this.apis.find(aud) : null;
      const claims = api && (await this.tokens.verify(token, api));
      return typeof claims?.['gid'] === 'string' ? claims['gid'] : null;
    } catch (error) {
      if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_J')) return null;
      throw error;
    }
  }

  /** Returns whether the selected organization accepts the sign-in of a person. */
  private async isAdmitted(principal: Principal): Promise<boolean> {
    if (principal.kind !== 'person' || principal.tenantId === null) return true;
    return (await this.signIns.judge(principal, principal.tenantId)).accepted;
  }

  /** Returns whether the connection whose identity assertion gave the token is still trusted. */
  private async isTrusted({ asserted_by: connectionId }: Claims): Promise<boolean> {
    return typeof connectionId !== 'string' || this.connections.isTrusted(connectionId);
  }

  /** @returns null if the client does not reach the API any more */
  private async findScopes(
    principal: Principal,
    api: Api,
    inToken: readonly string[],
  ): Promise<string[] | null> {
    const grant = principal.kind === 'person' ? principal : null;
    const reach = await this.apis.findReach(principal.clientId, api, grant);
    if (!reach) return null;
    const isAsked = (name: string): boolean => reach.has(name) && inToken.includes(name);
    if (principal.kind === 'person')
      return this.tokens.selectScopes(api, principal, principal.tenantId, isAsked);
    return api.scopes.map(({ name }) => name).filter(isAsked);
  }
}
