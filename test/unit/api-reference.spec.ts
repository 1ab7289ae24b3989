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
});
