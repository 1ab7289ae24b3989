import { Agent, request } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Calls the service by a few kept connections: too many requests to open one for each. */
export class ServiceLine {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 24 });

  constructor(private readonly url: string) {}

  /** Tries twice more after a 503, which has had no effect: all walks lock the same operators. */
  async call(...request: Parameters<ServiceLine['send']>): Promise<Reply> {
    const reply = await this.send(...request);
    if (reply.status !== 503) return reply;
    const second = await this.send(...request);
    return second.status === 503 ? this.send(...request) : second;
  }

  private send(method: string, path: string, token: string, body?: object): Promise<Reply> {
    const payload = body && Buffer.from(JSON.stringify(body));
    const headers = {
      authorization: `Bearer ${token}`,
      ...(payload && { 'content-type': 'application/json', 'content-length': payload.length }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${this.url}${path}`, { method, headers, agent: this.agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          // The stream of the audit trail is lines of JSON.
          const isJson = text !== '' && !response.headers['content-type']?.includes('ndjson');
          resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : {} });
        });
      });
      sent.on('error', reject);
      sent.end(payload);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
