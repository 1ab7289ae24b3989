import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Customer {
  readonly id: number;
  readonly mail: string;
  readonly mailConfirmed: boolean;
  readonly name: string | null;
}

/** The old shop of examples/old-shop: it verifies passwords over HTTP. */
export class OldShopStandIn {
  readonly key = 'a-key-of-the-lab';
  /** Addresses about which it was asked, in order. */
  readonly asked: string[] = [];
  /** Answers in place of the correct ones; it never answers for `null`. */
  reply: { readonly status: number; readonly body?: unknown } | null | undefined;
  /** Number of requests that it waits for before it answers them together. */
  together = 1;
  private readonly customers = new Map<string, { readonly password: string; readonly customer: Customer }>();
  private waiting: (() => void)[] = [];
  private readonly server = createServer((request, response) => void this.answer(request, response));

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Adds a customer, each with its own address. */
  add(password: string, fields: Partial<Customer> = {}): { email: string; password: string; id: number } {
    const id = this.customers.size + 1;
    const email = `customer-${id}@example.com`;
    this.customers.set(email, {
      password,
      customer: { id, mail: email, mailConfirmed: true, name: 'Ada', ...fields },
    });
    return { email, password, id };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as { mail: string; password: string };
    this.asked.push(asked.mail);
    if (this.reply === null) return;
    await this.others();
    const known = this.customers.get(asked.mail);
    const right =
      request.headers.authorization === `Bearer ${this.key}` && known?.password === asked.password;
    const { status, body = {} } =
      this.reply ?? (right ? { status: 200, body: known.customer } : { status: 401 });
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }

  private async others(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length < this.together) return;
      for (const go of this.waiting) go();
      this.waiting = [];
    });
  }
}
