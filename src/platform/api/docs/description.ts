import { readSettings, type Settings } from '../../config/index.js';
import { EXPOSED_HEADERS } from '../browser.decorator.js';
import type { DocumentedRoute } from './documented-route.js';

/** Headers of every response with a fixed value, documented once and not at each response. */
export const FIXED_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(','),
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  Vary: 'Origin',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
};

/** Strict bucket in the table of rate limits. */
export interface DocumentedBucket {
  readonly name: string;
  sizeIn(settings: Settings): number | null;
}

/**
 * Returns the introduction of the API documentation.
 * @param routes routes that take from the strict buckets
 */
export const describeApi = (
  routes: readonly DocumentedRoute[],
  buckets: readonly DocumentedBucket[],
): string => `Gatehouse authenticates users, manages their sessions and decides what they may do.

## Sign in

Register, open the link in the mail (\`verify-email\`), then \`login\`. It returns an access token, valid for ten minutes, and a refresh token.
Send the access token as \`Authorization: Bearer <token>\`. After it expires, \`refresh\` returns the next pair. Concurrent refreshes and lost
responses are safe: within half a minute the same refresh token returns the same successor. If it is presented later, it
is treated as stolen, and the session ends.

Logout, a new password and the erasure of an account end sessions on all devices: the next request with any of their tokens is 401. Other services verify access tokens
offline with \`/.well-known/jwks.json\` (ES256; pin the algorithm, \`typ: at+jwt\`, \`iss\` and \`aud\`).

## Bodies

JSON in UTF-8, at most 64 KiB and 32 levels, without duplicate keys. Unknown properties are ignored; wrong types are errors and never converted. Ignore unknown
properties of responses as well: they may be added. Ids are ULIDs, times are RFC 3339 in UTC. A list is \`{"items": [...], "nextCursor": null}\`; if \`nextCursor\` is not null,
pass it as \`?cursor=\` for the next page (\`?limit=\` at most 100).

An unknown or repeated query parameter is 400, so that a misspelled one does not go unnoticed. Callbacks of identity providers and pages ignore unknown ones.

## Errors

Every response outside 2xx and 3xx is \`application/problem+json\` (RFC 9457). Decide by \`type\`; show \`detail\` to people. Each \`type\` is a path that a browser can open.
A 400 names every invalid field in \`violations\`. \`instance\` and \`X-Request-Id\` carry the same id: quote it when you report a problem.
After a 401 \`unauthenticated\`, refresh or sign in. After \`insufficient-user-authentication\`, let the user confirm with \`step-up\` (RFC 9470), then repeat the request. A 503 never means that the user is signed out: wait as long as \`Retry-After\` says, then repeat the request.

An unknown path is 404 (401 without a token, outside the public paths); an unsupported method is 405 with \`Allow\`. Every path that supports
GET supports HEAD as well, and every path supports OPTIONS. An unreadable request is 400, one that takes too long to arrive 408, too large a header 431.

## Rate limits

Token buckets that refill evenly over a minute. Every response under \`/api/\` carries \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\`; a 429 carries \`Retry-After\`
in seconds. The sizes below are the defaults; the headers show those of this deployment.

${bucketTable(routes, buckets)}

## Headers of every response

In addition to those listed at each response (\`Strict-Transport-Security\` over https only; a preflight adds to \`Vary\`):

| header | value |
| --- | --- |
${Object.entries(FIXED_HEADERS)
  .map(([name, value]) => `| \`${name}\` | \`${value}\` |`)
  .join('\n')}
`;

function bucketTable(routes: readonly DocumentedRoute[], buckets: readonly DocumentedBucket[]): string {
  const sizes = readSettings({});
  const rows = buckets.map((bucket) => {
    const paths = routes.filter(({ strictLimit }) => strictLimit === bucket.name).map(({ path }) => path);
    const listed = [...new Set(paths)].map((path) => `\`${path.replace('/api/v1/iam/', '')}\``).join(', ');
    return `| \`${bucket.name}\` (${listed}) | client address | ${bucket.sizeIn(sizes)} |`;
  });
  return `| bucket | counted per | per minute |
| --- | --- | --- |
| \`read\` (GET, HEAD, OPTIONS) | identity with a valid token, else client address | ${sizes.RATE_READ} |
| \`write\` (other methods) | identity with a valid token, else client address | ${sizes.RATE_WRITE} |
${rows.join('\n')}`;
}
