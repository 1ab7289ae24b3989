import { Validator } from '@seriousme/openapi-schema-validator';
import { RouteManifest, type Route } from '../../src/access/index.js';
import { type ErrorCode, errorRow } from '../../src/platform/errors/index.js';
import { OpenApi, type Json } from '../support/openapi.js';
import { withApp } from '../support/test-app.js';

/**
 * Undocumented: for the operator, with METRICS_TOKEN; pages and files of the API reference. Routes
 * of directories are in RFC 7644.
 */
const UNDOCUMENTED = ['GET /metrics', 'GET /api/docs/:asset', 'GET /api/docs/operations/:operationId'];

describe('OpenAPI document', () => {
  let api: OpenApi;
  let routes: Route[];
  const app = withApp();
  beforeAll(async () => {
    api = new OpenApi((await app.get('/api/docs/openapi.json')).body);
    routes = app.app
      .get(RouteManifest)
      .routes.filter((route) => !UNDOCUMENTED.includes(nameOf(route)) && route.clients !== 'directories');
  });

  const operationOf = ({ method, path }: Route): Json =>
    api.document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const codesOf = (operation: Json): string[] =>
    Object.values<Json>(operation.responses)
      .map((response) => api.resolve(response).content?.['application/problem+json']?.examples ?? {})
      .flatMap((examples) =>
        Object.values<Json>(examples).map(({ value }) => value.type.replace('/errors/', '')),
      );

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(api.document);
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(api.document.openapi).toMatch(/^3\.1/);
  });

  it('has an operation for every route and a route for every operation', () => {
    const documented = api.operations.map(
      ({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
    );
    expect(documented.toSorted()).toEqual(routes.map(nameOf).toSorted());
  });

  it('names each operation once, under a described API tag', () => {
    const ids = api.operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = Object.fromEntries(
      api.document.tags.map(({ name, description }: Json) => [name, description]),
    );
    for (const { operation } of api.operations) {
      expect(operation).toMatchObject({ summary: expect.stringMatching(/\S/), tags: [expect.any(String)] });
      expect(tags[operation.tags[0]]).toMatch(/\S/);
    }
  });

  it('names operations as functions, and each schema once', () => {
    const names = Object.keys(api.document.components.schemas);
    const tellsApart = names.filter((name) => !/^[A-Z][A-Za-z]*$/.test(name)); // MemberListResponse2
    expect(tellsApart).toEqual([]);
    for (const { operation } of api.operations)
      expect(operation.operationId).toMatch(/^[a-z][a-z]*([A-Z][a-z]+)*$/);
  });

  it('sums up each read as what a client gets: Get, List, and so on', () => {
    const reads = api.operations.filter(({ method }) => method === 'GET');
    const others = reads
      .filter(({ path }) => path.startsWith('/api/v1/') || path.startsWith('/.well-known/'))
      .map(({ operation }): string => operation.summary)
      .filter((summary) => !/^(?:Get|List|Find|Check|Count|Export|Read) /.test(summary));
    expect(others).toEqual([]);
  });

  it('says in words which permission an operation requires, and for what', () => {
    const descriptions = api.operations.map(({ operation }): string => operation.description);
    expect(descriptions.filter((text) => /`[^`]* (?:on|in tenant) :/.test(text))).toEqual([]);
    const { paths } = api.document;
    const member = '/api/v1/iam/tenants/{id}/members/{userId}';
    expect(paths[member].delete.description).toContain(
      'Requires an access token, and the permission `iam:member:remove` for `{userId}` in the organization `{id}`.',
    );
    expect(paths['/api/v1/iam/tenants/{id}'].get.description).toContain(
      'Requires an access token, and the permission `iam:tenant:read` in the organization `{id}`.',
    );
    expect(paths['/api/v1/iam/me/sessions/{id}'].delete.description).toContain(
      'Requires an access token, and the permission `iam:session:end` for `{id}`.',
    );
  });

  it('lists each rate limit bucket with the routes that take from it', () => {
    const { description } = api.document.info;
    for (const route of routes.filter(({ strictLimit }) => strictLimit !== null)) {
      const [row = ''] = new RegExp(`^\\| \`${route.strictLimit}\` .*$`, 'm').exec(description) ?? [];
      expect(row).toContain(`\`${route.path.replace('/api/v1/iam/', '')}\``);
      expect(row).toMatch(/\| \d+ \|$/);
    }
  });

  it('requires a token exactly where the route does', () => {
    for (const route of routes) {
      const { security, 'x-public-because': why } = operationOf(route);
      const open = route.access?.startsWith('public: ') === true;
      const scheme = route.clients === 'set-up links' ? 'setupLink' : 'bearer';
      expect({ route: nameOf(route), security, why }).toEqual({
        route: nameOf(route),
        security: open ? [] : [{ [scheme]: [] }],
        why: open ? route.access?.replace('public: ', '') : undefined,
      });
    }
  });

  it('has the query parameters that each route takes', () => {
    const taken = routes.filter(({ query }) => query !== null && query.length > 0);
    expect(taken.length).toBeGreaterThan(5);
    for (const route of routes.filter(({ query }) => query !== null)) {
      const { parameters } = operationOf(route);
      const documented = parameters.flatMap((each: Json) => (each.in === 'query' ? [each.name] : []));
      expect([nameOf(route), documented.toSorted()]).toEqual([nameOf(route), route.query?.toSorted()]);
    }
  });

  it('has an ETag and an If-Match for all that can be changed', () => {
    // SSF 1.0 defines the change of a stream: only by its client, without a version.
    const changes = routes.filter(
      ({ method, path }) => method === 'PATCH' && path !== '/api/v1/signals/streams',
    );
    expect(changes.length).toBeGreaterThan(4);
    for (const change of changes) {
      const read = routes.find(({ method, path }) => method === 'GET' && path === change.path);
      const schemas = [read, change].map((route) => {
        const { headers, content } = (route && operationOf(route))?.responses[200] ?? {};
        expect([nameOf(change), headers?.ETag]).toEqual([
          nameOf(change),
          expect.objectContaining({ required: true }),
        ]);
        return content['application/json'].schema;
      });
      expect([nameOf(change), schemas[1]]).toEqual([nameOf(change), schemas[0]]);
      const names = operationOf(change).parameters.map(({ name }: Json) => name);
      expect([nameOf(change), names]).toEqual([nameOf(change), expect.arrayContaining(['If-Match'])]);
    }
  });

  it('has the errors that each route implies', () => {
    for (const route of routes) {
      const operation = operationOf(route);
      const expected: ErrorCode[] = ['validation-error', 'internal', ...route.problems];
      if (!route.access?.startsWith('public: ')) expected.push('unauthenticated');
      if (route.clients !== 'anyone') expected.push('forbidden');
      if (route.needs?.length) expected.push('insufficient-user-authentication');
      if (route.path.includes(':')) expected.push('not-found');
      if (route.method !== 'GET') expected.push('payload-too-large', 'unsupported-media-type');
      if (/^\/(?:api|oauth2|access)\//.test(route.path)) expected.push('too-many-requests', 'unavailable');
      const codes = [...new Set(codesOf(operation))];
      expect([nameOf(route), codes.toSorted()]).toEqual([nameOf(route), [...new Set(expected)].toSorted()]);
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        const examples = api.resolve(response).content?.['application/problem+json']?.examples ?? {};
        for (const { value } of Object.values<Json>(examples)) expect(String(value.status)).toBe(status);
      }
    }
  });

  it('has the errors of requests that reach no operation', () => {
    const outside = Object.entries<Json>(api.document['x-errors-outside-operations']);
    const limited = outside.map(([status, response]) => [
      status,
      'X-RateLimit-Limit' in api.resolve(response).headers,
    ]);
    expect(limited).toEqual([
      ['400', false],
      ['401', true],
      ['404', true],
      ['405', true],
      ['408', false],
      ['429', true],
      ['431', false],
      ['503', true],
    ]);
  });

  it('has the rate-limit headers at every answer that the limits count, and at no other', () => {
    for (const { method, path, operation } of api.operations) {
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        const names = Object.keys(api.resolve(response).headers).filter((name) =>
          name.startsWith('X-RateLimit-'),
        );
        expect([method, path, status, names.length]).toEqual([
          method,
          path,
          status,
          /^\/(?:api|oauth2|access)\//.test(path) ? 3 : 0,
        ]);
      }
    }
  });

  it('lets pages of other origins ask with their cookies where a sign-in may be bound to its browser, and nowhere else', () => {
    const allowed = api.operations.flatMap(({ method, path, operation }) =>
      Object.values<Json>(operation.responses).some(
        (response) => 'Access-Control-Allow-Credentials' in api.resolve(response).headers,
      )
        ? [`${method} ${path}`]
        : [],
    );
    expect(allowed.toSorted()).toEqual([
      'POST /api/iam/auth/external/{kind}/start',
      'POST /api/v1/iam/me/identities/{kind}/link',
      'POST /api/v1/iam/setup/connection/tests',
      'POST /api/v1/iam/tenants/{id}/connections/{connectionId}/tests',
    ]);
  });

  it('describes every problem as the catalogue does', () => {
    for (const response of Object.values<Json>(api.document.components.responses)) {
      for (const { value } of Object.values<Json>(response.content['application/problem+json'].examples)) {
        const { title, status, detail } = errorRow(value.type.replace('/errors/', '') as ErrorCode);
        expect(value).toMatchObject({ title, status, detail });
      }
    }
  });

  it('has an example for every body, and each fits its schema', () => {
    const wrong: string[] = [];
    let checked = 0;
    const check = (where: string, { schema, example, examples }: Json): void => {
      const values =
        example === undefined ? Object.values<Json>(examples ?? {}).map(({ value }) => value) : [example];
      if (values.length === 0) wrong.push(`${where}: no example`);
      checked += values.length;
      for (const value of values)
        wrong.push(...api.errorsOf(schema, value).map((error) => `${where}: ${error}`));
    };
    for (const { method, path, operation } of api.operations) {
      for (const [type, media] of Object.entries<Json>(operation.requestBody?.content ?? {}))
        check(`${method} ${path} ${type}`, media);
      for (const parameter of operation.parameters) check(`${method} ${path} ${parameter.name}`, parameter);
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        const { content = {}, headers } = api.resolve(response);
        for (const media of Object.values<Json>(content)) check(`${method} ${path} ${status}`, media);
        for (const [name, header] of Object.entries<Json>(headers)) {
          const { schema, example = schema.enum?.[0] } = api.resolve(header);
          check(`${method} ${path} ${status} ${name}`, { schema, example });
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(100);
  });

  it('has an example for every field, and each fits its schema', () => {
    const wrong: string[] = [];
    for (const [name, schema] of Object.entries<Json>(api.document.components.schemas)) {
      for (const [field, property] of Object.entries<Json>(schema.properties ?? {})) {
        if (property.$ref || property.items?.$ref || property.anyOf) continue;
        if (!Array.isArray(property.examples)) wrong.push(`${name}.${field}: no example`);
        for (const example of property.examples ?? [])
          wrong.push(...api.errorsOf(property, example).map((error) => `${name}.${field}: ${error}`));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('documents the form that providers post to the callback', () => {
    const { post } = api.document.paths['/api/iam/auth/external/{kind}/callback'];
    const { schema } = post.requestBody.content['application/x-www-form-urlencoded'];
    expect(Object.keys(schema.properties)).toEqual(
      expect.arrayContaining(['state', 'code', 'SAMLResponse', 'RelayState']),
    );
    expect(Object.keys(post.responses)).toEqual(expect.arrayContaining(['400', '413', '415']));
  });

  it('has nothing of OpenAPI 3.0 left', () => {
    expect(JSON.stringify(api.document)).not.toContain('"nullable"');
  });
});

function nameOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`;
}
