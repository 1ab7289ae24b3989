import type { AddressInfo } from 'node:net';
import type { Express, NextFunction, Request, Response } from 'express';
import { FastAdapter } from '../../src/platform/web/fast-path/fast-adapter.js';
import { ServiceAdapter } from '../../src/platform/web/service-adapter.js';

describe.each([ServiceAdapter, FastAdapter])('%o', (Adapter) => {
  const adapter = new Adapter();
  let base: string;
  beforeAll(async () => {
    const add = adapter.get.bind(adapter) as unknown as (...route: unknown[]) => void;
    add('/fails/:how', async ({ params }: Request) => {
      throw new Error(`by ${String(params['how'])}`);
    });
    adapter.use((error: Error, _request: Request, response: Response, _next: NextFunction) => {
      response.status(error instanceof URIError ? 400 : 500).send(error.message);
    });
    adapter.initHttpServer({});
    await new Promise<void>((resolve) => adapter.listen(0, resolve));
    base = `http://127.0.0.1:${(adapter.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    const closed = new Promise((resolve) => adapter.getHttpServer().close(resolve));
    adapter.getHttpServer().closeAllConnections();
    await closed;
  });

  const ask = async (path: string): Promise<[number, string]> => {
    const response = await fetch(`${base}${path}`);
    return [response.status, await response.text()];
  };

  it('answers the request of a failing handler and continues', async () => {
    expect(await ask('/fails/itself')).toEqual([500, 'by itself']);
    expect(await ask('/fails/by%20a%2Fspace')).toEqual([500, 'by by a/space']);
  });

  it('creates requests and responses with the prototypes of Express only if it is fast', async () => {
    const { request, response } = adapter.getInstance<Express>();
    const created = new Promise((resolve) => {
      adapter
        .getHttpServer()
        .prependOnceListener('request', (...pair: object[]) => resolve(pair.map(Object.getPrototypeOf)));
    });
    await ask('/fails/itself');
    const [ofRequest, ofResponse] = (await created) as object[];
    expect([ofRequest === request, ofResponse === response]).toEqual(Array(2).fill(Adapter === FastAdapter));
  });

  it.each([{ httpsOptions: {} }, { forceCloseConnections: true }, { return503OnClosing: true }])(
    'refuses a server option that it ignores: %p',
    (options) => {
      expect(() => new Adapter().initHttpServer(options)).toThrow('supports neither TLS');
    },
  );

  it('answers 400 to a path with malformed percent-encoding', async () => {
    expect((await ask('/fails/%E0%A4%A'))[0]).toBe(400);
  });
});

describe('FastAdapter', () => {
  it.each([[['/a', () => undefined, () => undefined]], [['a setting']], [[() => undefined]]])(
    'refuses a route that is not a path and one handler: %#',
    (route) => {
      const adapter = new FastAdapter();
      const add = adapter.post.bind(adapter) as unknown as (...route: unknown[]) => void;
      expect(() => add(...route)).toThrow('A route must have a path and one handler');
    },
  );
});
