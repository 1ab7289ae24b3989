import type { CustomDecorator } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** Metadata of {@link BrowserRoute}. */
export const BrowserRouteMark = Reflector.createDecorator<true>();

/** Marks a route of the API that browsers open: its errors are pages for them. */
export function BrowserRoute(): CustomDecorator {
  return BrowserRouteMark(true);
}

/**
 * How pages of other origins may call a path: `open` from any origin, `credentialed` with cookies
 * from the configured ones.
 */
export type CrossOrigin = 'open' | 'credentialed';

/** Metadata of {@link Open} and {@link Credentialed}, for every method of the path. */
export const CrossOriginMark = Reflector.createDecorator<CrossOrigin>();

/**
 * Lets single-page apps of any origin call a path: it takes no cookie, and acts only by what the
 * request itself proves.
 */
export function Open(): CustomDecorator {
  return CrossOriginMark('open');
}

/**
 * Lets pages of the configured origins call a path with credentials, because it sets the cookie
 * that binds a flow to its browser. The portal's cookies are for its own origin only.
 */
export function Credentialed(): CustomDecorator {
  return CrossOriginMark('credentialed');
}

/** Response headers that pages of other origins may read (CORS). */
export const EXPOSED_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
  'WWW-Authenticate',
  'DPoP-Nonce',
  'Location',
  'Idempotency-Replayed',
  'ETag',
  'Deprecation',
  'Sunset',
  'Link',
];
