import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from './test-app.js';

/** The back channel of a client on this machine: receives logout tokens. */
export class LogoutReceiver {
  readonly tokens: string[] = [];
  /** Status of the answers. */
  status = 200;
  /** Whether requests get no answer until {@link answer}. */
  hangs = false;
  private readonly held: (() => void)[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<LogoutReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const receiver = new LogoutReceiver(server, `http://127.0.0.1:${port}/backchannel-logout`);
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        receiver.tokens.push(new URLSearchParams(body).get('logout_token') ?? '');
        const answer = () => response.writeHead(receiver.status).end();
        if (receiver.hangs) receiver.held.push(answer);
        else answer();
      });
    });
    return receiver;
  }

  /** Waits until this many tokens have come. */
  async waitFor(count: number): Promise<string[]> {
    await eventually(`${count} logout tokens`, () => this.tokens.length >= count);
    return this.tokens;
  }

  /** Answers the requests that hang, and those to come. */
  answer(): void {
    this.hangs = false;
    for (const answer of this.held.splice(0)) answer();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
