import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { addSatellite, CLIENT_ID } from '../support/clients.mjs';
import { send } from '../support/load.mjs';
import { paced, percentilesOf } from '../support/paced.mjs';
import { idOf, populate } from '../support/people.mjs';

const AUTH = '/api/v1/iam/auth';
/** Requests by which people end their sessions. */
const CAUSES = [
  () => ({ method: 'POST', path: `${AUTH}/logout` }),
  () => ({ method: 'POST', path: `${AUTH}/logout-all` }),
  (person) => ({ method: 'DELETE', path: `/api/v1/iam/me/sessions/${idOf('S', person)}` }),
];
/** Milliseconds after which a logout token counts as lost. */
const LOST_MS = 60_000;

/** Measures the time from the request that ends a session to the logout token at the client. */
export default async function logout(bench) {
  const perSecond = bench.of({ full: 50, quick: 50, smoke: 5 });
  const count = perSecond * bench.of({ full: 20, quick: 5, smoke: 2 });
  const client = await Client.start();
  try {
    const service = await bench.service({ WEBHOOK_TRUSTED_HOSTS: '127.0.0.1' });
    await populate(service.query, { people: 2 * count });
    await addSatellite(service.query);
    await service.query('UPDATE satellites SET first_party = true, backchannel_logout_uri = $1', [
      client.url,
    ]);
    await service.query(
      `INSERT INTO grants (id, session_id, account_id, client_id, idle_expires_at, granted_scopes)
       SELECT replace(id, '01BENCHG', '01BENCHB'), session_id, account_id, $1, idle_expires_at, '{openid}' FROM grants`,
      [CLIENT_ID],
    );
    const tokens = await bench.tokensOf(service);
    const endSession = (person) => {
      client.expect(idOf('S', person));
      const request = CAUSES[person % CAUSES.length](person);
      return send(service, { ...request, token: tokens.access(person) });
    };
    /** Ends the sessions of people from the first on, at the pace. */
    const measured = async (first) => {
      client.latencies = [];
      await paced((n) => endSession(first + n), { count, perSecond });
      await client.until(count);
      return percentilesOf(client.latencies);
    };
    for (let person = 0; person < count; person += 1) await endSession(person); // warms the service
    await client.until(count);
    const { p99 } = await measured(count);
    const name = `logout token at the client, ${perSecond} logouts/s, p99`;
    return [{ name, unit: 'ms', goal: { atMost: 1_000 }, ours: p99 }];
  } finally {
    await client.stop();
  }
}

/** The back channel of a client. */
class Client {
  #server;
  #began = new Map();
  latencies = [];

  static async start() {
    const client = new Client();
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
