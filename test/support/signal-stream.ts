import { decodeJwt } from 'jose';
import type { RelyingParty } from './relying-party.js';
import { eventually } from './test-app.js';

interface SignalAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** Claims of a security event token. */
export interface Signal {
  readonly jti: string;
  readonly aud: string;
  readonly exp?: number;
  readonly sub_id: Record<string, unknown>;
  readonly events: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Calls the API of signals as a client. */
export async function callSignals(
  client: RelyingParty,
  method: string,
  path: string,
  body?: object,
  authorization: string | null = client.authorization,
): Promise<SignalAnswer> {
  const response = await fetch(new URL(`/api/v1/signals/${path}`, client.app.url), {
    method,
    headers: {
      ...(authorization !== null && { authorization }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

/** A stream that a test polls. */
export class PolledStream {
  /** Tokens that have come, in order. */
  readonly tokens: string[] = [];

  private constructor(
    private readonly client: RelyingParty,
    readonly id: string,
  ) {}

  static async create(client: RelyingParty, body: object = {}): Promise<PolledStream> {
    const { status, body: stream } = await callSignals(client, 'POST', 'streams', body);
    if (status !== 201) throw new Error(`The stream was answered by ${status}.`);
    return new PolledStream(client, String(stream['stream_id']));
  }

  /** @returns the answer to one poll, which acknowledges nothing unless asked to */
  async poll(body: object = { returnImmediately: true }): Promise<Record<string, string>> {
    const answer = await callSignals(this.client, 'POST', `streams/${this.id}/events`, body);
    if (answer.status !== 200) throw new Error(`The poll was answered by ${answer.status}.`);
    return answer.body['sets'] as Record<string, string>;
  }

  get signals(): Signal[] {
    return this.tokens.map((token) => decodeJwt(token) as unknown as Signal);
  }

  /**
   * Polls and acknowledges, until this many events have come in total.
   * @param isWanted which events count: those of earlier tests may come as well
   */
  async waitFor(count: number, isWanted: (signal: Signal) => boolean = () => true): Promise<Signal[]> {
    await eventually(`${count} signals`, async () => {
      const sets = await this.poll();
      if (Object.keys(sets).length > 0) await this.poll({ ack: Object.keys(sets), maxEvents: 0 });
      this.tokens.push(...Object.values(sets));
      return this.signals.filter(isWanted).length >= count;
    });
    return this.signals.filter(isWanted);
  }
}
