import { DocsController } from '../../src/platform/api/docs/docs.controller.js';
import { createReference } from '../../src/platform/api/docs/reference/reference.js';

const HOSTILE = `<script>alert('x')</script>`;

describe('API reference', () => {
  const pagesOf = async () => {
    const operation = {
      operationId: 'sendCrate',
      summary: HOSTILE,
      description: `${HOSTILE}\n\nSend "Authorization: Bearer <token>".`,
      tags: ['Crates'],
      parameters: [{ name: HOSTILE, in: 'query', description: HOSTILE, schema: { type: 'string' } }],
      responses: { 204: { description: HOSTILE } },
      'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: HOSTILE }],
    };
    const document = {
      openapi: '3.1.0',
      info: { title: 'Crates', version: '1', description: HOSTILE },
      tags: [{ name: 'Crates' }],
      paths: { '/crates': { post: operation } },
    };
    const { pages } = await createReference(document as never, null);
    return [pages.introduction(), pages.operation('sendCrate') ?? ''];
  };

  it('shows HTML in any text of the document as text', async () => {
    for (const page of await pagesOf()) {
      expect(page).not.toContain('<script>');
      expect(page).toMatch(/(&lt;|&#60;)script(&gt;|&#62;)/);
    }
    const [, operation] = await pagesOf();
    expect(operation).toMatch(/Bearer (&lt;|&#60;)token(&gt;|&#62;)/);
  });

  it('answers its style and its script without the document', () => {
    const controller = new DocsController();
    const create = jest.fn(() => new Promise<never>(() => undefined));
    controller.publish(create, null);
    const response = { type: jest.fn().mockReturnThis(), send: jest.fn() };
    controller.asset('reference.js', response as never);
    controller.asset('reference.css', response as never);
    expect(response.type.mock.calls).toEqual([['text/javascript'], ['text/css']]);
    expect(response.send).toHaveBeenCalledTimes(2);
    expect(create).not.toHaveBeenCalled();
  });
});
