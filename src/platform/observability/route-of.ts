import type { Request } from 'express';

/** The pattern of the route that answered, never the address that was asked for; `unmatched` where the request did not reach one. */
export function routeOf(request: Request): string {
  return (request.route as { path?: string } | undefined)?.path ?? 'unmatched';
}
