import { applyDecorators, type CustomDecorator, Header } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AuthenticationNeed } from '../../kernel/index.js';
import { AnyQuery } from './query.js';

/**
 * Opens a route to callers without an access token: `@Public('why')`, with the reason for reviewers
 * of the route manifest.
 */
export const Public = Reflector.createDecorator<string>();

/** Opens metadata, which clients cache for five minutes. @param why it is public */
export const PublicMetadata = (why: string) =>
  applyDecorators(Public(why), AnyQuery('a document'), Header('Cache-Control', 'public, max-age=300'));

/**
 * Clients whose tokens a route accepts: the first-party client alone, satellites as well, or
 * clients of OpenID Connect alone. Their tokens are limited to the scopes that were asked for.
 */
export type BearerClients = 'app' | 'app and satellites' | 'openid clients';

/**
 * Callers that a route accepts. An authentication that is older than `maxAge`, or weaker than
 * `acr`, is refused with 401 `insufficient-user-authentication` (RFC 9470).
 */
export interface BearerOptions extends BearerNeed {
  readonly clients: BearerClients;
}

interface BearerNeed extends AuthenticationNeed {
  /**
   * Also for an operator who acts as the person. Without it such a caller may read, unless the
   * route needs a recent or strong sign-in, and changes nothing.
   */
  readonly impersonation?: true;
  /**
   * For a session for which only an organization's connection has vouched (ADR 49), which may
   * otherwise read, unless the route needs a recent or strong sign-in, and changes nothing.
   * `if-available`: also for a person who has nothing of their own. `by-handler`: the handler asks,
   * where the connection's organization ends.
   */
  readonly ownProof?: 'if-available' | 'by-handler';
  /**
   * Whether a person at a shared station may call it, although it is for the app. Their recent
   * sign-in then counts as it is. Default: false.
   */
  readonly stations?: true;
}

/** Metadata of {@link Bearer}. */
export const BearerMark = Reflector.createDecorator<BearerOptions>();

/**
 * Declares that any authenticated user may call the route, which acts on the caller's own data
 * only.
 * @param clients `app` for routes that change credentials, accounts or sessions, and for those that
 *   satellites do not need
 */
export function Bearer(clients: BearerClients, need: BearerNeed = {}): CustomDecorator {
  return BearerMark({ ...need, clients });
}

/** Kinds of callers that a route takes. */
export type RouteCallers = 'people' | 'machines' | 'people and machines';

/**
 * Declares the kinds of callers of a route without scopes. Without it, such a route is for people:
 * a service account gets 403. A route with scopes takes those who can hold them.
 */
export const OpenTo = Reflector.createDecorator<RouteCallers>();

/** Metadata of {@link CountsAsRead}. */
export const CountsAsReadMark = Reflector.createDecorator<true>();

/** Marks a POST that changes nothing: the rate limit counts it in the `read` bucket. */
export function CountsAsRead(): CustomDecorator {
  return CountsAsReadMark(true);
}
