import { codeSamplesOf } from '../../src/platform/api/docs/samples/code-samples.js';

describe('Code samples', () => {
  const operation = {
    operationId: 'renameCrate',
    parameters: [{ name: 'id', in: 'path', required: true, example: 'a b' }],
    requestBody: { content: { 'application/json': { example: { name: "Ada's \\ crate" } } } },
    responses: { 204: { description: '' } },
  };
  const sampled = { method: 'PUT', path: '/crates/{id}', operation, url: 'https://gatehouse.example' };

  it('quote the values of examples', () => {
    const [curl, client] = codeSamplesOf(sampled as never, {}).map(({ source }) => source);
    expect(curl).toContain(`'https://gatehouse.example/crates/a%20b'`);
    expect(curl).toContain(String.raw`Ada'\''s \\ crate`);
    expect(client).toContain(String.raw`name: 'Ada\'s \\ crate'`);
  });

  it('use a statement that is given for an operation', () => {
    const [, client] = codeSamplesOf(sampled as never, { renameCrate: 'await rename();' });
    expect(client?.source).toMatch(/\nawait rename\(\);\n$/);
  });
});
