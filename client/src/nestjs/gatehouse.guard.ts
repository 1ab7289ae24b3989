import {
  Inject,
  Injectable,
  Logger,
  Optional,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Scope } from '../abilities.js';
import { type AuthenticationNeed, isSufficient } from '../authentication.js';
import { InvalidTokenError, ProtectedResource, Verifier, type AccessToken } from '../verifier/index.js';
import { API_SCOPES, CONFIRMED, PUBLIC, SCOPES, setCaller, SIGN_IN } from './decorators.js';
import { Denial, InsufficientSignIn, MissingTokenError, toHttpException } from './refusal.js';

/**
 * A request of Express, or of Fastify, which wraps that of Node.js. HTTP/1 and HTTP/2 both have
 * each header as it was sent, names and values alternating.
 */
interface IncomingRequest {
  readonly rawHeaders?: readonly string[];
  readonly raw?: IncomingRequest;
}

/** Requires a valid access token, except at public routes. Refuses by problem details. */
@Injectable()
export class GatehouseGuard implements CanActivate {
  readonly #log = new Logger('Gatehouse');

  constructor(
    @Inject(Verifier) private readonly verifier: Verifier,
    @Inject(Reflector) private readonly reflector: Reflector,
    @Optional() @Inject(ProtectedResource) private readonly resource: ProtectedResource | null = null,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return false;
    const scopes = this.#findScopes(context);
    if (scopes === null) return true;
    const http = context.switchToHttp();
    try {
      const token = await this.verifier.verify(readBearer(http.getRequest()));
      if (this.#isConfirmed(context)) await this.verifier.confirm(token);
      await this.#requireScopes(token, scopes);
      this.#requireApiScopes(token, context);
      this.#requireSignIn(token, context);
      setCaller(http.getRequest(), token);
      return true;
    } catch (error) {
      if (error instanceof InvalidTokenError) this.#log.debug(`Refused an access token: ${error.reason}.`);
      throw toHttpException(error, http.getResponse(), this.resource);
    }
  }

  /**
   * Checks the scopes of the token; asks Gatehouse if the token has no `scope` claim because it
   * would be too long.
   */
  async #requireScopes(token: AccessToken, scopes: readonly Scope[]): Promise<void> {
    if (scopes.length === 0) return;
    if (token.tenantId === null) throw new Denial('tenant_required', 'Select an organization first.', scopes);
    const held = token.scopes ?? (await this.#probe(token, scopes));
    const missing = scopes.filter((scope) => !held.has(scope));
    if (missing.length > 0)
      throw new Denial('scope_not_held', `You do not hold the permission ${missing.join(', ')}.`, scopes);
  }

  /** @throws {Error} for a route of an API that the module does not name: nothing may pass */
  #requireApiScopes(token: AccessToken, context: ExecutionContext): void {
    const levels = [context.getHandler(), context.getClass()];
    const scopes = this.reflector.getAllAndOverride<string[] | undefined>(API_SCOPES, levels);
    if (!scopes) return;
    if (!this.resource) throw new Error('@ProtectedResource needs `resource` of GatehouseModule.forRoot.');
    const missing = scopes.filter((scope) => token.scopes?.has(scope) !== true);
    if (missing.length > 0)
      throw new Denial('scope_not_held', `The token lacks the scope ${missing.join(', ')}.`, scopes);
  }

  /** Checked last: a person does not confirm who they are for what is refused anyway. */
  #requireSignIn(token: AccessToken, context: ExecutionContext): void {
    const levels = [context.getHandler(), context.getClass()];
    const need = this.reflector.getAllAndOverride<AuthenticationNeed | undefined>(SIGN_IN, levels);
    if (need && token.kind === 'service')
      throw new Denial('scope_not_held', 'This is for people. A service account cannot do it.');
    if (need && !isSufficient(token, need)) throw new InsufficientSignIn(need);
  }

  async #probe(token: AccessToken, scopes: readonly Scope[]): Promise<ReadonlySet<string>> {
    const verdicts = await this.verifier.can(token, null, scopes);
    return new Set(scopes.filter((scope) => verdicts[scope]?.allowed === true));
  }

  /**
   * Finds the required scopes: the handler's metadata override the controller's; none without
   * metadata, null for a public route. A route that is confirmed, or requires a sign-in of some
   * strength, requires a token, even in a public controller.
   */
  #findScopes(context: ExecutionContext): readonly Scope[] | null {
    let needsToken = false;
    for (const level of [context.getHandler(), context.getClass()]) {
      const scopes = this.reflector.get<Scope[] | undefined>(SCOPES, level);
      if (scopes) return scopes;
      needsToken ||= [CONFIRMED, SIGN_IN, API_SCOPES].some(
        (mark) => this.reflector.get<unknown>(mark, level) !== undefined,
      );
      if (!needsToken && this.reflector.get<string | undefined>(PUBLIC, level) !== undefined) return null;
    }
    return [];
  }

  #isConfirmed(context: ExecutionContext): boolean {
    const levels = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<boolean | undefined>(CONFIRMED, levels) === true;
  }
}

/**
 * Reads the token of the one Authorization header. Of two, a proxy may have looked at the other.
 * @throws {MissingTokenError} without a bearer token
 * @throws {InvalidTokenError} for two headers, or another spelling
 */
function readBearer(request: IncomingRequest): string {
  const sent = (request.raw ?? request).rawHeaders ?? [];
  const [header = '', ...others] = sent.filter(
    (_, at) => sent[at - 1]?.toLowerCase() === 'authorization' && at % 2 === 1,
  );
  if (others.length > 0) throw new InvalidTokenError('two Authorization headers');
  if (!/^Bearer\b/i.test(header)) throw new MissingTokenError();
  const [, token] = /^Bearer +([\w.-]+)$/i.exec(header) ?? [];
  if (token === undefined) throw new InvalidTokenError('not spelled as Bearer and one token');
  return token;
}
