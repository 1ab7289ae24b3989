import type { AuthenticationNeed } from '../../../kernel/index.js';
import type {
  HeaderObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
} from '@nestjs/swagger';
import type { ErrorCode } from '../../errors/index.js';
import { READS, ULID_PATTERN } from '../../../kernel/index.js';
import { accessKindOf, publicReasonOf } from './access-kinds.js';
import { type DocumentedRoute, isMetered } from './documented-route.js';
import { exampleOf, resolveSchema } from './example-of.js';
import {
  type AnswerKind,
  CREATED_HEADERS,
  ETAG_HEADER,
  headersOf,
  IDEMPOTENCY_KEY,
  IF_MATCH,
} from './standard-headers.js';
import type { StandardResponses } from './standard-responses.js';

type Content = NonNullable<ResponseObject['content']>;
type Schemas = Readonly<Record<string, SchemaObject | ReferenceObject>>;

/** Context for completing an operation. */
interface Context {
  readonly schemas: Schemas;
  readonly responses: StandardResponses;
}

const DONE: Readonly<Record<string, string>> = {
  200: 'Success; the body holds the result.',
  201: 'Created; the body describes the new resource.',
  202: 'Accepted; processing continues in the background.',
  204: 'Success; no body.',
};

/** Errors of operations without a body as well: BodyGuard checks every body (ADR 7). */
const BODY_PROBLEMS = ['payload-too-large', 'unsupported-media-type'] as const;

/** Completes an operation in place with all that follows from the declarations of its route. */
export function completeOperation(
  operation: OperationObject,
  route: DocumentedRoute,
  { schemas, responses }: Context,
): void {
  const kind = { metered: isMetered(route), credentials: route.crossOrigin === 'credentialed' };
  const access = accessKindOf(route);
  const reason = publicReasonOf(route);
  const body = operation.requestBody as { content: Content } | undefined;
  operation.security = [...access.security];
  operation.description = [operation.description, access.sentence, proofSentence(route), limitSentence(route)]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n');
  if (reason !== null) Object.assign(operation, { 'x-public-because': reason });
  if (body) addExamples(body.content, schemas);
  if (route.deprecated) operation.deprecated = true;
  const declared = (operation.parameters ?? []) as ParameterObject[];
  operation.parameters = [
    ...pathParametersOf(route.path, declared),
    ...declared.filter((parameter) => parameter.in !== 'path'),
    ...(route.creates ? [IDEMPOTENCY_KEY] : []),
    ...(route.conditional ? [IF_MATCH] : []),
  ];
  for (const parameter of operation.parameters)
    completeParameter(parameter as ParameterObject, route.path, schemas);
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response && !('$ref' in response)) completeSuccess(status, response, route, { schemas, kind });
  }
  Object.assign(operation.responses, responses.byStatus(problemsOf(route), kind));
}

/** @returns the parameters of a path in its order, described as they are declared or as texts */
function pathParametersOf(path: string, declared: readonly ParameterObject[]): ParameterObject[] {
  return [...path.matchAll(/:(\w+)/g)].map(
    ([, name = '']) =>
      declared.find((parameter) => parameter.in === 'path' && parameter.name === name) ?? {
        name,
        required: true,
        in: 'path',
        schema: { type: 'string' },
      },
  );
}

/** @returns the errors of an operation: those that follow from its route, and its own */
function problemsOf(route: DocumentedRoute): ErrorCode[] {
  return [
    'validation-error',
    ...accessKindOf(route).problems,
    ...(route.path.includes(':') ? (['not-found'] as const) : []),
    ...(READS.has(route.method) ? [] : BODY_PROBLEMS),
    ...(isMetered(route) ? (['too-many-requests', 'unavailable'] as const) : []),
    'internal',
    ...route.problems,
  ];
}

function proofSentence({ needs }: DocumentedRoute): string | undefined {
  const parts = [...new Set(needs.flatMap((need) => describeNeed(need)))];
  if (parts.length === 0) return undefined;
  return `Requires a sign-in ${parts.join(' and ')} (RFC 9470); \`step-up\` renews it in the same session.`;
}

function describeNeed({ maxAge, acr = 'aal1' }: AuthenticationNeed): string[] {
  const strengths = {
    aal1: [],
    aal2: ['with a second factor'],
    phr: ['by passkey'],
    'aal2-if-enrolled': ['with the second factor of a person who has one'],
  };
  return [...(maxAge === undefined ? [] : [`within the last ${maxAge} seconds`]), ...strengths[acr]];
}

function limitSentence({ method, path, strictLimit, countsAsRead }: DocumentedRoute): string {
  if (!isMetered({ path })) return 'Not rate-limited.';
  const general = countsAsRead || READS.has(method) ? 'read' : 'write';
  return strictLimit === null
    ? `Rate limit: the \`${general}\` bucket.`
    : `Rate limit: the \`${strictLimit}\` bucket of the client address and the \`${general}\` bucket.`;
}

/**
 * Adds the example of a parameter. An `{id}` of the path is a ULID, unless `@ApiParam` overrides
 * it.
 */
function completeParameter(parameter: ParameterObject, path: string, schemas: Schemas): void {
  const schema = parameter.schema && resolveSchema(parameter.schema, schemas);
  if (schema?.enum) parameter.example ??= schema.enum[0];
  if (schema?.example !== undefined) parameter.example ??= schema.example as unknown;
  if (Array.isArray(schema?.examples)) parameter.example ??= schema.examples[0] as unknown;
  const bare = schema?.type === 'string' && Object.keys(schema).length === 1;
  if (parameter.in !== 'path' || !bare || !/^id$|Id$/.test(parameter.name)) return;
  parameter.description ??= idSentence(parameter.name, path);
  parameter.schema = { type: 'string', pattern: ULID_PATTERN, minLength: 26, maxLength: 26 };
  parameter.example ??= '01K3V9D7Q8Z4X5N6M7P8R9S0T2';
}

/** Describes an id: "Id of the user (ULID)." for `:userId`, and for `:id` after `users`. */
function idSentence(name: string, path: string): string {
  const collection = path.split('/').findLast((_, i, parts) => parts[i + 1] === `:${name}`) ?? 'resource';
  const single = collection.replace(/ies$/, 'y').replace(/s$/, '');
  const word = name === 'id' ? single : name.replace(/Id$/, '');
  return `Id of the ${word.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()} (ULID).`;
}

function completeSuccess(
  status: string,
  response: ResponseObject,
  route: DocumentedRoute,
  { schemas, kind }: { readonly schemas: Schemas; readonly kind: AnswerKind },
): void {
  if (response.description === '') response.description = DONE[status] ?? 'Success.';
  const own = { ...(route.creates && CREATED_HEADERS), ...(route.versioned && ETAG_HEADER) };
  response.headers = { ...headersOf(kind), ...fixedHeadersOf(route), ...own, ...response.headers };
  if (response.content) addExamples(response.content, schemas);
}

/** @returns the headers set by `@Header`, except Content-Type, which the content documents */
function fixedHeadersOf({ headers }: DocumentedRoute): Record<string, HeaderObject> {
  return Object.fromEntries(
    headers.flatMap(({ name, value }) =>
      typeof value !== 'string' || name.toLowerCase() === 'content-type'
        ? []
        : [
            [
              name,
              { description: 'Fixed value.', required: true, schema: { type: 'string', enum: [value] } },
            ],
          ],
    ),
  );
}

function addExamples(content: Content, schemas: Schemas): void {
  for (const media of Object.values(content)) {
    if (media.schema && media.example === undefined && media.examples === undefined)
      media.example = exampleOf(media.schema, schemas);
  }
}
