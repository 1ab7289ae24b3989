import type { HeaderObject, ParameterObject, ReferenceObject } from '@nestjs/swagger';
import { IDEMPOTENCY_KEY_PATTERN, ULID_PATTERN } from '../../../kernel/index.js';

/** End of the year 9999 in Unix seconds: an upper bound for the schema. */
const LAST_SECOND = 253_402_300_799;

const count = (max: number) => ({ type: 'integer', format: 'int64', minimum: 0, maximum: max });

/** Headers shared by the responses, as components of the document. */
export const HEADERS = {
  'X-Request-Id': {
    description: "Id of this request in the service's log. Quote it when you report a problem.",
    required: true,
    schema: { type: 'string', pattern: ULID_PATTERN, minLength: 26, maxLength: 26 },
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T4',
  },
  'X-RateLimit-Limit': {
    description: 'Size of the bucket; if two apply, of the one with fewer tokens left.',
    required: true,
    schema: count(1_000_000_000),
    example: 100,
  },
  'X-RateLimit-Remaining': {
    description: 'Tokens left in that bucket.',
    required: true,
    schema: count(1_000_000_000),
    example: 99,
  },
  'X-RateLimit-Reset': {
    description: 'Unix second of the next refill by one token; now, if the bucket is full.',
    required: true,
    schema: count(LAST_SECOND),
    example: 1_795_251_600,
  },
  'Access-Control-Allow-Origin': {
    description:
      '`Origin` of the request, if this deployment allows it; absent otherwise. `*` at the endpoints of OAuth that take no cookie.',
    schema: { type: 'string', pattern: '^(?:\\*|https?://[^/\\s]+)$', maxLength: 300 },
    example: 'https://app.example.org',
  },
  'Access-Control-Allow-Credentials': {
    description:
      'Present for an `Origin` that this deployment allows, whether or not it binds sign-ins to a browser by a cookie; absent otherwise.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Cache-Control': {
    description: 'Responses must not be stored, unless the operation says otherwise.',
    required: true,
    schema: { type: 'string', enum: ['no-store'] },
    example: 'no-store',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    required: true,
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 86_400 },
    example: 2,
  },
  'WWW-Authenticate': {
    description:
      'RFC 6750: `error="invalid_token"` if a token was presented and is not valid. RFC 9470: `error="insufficient_user_authentication"` if the sign-in is too old. RFC 9728: `resource_metadata` names the metadata of the API. Basic where a client authenticates itself, with the error of the body.',
    required: true,
    schema: {
      type: 'string',
      pattern:
        '^Bearer (realm="gatehouse"(, error="invalid_token")?(, resource_metadata="[^"]+")?|error="insufficient_user_authentication"(, acr_values="(aal2|phr)")?(, max_age="[0-9]+")?)$|^Basic realm="Gatehouse"(, error="invalid_client", error_description="[^"\\\\]+")?$',
      maxLength: 1_000,
    },
    example: 'Bearer realm="gatehouse", error="invalid_token"',
  },
  Allow: {
    description: 'Methods that the path supports.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$', maxLength: 100 },
    example: 'GET, PATCH, HEAD, OPTIONS',
  },
} as const satisfies Record<string, HeaderObject & { schema: object }>;

type HeaderName = keyof typeof HEADERS;

const RATE_LIMIT: readonly HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** What the headers of a response depend on, apart from its status. */
export interface AnswerKind {
  /** Whether the rate limits count the request. */
  readonly metered: boolean;
  /** Whether pages of other origins may send cookies with the request. */
  readonly credentials: boolean;
}

/**
 * Returns references to the headers of a response.
 * @param further headers in addition to those of every response
 */
export function headersOf(
  { metered, credentials }: AnswerKind,
  further: readonly HeaderName[] = [],
): Record<string, ReferenceObject> {
  const names: HeaderName[] = [
    'X-Request-Id',
    'Cache-Control',
    ...(metered ? RATE_LIMIT : []),
    'Access-Control-Allow-Origin',
    ...(credentials ? (['Access-Control-Allow-Credentials'] as const) : []),
    ...further,
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Request header of operations that create something. */
export const IDEMPOTENCY_KEY: ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request repeatable: for 24 hours, the same request with the same key gets the same response and creates nothing again. Use a new random key for each new request.',
  schema: {
    type: 'string',
    minLength: 8,
    maxLength: 255,
    pattern: IDEMPOTENCY_KEY_PATTERN,
  },
  example: '0b5e2c1e-8f5b-4b0e-9a53-2f8e5d3a7c11',
};

/** Response headers of operations that create something. */
export const CREATED_HEADERS: Readonly<Record<string, HeaderObject>> = {
  Location: {
    description: 'Path of what was created.',
    required: true,
    schema: { type: 'string', format: 'uri-reference', maxLength: 300 },
    example: '/api/v1/iam/tenants/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
  },
  'Idempotency-Replayed': {
    description: 'Present if this is the response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
};

const EXAMPLE = '"q3Jx0cX1kXyI5V0tC8mG2rT7bZn"';

/** Request header of operations that change something. */
export const IF_MATCH: ParameterObject = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the resource as it was read. The operation is 412 if the resource has changed since.',
  schema: {
    type: 'string',
    maxLength: 1000,
    pattern: String.raw`^(\*|(W/)?"[^"]*"( *, *(W/)?"[^"]*")*)$`,
  },
  example: EXAMPLE,
};

/** Response header of what can be changed. */
export const ETAG_HEADER: Readonly<Record<string, HeaderObject>> = {
  ETag: {
    description: 'Strong entity tag of the body, for `If-Match`.',
    required: true,
    schema: { type: 'string', maxLength: 29, pattern: '^"[A-Za-z0-9_-]{27}"$' },
    example: EXAMPLE,
  },
};
