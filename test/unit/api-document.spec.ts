import 'reflect-metadata';
import { DocsController } from '../../src/platform/api/docs/docs.controller.js';

describe('Document of the API', () => {
  it('is created once, and again by the next request after a failure', async () => {
    const outcomes = [
      Promise.reject(new Error('no file is left to open')),
      Promise.resolve({ openapi: '3.1.0', info: {}, paths: {} }),
    ];
    let asked = 0;
    const docs = new DocsController();
    docs.publish(() => outcomes[asked++] as never, null);
    await expect(docs.getOpenApiDocument()).rejects.toThrow('no file is left to open');
    expect([await docs.getOpenApiDocument(), await docs.getOpenApiDocument()]).toEqual(
      Array(2).fill('{"openapi":"3.1.0","info":{},"paths":{}}'),
    );
    expect(asked).toBe(2);
  });
});
