import type { SchemaObject } from '@nestjs/swagger';
import type { ErrorCode } from '../../errors/index.js';
import { ULID_PATTERN } from '../../../kernel/index.js';

const sentence = (max: number) => ({ type: 'string', pattern: '\\S', maxLength: max });

const MEMBERS: Record<string, SchemaObject> = {
  type: {
    type: 'string',
    format: 'uri-reference',
    pattern: '^/errors/[a-z-]+$',
    maxLength: 100,
    description: 'Which error this is. React to this; the path opens a page that explains it.',
    examples: ['/errors/not-found'],
  },
  title: { ...sentence(100), description: 'Its name, for people.', examples: ['Not Found'] },
  status: {
    type: 'integer',
    format: 'int32',
    minimum: 400,
    maximum: 599,
    description: 'The HTTP status.',
    examples: [404],
  },
  detail: {
    ...sentence(1_000),
    description: 'What happened, for people.',
    examples: ['There is nothing here.'],
  },
  instance: {
    type: 'string',
    format: 'uri',
    pattern: `^urn:request:${ULID_PATTERN.slice(1)}`,
    maxLength: 38,
    description: 'This occurrence: the id that `X-Request-Id` carries as well.',
    examples: ['urn:request:01K3V9D7Q8Z4X5N6M7P8R9S0T4'],
  },
};

/** Members that some problems have. */
const OPTIONAL: Record<string, SchemaObject> = {
  code: {
    type: 'string',
    pattern: '^[a-z_]+$',
    maxLength: 50,
    description:
      'Why an ability was denied, from a closed list: the code that the probe gives for the same question. With `detail` as its reason.',
    examples: ['subject_not_found'],
  },
  maxAge: {
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'With `insufficient-user-authentication`: how old the sign-in may be, in seconds.',
    examples: [600],
  },
  methods: {
    type: 'array',
    maxItems: 10,
    items: { type: 'string', pattern: '^[a-z_]+$', maxLength: 50 },
    description:
      'With `insufficient-user-authentication`: by which methods this person can confirm with `step-up`. Empty where only a new external sign-in does. Methods may be added.',
    examples: [['password']],
  },
};

const VIOLATION: SchemaObject = {
  type: 'object',
  required: ['propertyPath', 'message'],
  properties: {
    propertyPath: {
      type: 'string',
      pattern: '^[^\\s]*$',
      maxLength: 70_000,
      description:
        'The JSON field, `scopes[3]` for an item of a list; empty where it is the body as a whole.',
      examples: ['email'],
    },
    message: {
      ...sentence(1_000),
      description: 'What would be right.',
      examples: ['must be an e-mail address'],
    },
  },
};

/** The bodies of errors (RFC 9457). */
export const PROBLEM_SCHEMAS: Readonly<Record<string, SchemaObject>> = {
  Problem: {
    type: 'object',
    description: 'Problem details by RFC 9457. Members that are not listed here may be added.',
    required: Object.keys(MEMBERS),
    properties: { ...MEMBERS, ...OPTIONAL },
  },
  ValidationProblem: {
    type: 'object',
    description: 'The problem of a request that is not valid: one violation for each field that is wrong.',
    required: [...Object.keys(MEMBERS), 'violations'],
    properties: {
      ...MEMBERS,
      violations: {
        type: 'array',
        minItems: 1,
        maxItems: 1_000,
        items: { $ref: '#/components/schemas/Violation' },
      },
    },
  },
  Violation: VIOLATION,
};

/** Errors with members of their own. */
const SCHEMA_OF: Partial<Record<ErrorCode, string>> = { 'validation-error': 'ValidationProblem' };

/** The name of the schema that an error's body follows. */
export function problemSchemaOf(code: ErrorCode): string {
  return SCHEMA_OF[code] ?? 'Problem';
}
