import type { ExampleObject, ReferenceObject, ResponseObject } from '@nestjs/swagger';
import { type ErrorCode, errorRow } from '../../errors/index.js';
import { problemSchemaOf } from './problem-schema.js';
import { type AnswerKind, HEADERS, headersOf } from './standard-headers.js';

const INSTANCE = 'urn:request:01K3V9D7Q8Z4X5N6M7P8R9S0T4';

/** Further headers of a status. */
const HEADERS_OF_STATUS: Readonly<Record<number, readonly (keyof typeof HEADERS)[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const VIOLATIONS = {
  'wrong fields': [
    { propertyPath: 'email', message: 'must be an email address' },
    {
      propertyPath: 'firstName',
      message: 'must be a text of 1 to 100 characters without control characters, and not blank',
    },
  ],
  'unreadable body': [{ propertyPath: '', message: 'The body is not valid JSON.' }],
};

function problemExample(code: ErrorCode, more: object = {}): ExampleObject {
  const { title, status, detail } = errorRow(code);
  return {
    summary: title,
    value: { type: `/errors/${code}`, title, status, detail, instance: INSTANCE, ...more },
  };
}

function examplesOf(code: ErrorCode): Record<string, ExampleObject> {
  if (code !== 'validation-error') return { [code]: problemExample(code, errorRow(code).example) };
  return Object.fromEntries(
    Object.entries(VIOLATIONS).map(([name, violations]) => [
      name.replaceAll(' ', '-'),
      { ...problemExample(code, { violations }), summary: `Validation Error: ${name}` },
    ]),
  );
}

/** Builds the response for errors that share a status, with one example for each. */
function responseOf(codes: readonly ErrorCode[], kind: AnswerKind): ResponseObject {
  const [first] = codes;
  if (first === undefined) throw new Error('A response requires at least one error.');
  return {
    description: codes.map((code) => `${errorRow(code).detail} ${errorRow(code).remedy}`).join('\n\n'),
    headers: headersOf(kind, HEADERS_OF_STATUS[errorRow(first).status]),
    content: {
      'application/problem+json': {
        schema: { $ref: `#/components/schemas/${problemSchemaOf(first)}` },
        examples: Object.assign({}, ...codes.map(examplesOf)) as Record<string, ExampleObject>,
      },
    },
  };
}

/** Error responses of a document. Creates each combination once, as a component, on first use. */
export class StandardResponses {
  readonly components: Record<string, ResponseObject> = {};

  /** @returns references to the responses for these errors, by status */
  byStatus(codes: Iterable<ErrorCode>, kind: AnswerKind): Record<string, ReferenceObject> {
    const groups = Map.groupBy(new Set(codes), (code) => errorRow(code).status);
    return Object.fromEntries(
      [...groups].map(([status, group]) => [String(status), this.reference(group.toSorted(), kind)]),
    );
  }

  private reference(codes: readonly ErrorCode[], kind: AnswerKind): ReferenceObject {
    const suffix = (kind.metered ? '' : 'Unmetered') + (kind.credentials ? 'WithCredentials' : '');
    const name = codes.map(pascalCase).join('Or') + suffix;
    this.components[name] ??= responseOf(codes, kind);
    return { $ref: `#/components/responses/${name}` };
  }
}

function pascalCase(code: string): string {
  return code.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
