import type { HeaderObject, ParameterObject } from '@nestjs/swagger';
import { IDEMPOTENCY_KEY_PATTERN } from '../../../kernel/index.js';

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
