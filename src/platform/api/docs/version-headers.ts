import type { HeaderObject, ParameterObject } from '@nestjs/swagger';

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
