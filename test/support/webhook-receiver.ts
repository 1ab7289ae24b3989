import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './test-app.js';

/** A request that a receiver got. */
export interface Received {
  readonly at: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: {
    readonly id: string;
    readonly type: string;
    readonly sequence: number;
    readonly subject: string;
    readonly tenantId: string | null;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

type Answer = (request: Received, response: ServerResponse) => void;

/** Receives webhooks on this machine. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** How requests are answered. */
  answer: Answer = (_, response) => void response.writeHead(204).end();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const receiver = new WebhookReceiver(server, url);
    server.on('request', (request, response) => void receiver.receive(request, response));
    return receiver;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Answers with a status. */
  answerWith(status: number, headers: Record<string, string> = {}): void {
    this.answer = (_, response) => void response.writeHead(status, headers).end();
  }

  ofType(type: string): Received[] {
    return this.received.filter(({ body }) => body.type === type);
  }

  async waitFor(type: string, count = 1): Promise<Received[]> {
    await eventually(`${count} of ${type} are received`, () => this.ofType(type).length >= count);
    return this.ofType(type);
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const headers = request.headers as Record<string, string>;
    const received = { at: Date.now(), headers, text, body: JSON.parse(text) as Received['body'] };
    this.received.push(received);
    this.answer(received, response);
  }
}
