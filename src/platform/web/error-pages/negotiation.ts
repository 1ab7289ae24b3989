import type { Request } from 'express';

const BROWSER_ROUTE = Symbol('browserRoute');
type Marked = Request & { [BROWSER_ROUTE]?: true };

/** Paths that only programs request. */
const DATA =
  /^\/(?:api(?:\/|$)|(?:healthz|readyz|metrics|\.well-known\/(?:jwks\.json|webauthn|passkey-endpoints))$)/;

/** Marks a request to a route of the API that browsers open, such as a callback. */
export function markAsBrowserRoute(request: Request): void {
  (request as Marked)[BROWSER_ROUTE] = true;
}

/** Tells whether the error of a request is a page for some clients. */
export function mayHavePage(request: Request): boolean {
  return (request as Marked)[BROWSER_ROUTE] === true || !DATA.test(request.path);
}

/** Tells whether a client prefers a page to a problem. A client that accepts anything gets JSON. */
export function prefersPage(request: Request): boolean {
  const preferred = request.accepts(['application/problem+json', 'application/json', 'text/html']);
  return preferred === 'text/html';
}
