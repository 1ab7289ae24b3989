import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to a page of the lab. */
interface Question {
  readonly url: URL;
  readonly form: URLSearchParams;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

/** "GET /path", and its handler. */
export type Routes = Record<string, (question: Question) => Reply>;

/** A web server of a few pages on a free port of this machine. */
export class PageServer {
  private readonly server = createServer((request, response) => {
    void this.answer(request).then(({ status = 200, headers, body }) => {
      response.writeHead(status, {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        ...headers,
      });
      response.end(body);
    });
  });
  private routes: Routes = {};

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  add(routes: Routes): void {
    this.routes = { ...this.routes, ...routes };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage): Promise<Reply> {
    const url = new URL(request.url ?? '/', this.url);
    const route = this.routes[`${request.method} ${url.pathname}`];
    if (!route) return { status: 404, body: 'There is no such page.' };
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return route({ url, form: new URLSearchParams(Buffer.concat(chunks).toString()) });
  }
}
