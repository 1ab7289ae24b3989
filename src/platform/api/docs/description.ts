import { readSettings } from '../../config/index.js';
import { STRICT_BUCKET_NAMES, STRICT_BUCKETS } from '../../../kernel/index.js';
import type { DocumentedRoute } from './documented-route.js';

/** Headers that every answer carries with a fixed value: the same everywhere, so they are listed once and not at each answer. */
export const FIXED_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Expose-Headers':
    'X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset,Retry-After,X-Request-Id,WWW-Authenticate',
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

/**
 * What a client developer has to know once, before the operations.
 * @param routes the routes of the service, whose buckets it lists
 */
export const describeApi = (
  routes: readonly DocumentedRoute[],
): string => `Gatehouse knows who is calling, keeps their sessions, and says what they may do.

## Sign in

Register, open the link in the mail (\`verify-email\`), then \`login\`. It gives an access token for ten minutes and a refresh token.
Send the access token as \`Authorization: Bearer <token>\`. When it has expired, \`refresh\` gives the next pair. Two tabs that refresh
at once, or an answer that got lost, do no harm: within half a minute the same refresh token gives the same successor. Presented later, a used refresh
token is taken for stolen and ends the session.

A logout, a new password and an erased account end sessions everywhere: the next request with any of their tokens is 401. Other services verify access tokens
offline with \`/.well-known/jwks.json\` (ES256; pin the algorithm, \`typ: at+jwt\`, \`iss\` and \`aud\`).

## Bodies

JSON in UTF-8, at most 64 KiB and 32 levels, no key twice. Properties that nobody asked for are ignored; wrong types are errors and never converted. Be as lenient:
answers may gain properties. Ids are ULIDs, moments are RFC 3339 in UTC. A list is \`{"items": [...], "nextCursor": null}\`; where \`nextCursor\` is not null,
pass it as \`?cursor=\` for the next page (\`?limit=\` at most 100).

## Errors

Everything outside 2xx and 3xx is \`application/problem+json\` (RFC 9457). Decide by \`type\`; show \`detail\` to people. Each \`type\` is a path that a browser can open.
A 400 names every wrong field in \`violations\`. \`instance\` and \`X-Request-Id\` carry the same id: quote it when you report a problem.
A 401 \`unauthenticated\` asks you to refresh or sign in; \`insufficient-user-authentication\` asks the person to confirm who they are with \`step-up\` (RFC 9470), then send the request again; a 503 never means that you are signed out, so wait for \`Retry-After\` and go on.

A path that does not exist is 404 (401 without a token, outside the public paths); a method that it does not take is 405 with \`Allow\`. Every path that takes
GET takes HEAD as well, and OPTIONS is answered everywhere. What cannot be read as a request is 400, what takes too long to arrive 408, too large a header 431.

## Rate limits

Token buckets that refill evenly over a minute. Every answer under \`/api/\` carries \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\`; a 429 carries \`Retry-After\`
in seconds. The sizes are the defaults; the headers tell those of this deployment.

${bucketTable(routes)}

## Headers of every answer

Beside those listed at each answer, with these values (\`Strict-Transport-Security\` over https alone, and a preflight adds to \`Vary\`):

| header | value |
| --- | --- |
${Object.entries(FIXED_HEADERS)
  .map(([name, value]) => `| \`${name}\` | \`${value}\` |`)
  .join('\n')}
`;

function bucketTable(routes: readonly DocumentedRoute[]): string {
  const sizes = readSettings({});
  const rows = STRICT_BUCKET_NAMES.map((bucket) => {
    const paths = routes.filter(({ strictLimit }) => strictLimit === bucket).map(({ path }) => path);
    const listed = paths.map((path) => `\`${path.replace('/api/v1/iam/', '')}\``).join(', ');
    return `| \`${bucket}\` (${listed}) | client address | ${sizes[STRICT_BUCKETS[bucket]]} |`;
  });
  return `| bucket | counts by | per minute |
| --- | --- | --- |
| \`read\` (GET, HEAD, OPTIONS) | identity with a valid token, else client address | ${sizes.RATE_READ} |
| \`write\` (the rest) | the same | ${sizes.RATE_WRITE} |
${rows.join('\n')}`;
}
