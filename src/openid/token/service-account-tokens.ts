import { Injectable } from '@nestjs/common';
import { AbilityRegistry, CallerScopes, isForMachines } from '../../ability/index.js';
import type { MachinePrincipal } from '../../kernel/index.js';
import type { Actor } from '../../machine/index.js';
import { MACHINE_TOKEN_SECONDS, MachineTokens } from '../../session/index.js';
import type { ApiTarget } from '../apis/api-scopes.js';
import { ApiTokens } from '../apis/api-tokens.js';
import { OAuthError } from './oauth-error.js';
import { invalidTarget, RequestedResource } from './requested-resource.js';
import type { Parameters } from './oauth-request.js';

export interface IssuedToken {
  readonly access_token: string;
  readonly token_type: 'Bearer' | 'DPoP';
  readonly expires_in: number;
  readonly scope: string;
  /** With a token exchange. */
  readonly issued_token_type?: string;
}

/** Issues access tokens to service accounts: for this service, or an API. */
@Injectable()
export class ServiceAccountTokens {
  /** Scopes that a token can name, and the state of the registry that they are of. */
  private nameable: { readonly of: object; readonly scopes: readonly string[] } | undefined;

  constructor(
    private readonly tokens: MachineTokens,
    private readonly callers: CallerScopes,
    private readonly registry: AbilityRegistry,
    private readonly resources: RequestedResource,
    private readonly apiTokens: ApiTokens,
  ) {}

  /**
   * @param jkt key that the client has proved; null without a proof
   * @param act who acts for the account; null for the account itself
   * @throws {OAuthError} invalid_target; invalid_scope
   */
  async issue(
    client: MachinePrincipal,
    request: Parameters,
    jkt: string | null,
    act: Actor | null = null,
  ): Promise<IssuedToken> {
    const target = await this.resources.find(client, request);
    if (target) return this.signForApi(client, target, request['scope'], { act, jkt });
    const scopes = await this.selectScopes(client, request['scope']);
    const isWhole = request['scope'] === undefined && client.scopes === null;
    return {
      access_token: this.tokens.sign(client, scopes, { isWhole, act, jkt }),
      token_type: jkt === null ? 'Bearer' : 'DPoP',
      expires_in: MACHINE_TOKEN_SECONDS,
      scope: scopes.join(' '),
    };
  }

  /**
   * Issues a token for an API. A credential that is limited to scopes of this service has none; a
   * scope that asks for roles or a sign-in is for people.
   */
  private async signForApi(
    client: MachinePrincipal,
    { api, reach }: ApiTarget,
    requested: string | undefined,
    traits: { readonly act: Actor | null; readonly jkt: string | null },
  ): Promise<IssuedToken> {
    if (client.scopes !== null) throw invalidTarget();
    const held = api.scopes.flatMap(({ name, roles, acr, maxAge }) =>
      reach.has(name) && [roles, acr, maxAge].every((need) => need === undefined) ? [name] : [],
    );
    const scopes = requested === undefined ? held : requested.split(' ').filter((scope) => scope !== '');
    if (!scopes.every((scope) => held.includes(scope)))
      throw new OAuthError('invalid_scope', 'The client does not hold one of these scopes.');
    const issued = await this.apiTokens.issueToMachine(client, api, [...new Set(scopes)], traits);
    return {
      access_token: issued.accessToken,
      token_type: traits.jkt === null ? 'Bearer' : 'DPoP',
      expires_in: issued.expiresIn,
      scope: issued.scopes.join(' '),
    };
  }

  /** Finds the scopes that tokens of programs can name, once for each state of the registry. */
  private findNameable(): readonly string[] {
    const { all } = this.registry;
    if (this.nameable?.of === all) return this.nameable.scopes;
    const scopes = [...all.values()]
      .filter((scope) => isForMachines(scope) && !scope.peopleOnly)
      .map(({ scope }) => scope);
    this.nameable = { of: all, scopes };
    return scopes;
  }

  /** @returns the requested scopes, or all that the account holds */
  private async selectScopes(client: MachinePrincipal, requested: string | undefined): Promise<string[]> {
    const holds = await this.callers.findCallerScopes(client, false);
    const held = holds ? this.findNameable().filter(holds) : [];
    if (requested === undefined) return held;
    const scopes = [...new Set(requested.split(' ').filter((scope) => scope !== ''))];
    if (scopes.length === 0 || !scopes.every((scope) => held.includes(scope)))
      throw new OAuthError('invalid_scope', 'The client does not hold one of these scopes.');
    return scopes;
  }
}
