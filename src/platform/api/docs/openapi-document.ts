import type { INestApplication } from '@nestjs/common';
import type { DocumentBuilder, OpenAPIObject, OperationObject, SchemaObject } from '@nestjs/swagger';
import { isLoopback } from '../../config/index.js';
import { describeClasses } from '../swagger/described.js';
import { completeOperation } from './complete-operation.js';
import { describeApi, type DocumentedBucket } from './description.js';
import type { DocumentedRoute } from './documented-route.js';
import { useExamples } from './example-of.js';
import { type ClientSamples, codeSamplesOf } from './samples/code-samples.js';
import { problemSchemas } from './problem-schema.js';
import { HEADERS } from './standard-headers.js';
import { StandardResponses } from './standard-responses.js';
import { tagsOf } from './tags-of.js';
import { type DocumentedEvent, webhooksOf } from './webhooks.js';

/** Number of the release, which `npm run release` raises. */
const VERSION = '1.0.0';

const BEARER_DESCRIPTION = `Access token from login or refresh: a JWT (RFC 9068) signed with ES256, valid for ten minutes and only while its session is active.
Verified by the best current practices of RFC8725: algorithm, type, issuer and audience are pinned; the key comes from the service's own key set only.`;

/** Marks the server as public, for tools that keep an API inventory. */
const PUBLISHED = { 'x-internal': false };

interface Options {
  readonly words?: Readonly<Record<string, readonly string[]>>;
  /** Strict buckets of all modules. */
  readonly buckets: readonly DocumentedBucket[];
  readonly clientSamples: ClientSamples;
  /** Types of events that are delivered to subscribers. */
  readonly events: readonly DocumentedEvent[];
}

/** Errors of requests that the HTTP parser rejects. */
const UNREADABLE = ['validation-error', 'request-timeout', 'headers-too-large'] as const;

/** Errors of paths without a route. */
const UNROUTED = [
  'unauthenticated',
  'not-found',
  'method-not-allowed',
  'too-many-requests',
  'unavailable',
] as const;

/**
 * Generates the OpenAPI document: operations and bodies from the controllers; security, errors,
 * headers and examples from the declarations of each route, so that a new module needs no further
 * ones.
 * @param options.words enumerations that modules extend, by their names in the document
 * @param options.buckets strict buckets that the introduction lists
 * @param options.events types of the events that are delivered
 * @param options.clientSamples statements with the client's own methods, by operation id
 */
export async function createOpenApiDocument(
  app: INestApplication,
  publicUrl: string,
  routes: readonly DocumentedRoute[],
  { words = {}, buckets, clientSamples, events }: Options,
): Promise<OpenAPIObject> {
  const swagger = await describeClasses();
  const document = swagger.SwaggerModule.createDocument(
    app,
    base(new swagger.DocumentBuilder(), publicUrl, describeApi(routes, buckets)),
    {
      operationIdFactory: (controller, method) =>
        `${controller.charAt(0).toLowerCase()}${controller.slice(1).replace(/Controller$/, '')}${method.charAt(0).toUpperCase()}${method.slice(1)}`,
    },
  );
  const schemas = { ...document.components?.schemas, ...problemSchemas() } as Record<string, SchemaObject>;
  for (const [name, list] of Object.entries(words)) schemas[name] = { ...schemas[name], enum: [...list] };
  Object.values(schemas).forEach(useExamples);
  const responses = new StandardResponses();
  const documented = routes.filter((route) => {
    const operation = operationOf(document, route);
    if (!operation) return false;
    completeOperation(operation, route, { schemas, responses });
    const path = templateOf(route);
    const samples = codeSamplesOf({ method: route.method, path, operation, url: publicUrl }, clientSamples);
    Object.assign(operation, { 'x-codeSamples': samples });
    return true;
  });
  document.tags = tagsOf(documented);
  document.webhooks = webhooksOf(events);
  Object.assign(document, {
    'x-errors-outside-operations': {
      ...responses.byStatus(UNREADABLE, { metered: false, credentials: false }),
      ...responses.byStatus(UNROUTED, { metered: true, credentials: false }),
    },
  });
  document.components = {
    ...document.components,
    schemas,
    headers: HEADERS,
    responses: responses.components,
  };
  return document;
}

function base(
  builder: DocumentBuilder,
  publicUrl: string,
  description: string,
): Omit<OpenAPIObject, 'paths'> {
  const local = isLoopback(new URL(publicUrl).hostname);
  const config = builder
    .setOpenAPIVersion('3.1.0')
    .setTitle('Gatehouse')
    .setDescription(description)
    .setVersion(VERSION)
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: BEARER_DESCRIPTION },
      'bearer',
    )
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        description: 'Token of a set-up link, the end of its address. No JWT: RFC8725 does not apply.',
      },
      'setupLink',
    )
    .build();
  config.info.contact = { name: 'The operators of this deployment', url: `${publicUrl}/api/docs` };
  Object.assign(config.info, { summary: 'Identity, sessions and authorization.' });
  const server = local ? 'Local development' : 'This deployment, in production or staging';
  return { ...config, servers: [{ url: publicUrl, description: server, ...PUBLISHED }] };
}

/** @returns the operation of a route; undefined if its controller is excluded from the document */
function operationOf(document: OpenAPIObject, route: DocumentedRoute): OperationObject | undefined {
  return document.paths[templateOf(route)]?.[route.method.toLowerCase() as 'get'];
}

const templateOf = ({ path }: DocumentedRoute): string => path.replace(/:(\w+)/g, '{$1}');
