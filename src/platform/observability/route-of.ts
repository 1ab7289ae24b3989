import type { Request } from 'express';

const NAME = Symbol('routeName');
type Named = Request & { [NAME]?: string };

/** Names a request that is answered outside the routes, for log, metrics and traces. */
export function nameRoute(request: Request, name: string): void {
  (request as Named)[NAME] = name;
}

/**
 * @returns the pattern of the matched route, never the requested path; `unmatched` without a route
 */
export function routeOf(request: Request): string {
  return (request.route as { path?: string } | undefined)?.path ?? (request as Named)[NAME] ?? 'unmatched';
}

/** Paths that the orchestrator requests every few seconds. */
const PROBES = new Set(['/healthz', '/readyz']);

/** Checks for a probe of the orchestrator, which is neither logged nor traced. */
export function isProbe(request: Request): boolean {
  return PROBES.has(request.url);
}
