import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site that publishes metadata documents of clients, on this machine. */
export class ClientSite {
  /** Paths that were asked for. */
  readonly requests: string[] = [];
  private readonly answers = new Map<string, RequestListener>();

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(host = '127.0.0.1'): Promise<ClientSite> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const site = new ClientSite(server, `http://${host}:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      const path = request.url ?? '';
      site.requests.push(path);
      const answer = site.answers.get(path);
      if (answer) answer(request, response);
      else response.writeHead(404).end();
    });
    return site;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  answer(path: string, listener: RequestListener): string {
    this.answers.set(path, listener);
    return this.origin + path;
  }

  /** Publishes a document. @returns the client id */
  publish(path: string, document: object = {}, headers: Record<string, string> = {}): string {
    const clientId = this.origin + path;
    const whole = {
      client_id: clientId,
      client_name: 'Agent',
      redirect_uris: [this.origin + path + '/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      ...document,
    };
    return this.answer(path, (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(whole)),
    );
  }
}
