import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  AbilityService,
  AuthenticationCheck,
  denialError,
  denyByState,
  forbid,
  RouteQuestions,
  SignInCheck,
} from '../ability/index.js';
import { AppError } from '../platform/errors/index.js';
import { authenticationOf, bearerOf } from '../platform/web/index.js';
import {
  FIRST_PARTY_CLIENT,
  NOT_FOR_MACHINES,
  NOT_FOR_PEOPLE,
  NOT_FOR_SATELLITES,
  type PersonPrincipal,
  type Principal,
  READS,
} from '../kernel/index.js';
import { setSetupLink, SetupLinks } from '../connection/index.js';
import { DirectoryAccess } from '../directory/index.js';
import type { BearerClients, BearerOptions, RouteCallers } from '../platform/api/index.js';
import { accessOf, type BearerAccess } from './route-access.js';

/** Enforces the declared access of each route. A route without a declaration is denied (403). */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly abilities: AbilityService,
    private readonly authentication: AuthenticationCheck,
    private readonly signIns: SignInCheck,
    private readonly questions: RouteQuestions,
    private readonly setupLinks: SetupLinks,
    private readonly directories: DirectoryAccess,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = accessOf(context.getHandler(), context.getClass());
    if (access.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<Request>();
    if (access.kind === 'setup-link') {
      setSetupLink(request, await this.setupLinks.authenticate(bearerOf(request), access.intents));
      return true;
    }
    if (access.kind === 'directory') {
      await this.directories.authenticate(request, context.switchToHttp().getResponse<Response>());
      return true;
    }
    const authentication = authenticationOf(request);
    if (authentication.principal === null) throw authentication.refusal;
    const { principal } = authentication;
    if (access.kind === 'undeclared') throw new AppError('forbidden');
    if (access.kind === 'bearer') {
      requireKind(access.callers, principal);
      if (principal.kind === 'machine') return true;
      requireClient(access.clients, principal);
      requirePerson(access, principal, request.method);
      if (principal.stationId !== undefined && access.clients === 'app') {
        if (!access.stations) throw denialError(denyByState(forbid('ability.station')));
        const { maxAge } = access;
        if (maxAge !== undefined) await this.authentication.require(principal, { maxAge });
        return true;
      }
      const { ownProof } = access;
      if (ownProof !== 'by-handler' && asksOwnProof(access, request.method)) {
        const tenantId = access.usesTenant ? principal.tenantId : null;
        await this.authentication.requireOwnProof(principal, tenantId, ownProof);
      }
      if (access.usesTenant && principal.tenantId !== null)
        await this.signIns.require(principal, principal.tenantId);
      if (access.maxAge !== undefined || access.acr !== undefined)
        await this.authentication.require(principal, access);
      return true;
    }
    await this.abilities.require(principal, this.questions.of(access, request));
    return true;
  }
}

/** A machine has no sign-in, session or password; what is for machines, no person can use. */
function requireKind(callers: RouteCallers, { kind }: Principal): void {
  if (kind === 'machine' && callers === 'people')
    throw new AppError('forbidden', { detail: NOT_FOR_MACHINES });
  if (kind === 'person' && callers === 'machines')
    throw new AppError('forbidden', { detail: NOT_FOR_PEOPLE });
}

/**
 * An operator who acts as the person reads what the person does, and changes nothing of the
 * person's own: credentials, sessions, codes for clients, other organizations.
 */
function requirePerson(
  { impersonation, maxAge, acr }: BearerOptions,
  { actorId }: PersonPrincipal,
  method: string,
): void {
  if (actorId === undefined || impersonation) return;
  const needsProof = maxAge !== undefined || acr !== undefined;
  if (needsProof || !READS.has(method)) throw denialError(denyByState(forbid('ability.impersonation')));
}

/**
 * Returns whether a route asks for a proof of the person's own: what changes what is the person's,
 * or needs a recent or strong sign-in.
 */
function asksOwnProof({ clients, maxAge, acr }: BearerAccess, method: string): boolean {
  return maxAge !== undefined || acr !== undefined || (clients === 'app' && !READS.has(method));
}

/**
 * Third-party clients must not change credentials, sessions or the account of the person. A token
 * of OpenID Connect opens what its scopes name, and nothing that every signed-in person may do.
 */
function requireClient(clients: BearerClients, { clientId, grantedScopes }: PersonPrincipal): void {
  if (clients === 'app' && clientId !== FIRST_PARTY_CLIENT)
    throw new AppError('forbidden', { detail: NOT_FOR_SATELLITES });
  if (clients === 'openid clients' && !grantedScopes)
    throw new AppError('forbidden', { detail: 'The access token is not one of OpenID Connect.' });
  if (clients === 'app and satellites' && grantedScopes)
    throw new AppError('forbidden', { detail: 'A token of OpenID Connect opens what its scopes name only.' });
}
