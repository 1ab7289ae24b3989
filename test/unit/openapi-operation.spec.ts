import type { OperationObject } from '@nestjs/swagger';
import { completeOperation } from '../../src/platform/api/docs/complete-operation.js';
import type { DocumentedRoute } from '../../src/platform/api/docs/documented-route.js';
import { StandardResponses } from '../../src/platform/api/docs/standard-responses.js';
import '../../src/session/session.errors.js';

const WITH_SCOPE = 'app and satellites with the scope';

/** Documents routes with declarations that no module uses yet. */
describe('Documentation of an operation', () => {
  function complete(declared: Partial<DocumentedRoute>): {
    operation: OperationObject;
    responses: StandardResponses;
  } {
    const operation: OperationObject = { responses: { '200': { description: '' } } };
    const responses = new StandardResponses();
    const route = {
      method: 'GET',
      path: '/api/v1/orders/:id',
      access: 'bearer',
      needs: [],
      clients: 'app and satellites' as const,
      countsAsRead: false,
      creates: false,
      versioned: false,
      conditional: false,
      deprecated: false,
      crossOrigin: null,
      strictLimit: null,
      problems: [],
      headers: [],
      tag: null,
    };
    completeOperation(operation, { ...route, ...declared }, { schemas: {}, responses });
    return { operation, responses };
  }

  it('has 401 and 403 if more than a token is required', () => {
    const { operation } = complete({ access: 'orders:order:cancel', clients: WITH_SCOPE });
    expect(operation.security).toEqual([{ bearer: [] }]);
    expect(operation.description).toContain('orders:order:cancel');
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining(['400', '401', '403', '404', '429', '500', '503']),
    );
    expect(operation.responses['403']).toEqual({ $ref: '#/components/responses/Forbidden' });
  });

  it('has 403 if satellites are refused, and for tokens of OpenID Connect', () => {
    const { operation } = complete({ clients: 'app' });
    expect(operation.description).toContain('Tokens of satellites are refused');
    expect(operation.responses['403']).toEqual({ $ref: '#/components/responses/Forbidden' });
    expect(complete({}).operation.responses['403']).toEqual({ $ref: '#/components/responses/Forbidden' });
  });

  it('has no 401 if public, and the reason for that', () => {
    const { operation } = complete({ access: 'public: a price list', clients: 'anyone' });
    expect(operation).toMatchObject({ security: [], 'x-public-because': 'a price list' });
    expect(operation.responses['401']).toBeUndefined();
  });

  it('has an example for each error of one status', () => {
    const { operation, responses } = complete({
      access: 'a:b:c',
      clients: WITH_SCOPE,
      problems: ['not-a-member'],
    });
    expect(operation.responses['403']).toEqual({ $ref: '#/components/responses/ForbiddenOrNotAMember' });
    const content = responses.components['ForbiddenOrNotAMember']?.content?.['application/problem+json'];
    expect(Object.keys(content?.examples ?? {})).toEqual(['forbidden', 'not-a-member']);
  });

  it('has no rate limit headers outside /api/', () => {
    const { operation, responses } = complete({ path: '/healthz', access: 'public: x', clients: 'anyone' });
    const headers = [operation.responses['200'], ...Object.values(responses.components)].map((response) =>
      Object.keys((response as { headers?: object }).headers ?? {}),
    );
    expect(headers.flat().filter((name) => name.startsWith('X-RateLimit'))).toEqual([]);
    expect(operation.responses['429']).toBeUndefined();
  });

  it('documents the headers that the handler always sets', () => {
    const headers = [{ name: 'Cache-Control', value: 'no-store' }];
    const { operation } = complete({ headers });
    expect(operation.responses['200']).toMatchObject({
      headers: { 'Cache-Control': { schema: { enum: ['no-store'] } } },
    });
  });
});
