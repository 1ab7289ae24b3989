import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds after which a logout token counts as lost. */
const LOST_MS = 60_000;

/** The back channel of a client. */
export class BackChannel {
  #server;
  #began = new Map();
  latencies = [];

  static async start() {
    const client = new BackChannel();
    client.#server = createServer((request, response) => client.#receive(request, response));
    await new Promise((resolve) => client.#server.listen(0, '127.0.0.1', resolve));
    client.url = `http://127.0.0.1:${client.#server.address().port}/`;
    return client;
  }

  async #receive(request, response) {
    const at = performance.now();
    let text = '';
    for await (const chunk of request) text += chunk;
    response.writeHead(200).end();
    const [, payload] = new URLSearchParams(text).get('logout_token').split('.');
    const { sid } = JSON.parse(Buffer.from(payload, 'base64url'));
    const began = this.#began.get(sid);
    if (began === undefined) return; // sent once more
    this.#began.delete(sid);
    this.latencies.push(at - began);
  }

  /** Notes that a session is about to end. */
  expect(sid) {
    this.#began.set(sid, performance.now());
  }

  /**
   * Resolves when as many tokens have come.
   * @throws if one does not come
   */
  async until(count) {
    const deadline = performance.now() + LOST_MS;
    while (this.latencies.length < count) {
      if (performance.now() > deadline)
        throw new Error(`${count - this.latencies.length} of ${count} logout tokens have not come.`);
      await sleep(5);
    }
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
