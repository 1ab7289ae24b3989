import type { HeaderObject, ReferenceObject } from '@nestjs/swagger';
import { ULID_PATTERN } from '../../../kernel/index.js';

/** The year 9999: a bound that no client has to think about. */
const LAST_SECOND = 253_402_300_799;

const count = (max: number) => ({ type: 'integer', format: 'int64', minimum: 0, maximum: max });

/** The headers that the answers share, as components. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'Names this request in our log. Quote it when you report a problem.',
    required: true,
    schema: { type: 'string', pattern: ULID_PATTERN, minLength: 26, maxLength: 26 },
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T4',
  },
  'X-RateLimit-Limit': {
    description: 'Size of the bucket: of the one with fewer tokens left, where two are asked.',
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
    description: 'Unix second in which the next token becomes free; now, when the bucket is full.',
    required: true,
    schema: count(LAST_SECOND),
    example: 1_795_251_600,
  },
  'Access-Control-Allow-Origin': {
    description: 'The `Origin` of the request, where this deployment allows it; absent otherwise.',
    schema: { type: 'string', format: 'uri', maxLength: 300 },
    example: 'https://app.example.org',
  },
  'Access-Control-Allow-Credentials': {
    description:
      'To an `Origin` that this deployment allows, whether or not it binds sign-ins to their browser by a cookie; absent otherwise.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Cache-Control': {
    description: 'An answer is never to be stored, unless its operation says otherwise.',
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
      'RFC 6750: `error="invalid_token"` where a token was presented and is not valid (any more). RFC 9470: `error="insufficient_user_authentication"` where the sign-in is too old.',
    required: true,
    schema: {
      type: 'string',
      pattern:
        '^Bearer (realm="gatehouse"(, error="invalid_token")?|error="insufficient_user_authentication", max_age="[0-9]+")$',
      maxLength: 100,
    },
    example: 'Bearer realm="gatehouse", error="invalid_token"',
  },
  Allow: {
    description: 'The methods that the path takes.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$', maxLength: 100 },
    example: 'GET, PATCH, HEAD, OPTIONS',
  },
} as const satisfies Record<string, HeaderObject & { schema: object }>;

type HeaderName = keyof typeof HEADERS;

const RATE_LIMIT: readonly HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** What the headers of an answer depend on, beside its status. */
export interface AnswerKind {
  /** Whether the rate limits count it. */
  readonly metered: boolean;
  /** Whether pages of other origins may ask with their cookies. */
  readonly credentials: boolean;
}

/** References to the headers that an answer carries; `further` beside those of every answer. */
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
