import { type ReflectableDecorator, Reflector } from '@nestjs/core';
import {
  type AbilityRegistry,
  findScopedAccess,
  isForMachines,
  isForPlatformAccounts,
  type ScopedAccess,
  SelectedTenantMark,
} from '../ability/index.js';
import { type SetupIntent, SetupLinkMark } from '../connection/index.js';
import { ByDirectory } from '../directory/index.js';
import {
  BearerMark,
  type BearerOptions,
  OpenTo,
  Public,
  type RouteCallers,
  type RouteClients,
} from '../platform/api/index.js';

/** What a route declares about its callers. */
export type RouteAccess =
  | { readonly kind: 'public'; readonly why: string }
  | BearerAccess
  | ScopedAccess
  /** Set-up links with one of these intents; any link if there is none. */
  | { readonly kind: 'setup-link'; readonly intents: readonly SetupIntent[] }
  /** Tokens of the directory that the path names. */
  | { readonly kind: 'directory' }
  | { readonly kind: 'undeclared' };

export interface BearerAccess extends BearerOptions {
  readonly kind: 'bearer';
  readonly callers: RouteCallers;
  /** Whether the handler acts in the selected tenant. */
  readonly usesTenant: boolean;
}

// The target of metadata is any function or class.
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
type Target = Function;

const known = new WeakMap<Target, RouteAccess>();
const reflector = new Reflector();

/** Reads the declaration, once per handler: the handler's own first, then its class's. */
export function accessOf(handler: Target, controller: Target): RouteAccess {
  let access = known.get(handler);
  if (!access) known.set(handler, (access = read(handler, controller)));
  return access;
}

function read(handler: Target, controller: Target): RouteAccess {
  const targets = [handler, controller];
  const findOf = <T>(decorator: ReflectableDecorator<T>): T | undefined =>
    reflector.getAllAndOverride(decorator, targets);
  const scoped = findScopedAccess(handler, controller);
  if (scoped) return scoped;
  const why = findOf(Public);
  if (why !== undefined) return { kind: 'public', why };
  const intents = findOf(SetupLinkMark);
  if (intents) return { kind: 'setup-link', intents };
  if (findOf(ByDirectory)) return { kind: 'directory' };
  const bearer = findOf(BearerMark);
  const callers = findOf(OpenTo) ?? 'people';
  if (!bearer?.clients) return { kind: 'undeclared' };
  return { kind: 'bearer', callers, ...bearer, usesTenant: findOf(SelectedTenantMark) === true };
}

/** One line for a reviewer. */
export function describeAccess(access: RouteAccess): string {
  if (access.kind === 'public') return `public: ${access.why}`;
  if (access.kind === 'setup-link') return ['set-up link', ...access.intents].join(' ');
  if (access.kind === 'directory') return 'token of the directory';
  if (access.kind === 'bearer' || access.kind === 'undeclared') return access.kind;
  const { scopes, subject, tenant } = access;
  const subjectPart = subject === undefined ? '' : ` on :${subject}`;
  const tenantPart = tenant === undefined ? '' : ` in tenant :${tenant}`;
  return `${scopes.join(' ')}${subjectPart}${tenantPart}`;
}

/**
 * Kinds of callers that a route takes; a public route does not look at its caller. A route with
 * scopes takes those who can hold them, so that it agrees with the permission check.
 */
export function callersOf(access: RouteAccess, abilities: AbilityRegistry): RouteCallers {
  if (access.kind === 'bearer') return access.callers;
  const { scopes } = access.kind === 'scopes' ? access : { scopes: [] };
  const found = scopes.map((scope) => abilities.find(scope));
  const takesPrograms = found.every(isForMachines) || found.every(isForPlatformAccounts);
  return takesPrograms ? 'people and machines' : 'people';
}

/**
 * Whose tokens a route takes. A satellite needs each of the scopes, and none of them may be for our
 * own app alone.
 */
export function clientsOf(access: RouteAccess, abilities: AbilityRegistry): RouteClients {
  if (access.kind === 'public') return 'anyone';
  if (access.kind === 'setup-link') return 'set-up links';
  if (access.kind === 'directory') return 'directories';
  if (access.kind !== 'scopes') return access.kind === 'bearer' ? access.clients : 'app';
  const firstParty = access.scopes.some((scope) => abilities.find(scope)?.firstParty === true);
  return firstParty ? 'app' : 'app and satellites with the scope';
}
