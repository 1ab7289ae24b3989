import type { ErrorCode } from '../../errors/index.js';
import type { TagInfo } from '../tag.decorator.js';

/** A header that a handler always sets (`@Header`); a function where the value is only known then. */
export interface FixedHeader {
  readonly name: string;
  readonly value: string | (() => string);
}

/** Whose tokens a route takes; `anyone` where it needs none. */
export type RouteClients = 'anyone' | 'app' | 'app and satellites' | 'app and satellites with the scope';

/** What a route declares, as the documentation needs it. The route manifest provides it. */
export interface DocumentedRoute {
  readonly method: string;
  readonly path: string;
  /** `public: <why>`, `bearer`, or the scopes it asks for and on what. */
  readonly access: string;
  readonly clients: RouteClients;
  /** Maximum age of the caller's sign-in, in seconds; null for any. */
  readonly maxAge: number | null;
  readonly strictLimit: string | null;
  /** Takes from the read bucket whatever its method: it only asks. */
  readonly countsAsRead: boolean;
  /** The errors of its own (`@Problems`). */
  readonly problems: readonly ErrorCode[];
  readonly headers: readonly FixedHeader[];
  readonly tag: TagInfo | null;
}

/** Whether the rate limits count this route: everything under `/api/`. */
export function isMetered({ path }: Pick<DocumentedRoute, 'path'>): boolean {
  return path.startsWith('/api/');
}
