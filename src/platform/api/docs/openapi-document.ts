import type { INestApplication } from '@nestjs/common';
import type { DocumentBuilder, OpenAPIObject, OperationObject, SchemaObject } from '@nestjs/swagger';
import { isLoopback } from '../../config/index.js';
import { describeClasses } from '../swagger/described.js';
import { completeOperation } from './complete-operation.js';
import { describeApi } from './description.js';
import type { DocumentedRoute } from './documented-route.js';
import { useExamples } from './example-of.js';
import { PROBLEM_SCHEMAS } from './problem-schema.js';
import { HEADERS } from './standard-headers.js';
import { StandardResponses } from './standard-responses.js';
import { tagsOf } from './tags-of.js';

const BEARER_DESCRIPTION = `The access token that login and refresh give: a JWT by RFC 9068, signed with ES256, good for ten minutes and as long as its session lives.
Verified by the best current practices of RFC8725: algorithm, type, issuer and audience are pinned, the key is found in the service's own set alone.`;

/** For tools that sort an inventory: this server is meant for clients of every kind. */
const PUBLISHED = { 'x-internal': false };

interface Options {
  readonly words?: Readonly<Record<string, readonly string[]>>;
  readonly credentialed: RegExp;
}

/** What the parser refuses before there is a request. */
const UNREADABLE = ['validation-error', 'request-timeout', 'headers-too-large'] as const;

/** What is answered where no route is. */
const UNROUTED = [
  'unauthenticated',
  'not-found',
  'method-not-allowed',
  'too-many-requests',
  'unavailable',
] as const;

/**
 * The OpenAPI document, generated from the code: operations and bodies from the controllers, everything else (security, errors,
 * headers, examples) from what each route declares, so that a new module is documented by the declarations it needs anyway.
 * @param options.words lists of words that modules add to, by their names in the document
 * @param options.credentialed the paths that pages of other origins may call with their cookies
 */
export async function createOpenApiDocument(
  app: INestApplication,
  publicUrl: string,
  routes: readonly DocumentedRoute[],
  { words = {}, credentialed }: Options,
): Promise<OpenAPIObject> {
  const swagger = await describeClasses();
  const document = swagger.SwaggerModule.createDocument(
    app,
    base(new swagger.DocumentBuilder(), publicUrl, describeApi(routes)),
    {
      operationIdFactory: (controller, method) =>
        `${controller.charAt(0).toLowerCase()}${controller.slice(1).replace(/Controller$/, '')}${method.charAt(0).toUpperCase()}${method.slice(1)}`,
    },
  );
  const schemas = { ...document.components?.schemas, ...PROBLEM_SCHEMAS } as Record<string, SchemaObject>;
  for (const [name, list] of Object.entries(words)) schemas[name] = { ...schemas[name], enum: [...list] };
  Object.values(schemas).forEach(useExamples);
  const responses = new StandardResponses();
  const documented = routes.filter((route) => {
    const operation = operationOf(document, route);
    if (operation) completeOperation(operation, route, { schemas, responses, credentialed });
    return operation !== undefined;
  });
  document.tags = tagsOf(documented);
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
    .setVersion('1.0.0')
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: BEARER_DESCRIPTION },
      'bearer',
    )
    .build();
  config.info.contact = { name: 'The operators of this deployment', url: `${publicUrl}/api/docs` };
  Object.assign(config.info, { summary: 'Identity, sessions and authorization.' });
  const server = local ? 'Local development' : 'This deployment, in production or staging';
  return { ...config, servers: [{ url: publicUrl, description: server, ...PUBLISHED }] };
}

/** The operation of a route; nothing where its controller keeps it out of the documentation. */
function operationOf(
  document: OpenAPIObject,
  { method, path }: DocumentedRoute,
): OperationObject | undefined {
  const item = document.paths[path.replace(/:(\w+)/g, '{$1}')];
  return item?.[method.toLowerCase() as 'get'];
}
