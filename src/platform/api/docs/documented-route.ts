import type { AuthenticationNeed } from '../../../kernel/index.js';
import type { ErrorCode } from '../../errors/index.js';
import type { CrossOrigin } from '../browser.decorator.js';
import type { TagInfo } from '../documentation.decorator.js';

/** Header that a handler always sets (`@Header`); a function if the value is known per request. */
export interface FixedHeader {
  readonly name: string;
  readonly value: string | (() => string);
}

/** Clients whose tokens a route accepts; `anyone` if it requires none, or links in their place. */
export type RouteClients =
  | 'anyone'
  | 'app'
  | 'app and satellites'
  | 'app and satellites with the scope'
  | 'openid clients'
  | 'set-up links'
  | 'directories';

/** Declarations of a route, for the API documentation. The route manifest provides them. */
export interface DocumentedRoute {
  readonly method: string;
  readonly path: string;
  /** `public: <why>`, `bearer`, or the required scopes and their subject. */
  readonly access: string;
  readonly clients: RouteClients;
  /** How recent and strong the caller's sign-in has to be: by the route, or by each scope. */
  readonly needs: readonly AuthenticationNeed[];
  readonly strictLimit: string | null;
  /** Whether the rate limit counts it in the `read` bucket for every method. */
  readonly countsAsRead: boolean;
  /** Whether it creates something (`@Creates`). */
  readonly creates: boolean;
  /** Whether its response has an `ETag` (`@Versioned`). */
  readonly versioned: boolean;
  /** Whether it takes `If-Match` (`@IfMatch`). */
  readonly conditional: boolean;
  /** Whether it will go (`@Deprecated`). */
  readonly deprecated: boolean;
  /** How pages of other origins may call its path; null for the usual. */
  readonly crossOrigin: CrossOrigin | null;
  /** Errors specific to the operation (`@Problems`). */
  readonly problems: readonly ErrorCode[];
  readonly headers: readonly FixedHeader[];
  readonly tag: TagInfo | null;
}

/** Checks whether the rate limits count a route: all below `/api/`, `/oauth2/` and `/access/`. */
export function isMetered({ path }: Pick<DocumentedRoute, 'path'>): boolean {
  return /^\/(?:api|oauth2|access)\//.test(path);
}
