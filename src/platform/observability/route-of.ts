import type { Request } from 'express';

const NAME = Symbol('routeName');
type Named = Request & { [NAME]?: string };

/** Gives a request that no route answers the name of what does. */
export function nameRoute(request: Request, name: string): void {
  (request as Named)[NAME] = name;
}

/** The pattern of the route that answered, never the address that was asked for; `unmatched` where the request did not reach one. */
export function routeOf(request: Request): string {
  return (request.route as { path?: string } | undefined)?.path ?? (request as Named)[NAME] ?? 'unmatched';
}

/** Asked every few seconds by the orchestrator. */
const PROBES = new Set(['/healthz', '/readyz']);

/** Whether nobody wants to hear of the request. */
export function isProbe(request: Request): boolean {
  return PROBES.has(request.url);
}
