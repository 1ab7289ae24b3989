import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Scope } from '../abilities.js';
import { InvalidTokenError, Verifier, type AccessToken } from '../verifier/index.js';
import { CONFIRMED, PUBLIC, SCOPES, setCaller } from './decorators.js';
import { Denial, refusalOf } from './refusal.js';

/** Of Express, or of Fastify, which wraps Node's: of HTTP/1 or HTTP/2, which both have every header as it was sent, its name and its value in turns. */
interface Asked {
  readonly rawHeaders?: readonly string[];
  readonly raw?: Asked;
}

/** Lets nobody pass without a valid access token, but at routes that say so. What it refuses, it refuses by problem details. */
@Injectable()
export class GatehouseGuard implements CanActivate {
  constructor(
    @Inject(Verifier) private readonly verifier: Verifier,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return false;
    const scopes = this.#scopesOf(context);
    if (scopes === null) return true;
    const http = context.switchToHttp();
    try {
      const token = await this.verifier.verify(bearerOf(http.getRequest()));
      if (this.#isConfirmed(context)) await this.verifier.confirm(token);
      await this.#requireScopes(token, scopes);
      setCaller(http.getRequest(), token);
      return true;
    } catch (error) {
      throw refusalOf(error, http.getResponse());
    }
  }

  /** A scope claim that did not fit into the token is what the probe is asked for. */
  async #requireScopes(token: AccessToken, scopes: readonly Scope[]): Promise<void> {
    if (scopes.length === 0) return;
    if (token.tenantId === null) throw new Denial('tenant_required', 'Select an organization first.');
    const held = token.scopes;
    const denied = held ? scopes.some((scope) => !held.has(scope)) : !(await this.#probe(token, scopes));
    if (denied) throw new Denial('scope_not_held', 'You do not hold the scope that this needs.');
  }

  async #probe(token: AccessToken, scopes: readonly Scope[]): Promise<boolean> {
    const verdicts = await this.verifier.can(token, null, scopes);
    return scopes.every((scope) => verdicts[scope]?.allowed === true);
  }

  /**
   * What the handler says wins over what its controller says; null for a public one. Where neither says anything, a token suffices.
   * What is confirmed has a token to confirm, whatever is public around it.
   */
  #scopesOf(context: ExecutionContext): readonly Scope[] | null {
    let confirmed = false;
    for (const level of [context.getHandler(), context.getClass()]) {
      const scopes = this.reflector.get<Scope[] | undefined>(SCOPES, level);
      if (scopes) return scopes;
      confirmed ||= this.reflector.get<boolean | undefined>(CONFIRMED, level) === true;
      if (!confirmed && this.reflector.get<string | undefined>(PUBLIC, level) !== undefined) return null;
    }
    return [];
  }

  #isConfirmed(context: ExecutionContext): boolean {
    const levels = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<boolean | undefined>(CONFIRMED, levels) === true;
  }
}

/** The token of the one Authorization header. Of two, a proxy may have looked at the other. */
function bearerOf(request: Asked): string {
  const sent = (request.raw ?? request).rawHeaders ?? [];
  const [header = '', ...others] = sent.filter(
    (_, at) => sent[at - 1]?.toLowerCase() === 'authorization' && at % 2 === 1,
  );
  const [, token] = /^Bearer +([\w.-]+)$/i.exec(header) ?? [];
  if (token === undefined || others.length > 0) throw new InvalidTokenError();
  return token;
}
