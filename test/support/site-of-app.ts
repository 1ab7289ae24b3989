import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site of another origin with empty pages, to which browsers return. */
export class SiteOfApp {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<SiteOfApp> {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>The app</h1>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new SiteOfApp(server, `http://localhost:${(server.address() as AddressInfo).port}`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
