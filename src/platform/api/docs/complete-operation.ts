import type {
  HeaderObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
} from '@nestjs/swagger';
import type { ErrorCode } from '../../errors/index.js';
import { ULID_PATTERN } from '../../../kernel/index.js';
import { accessKindOf, publicReasonOf } from './access-kinds.js';
import { type DocumentedRoute, isMetered } from './documented-route.js';
import { exampleOf, resolveSchema } from './example-of.js';
import { type AnswerKind, headersOf } from './standard-headers.js';
import type { StandardResponses } from './standard-responses.js';

type Content = NonNullable<ResponseObject['content']>;
type Schemas = Readonly<Record<string, SchemaObject | ReferenceObject>>;

/** What an operation is completed from, beside its route. */
interface Surroundings {
  readonly schemas: Schemas;
  readonly responses: StandardResponses;
  /** The paths that pages of other origins may call with their cookies. */
  readonly credentialed?: RegExp;
}

const DONE: Readonly<Record<string, string>> = {
  200: 'Done; the answer is in the body.',
  201: 'Made; the answer describes it.',
  202: 'Accepted; the rest happens afterwards.',
  204: 'Done; there is no body.',
};

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Of operations that ask for no body as well: BodyGuard refuses one that cannot be read wherever it comes along (ADR 7). */
const BODY_PROBLEMS = ['payload-too-large', 'unsupported-media-type'] as const;

/** Adds to an operation everything that follows from what its route declares. */
export function completeOperation(
  operation: OperationObject,
  route: DocumentedRoute,
  { schemas, responses, credentialed }: Surroundings,
): void {
  const kind = { metered: isMetered(route), credentials: credentialed?.test(route.path) === true };
  const access = accessKindOf(route);
  const reason = publicReasonOf(route);
  const body = operation.requestBody as { content: Content } | undefined;
  operation.security = [...access.security];
  operation.description = [operation.description, access.sentence, proofSentence(route), limitSentence(route)]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n');
  if (reason !== null) Object.assign(operation, { 'x-public-because': reason });
  if (body) addExamples(body.content, schemas);
  for (const parameter of operation.parameters ?? [])
    completeParameter(parameter as ParameterObject, schemas);
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response && !('$ref' in response)) completeSuccess(status, response, route, { schemas, kind });
  }
  Object.assign(operation.responses, responses.byStatus(problemsOf(route), kind));
}

/** The errors an operation may answer with: those of its route, and its own. */
function problemsOf(route: DocumentedRoute): ErrorCode[] {
  return [
    'validation-error',
    ...accessKindOf(route).problems,
    ...(route.maxAge === null ? [] : (['insufficient-user-authentication'] as const)),
    ...(route.path.includes(':') ? (['not-found'] as const) : []),
    ...(READS.has(route.method) ? [] : BODY_PROBLEMS),
    ...(isMetered(route) ? (['too-many-requests', 'unavailable'] as const) : []),
    'internal',
    ...route.problems,
  ];
}

function proofSentence({ maxAge }: DocumentedRoute): string | undefined {
  if (maxAge === null) return undefined;
  return `Asks for a sign-in of the last ${maxAge} seconds (RFC 9470): \`step-up\` confirms it in the same session.`;
}

function limitSentence({ method, path, strictLimit, countsAsRead }: DocumentedRoute): string {
  if (!isMetered({ path })) return 'Not rate-limited.';
  const general = countsAsRead || READS.has(method) ? 'read' : 'write';
  return strictLimit === null
    ? `Rate limit: the \`${general}\` bucket.`
    : `Rate limit: the \`${strictLimit}\` bucket of the client address beside the \`${general}\` bucket.`;
}

/** Gives a parameter its example; an `{id}` in the path is one of our ULIDs, unless the controller says otherwise with `@ApiParam`. */
function completeParameter(parameter: ParameterObject, schemas: Schemas): void {
  const schema = parameter.schema && resolveSchema(parameter.schema, schemas);
  if (schema?.enum) parameter.example ??= schema.enum[0];
  if (Array.isArray(schema?.examples)) parameter.example ??= schema.examples[0] as unknown;
  const bare = schema?.type === 'string' && Object.keys(schema).length === 1;
  if (parameter.in !== 'path' || !bare || !/^id$|Id$/.test(parameter.name)) return;
  parameter.description ??= 'A ULID.';
  parameter.schema = { type: 'string', pattern: ULID_PATTERN, minLength: 26, maxLength: 26 };
  parameter.example ??= '01K3V9D7Q8Z4X5N6M7P8R9S0T2';
}

function completeSuccess(
  status: string,
  response: ResponseObject,
  route: DocumentedRoute,
  { schemas, kind }: { readonly schemas: Schemas; readonly kind: AnswerKind },
): void {
  if (response.description === '') response.description = DONE[status] ?? 'Done.';
  response.headers = { ...headersOf(kind), ...fixedHeadersOf(route), ...response.headers };
  if (response.content) addExamples(response.content, schemas);
}

/** What `@Header` sets; the type of the content is documented as such. */
function fixedHeadersOf({ headers }: DocumentedRoute): Record<string, HeaderObject> {
  return Object.fromEntries(
    headers.flatMap(({ name, value }) =>
      typeof value !== 'string' || name.toLowerCase() === 'content-type'
        ? []
        : [
            [
              name,
              { description: 'Always this.', required: true, schema: { type: 'string', enum: [value] } },
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
